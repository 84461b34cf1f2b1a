import { expect, test } from 'vitest'
import { SETTINGS } from '../../tests/samples/agents.ts'
import { VirtualClock } from '../../tests/fakes/virtual-clock.ts'
import { VirtualTasks } from '../../tests/fakes/virtual-tasks.ts'
import { chooseFor, explainRoute, withRefusal } from './route-work.ts'
import { TaskDesk } from './task-desk.ts'

const { routing } = SETTINGS
const source = new VirtualTasks()
const desk = new TaskDesk({ sources: [source], clock: new VirtualClock(0) })
const epic = source.add('/repo', 'The door', { group: true, tags: ['pan-18'] })
const secure = source.add('/repo', 'Secure the door', { parent: epic, tags: ['security'] })
source.add('/repo', 'Fix a typo', { tags: ['pan-19'] })

test.each([
  [
    'by its first task',
    { agent: 'agent-pan-18', issue: 'pan-18', title: 'Fix a typo', workspace: '/repo' },
    {
      model: 'opus',
      why: `by its task ${secure} «Secure the door», it is tagged «security», so it is expert, which opus does.`,
    },
  ],
  [
    'by its title where it has no task',
    { agent: 'agent-pan-7', issue: 'pan-7', title: 'Fix a typo', workspace: '/repo' },
    { model: 'haiku', why: '«typo» stands in its title, so it is simple, which haiku does.' },
  ],
  [
    'by the files that its prompt names',
    {
      agent: 'agent-pan-7',
      issue: 'pan-7',
      title: 'typo',
      prompt: Array.from({ length: 11 }, (_, n) => `src/a${n}.ts`).join(' '),
      workspace: '/elsewhere',
    },
    { model: 'sonnet', why: 'it is about 11 files, more than 10, so it is medium, which sonnet does.' },
  ],
  [
    'by the settings of a specialist',
    { agent: 'test-agent', specialist: 'test-agent', workspace: '/repo' },
    { model: 'haiku', why: 'test-agent is set to haiku.' },
  ],
])('chooses %s', async (_, work, chosen) => {
  expect(await chooseFor(work, routing, desk)).toEqual(chosen)
})

test('a route of the settings may name the runtime', async () => {
  const own = { ...routing, byComplexity: { ...routing.byComplexity, medium: { model: 'o1', runtime: 'codex' } } }
  const chosen = await chooseFor({ agent: 'a', workspace: '/' }, own, desk)
  expect(chosen).toMatchObject({ model: 'sonnet', runtime: 'claude-code' })
  expect(chosen.why).toContain(
    'But the runtime codex is not there yet, so that sonnet in claude-code is started instead.',
  )
  const mine = { ...routing, byComplexity: { ...routing.byComplexity, medium: { model: 'opus', runtime: 'mine' } } }
  expect(await chooseFor({ agent: 'a', workspace: '/' }, mine, desk)).toMatchObject({ model: 'opus', runtime: 'mine' })
})

test.each([
  [
    { task: secure.toUpperCase(), repo: '/repo' },
    { kind: 'task', id: secure, title: 'Secure the door' },
    'opus',
    undefined,
  ],
  [{ task: 'fix a TYPO ', repo: '/repo' }, { kind: 'task', id: 't-3', title: 'Fix a typo' }, 'haiku', undefined],
  [
    { task: 'Rename it', repo: '/repo' },
    { kind: 'title', title: 'Rename it' },
    'haiku',
    'no task there has this id or title',
  ],
  [{ task: 'Rename it', repo: '/x' }, { kind: 'title', title: 'Rename it' }, 'haiku', 'there is no list for /x'],
  [{ task: 'Rename it' }, { kind: 'title', title: 'Rename it' }, 'haiku', 'no folder was named'],
])('%j is explained', async (wish, about, model, noTasks) => {
  const route = await explainRoute(wish, routing, desk)
  expect(route).toMatchObject({ about, model })
  expect(route.noTasks).toBe(noTasks)
})

test('a route that would be refused says so', async () => {
  const capabilities = new Map([['claude-code', { models: { names: ['sonnet'], family: 'claude' } }]])
  const own = { ...routing, byComplexity: { ...routing.byComplexity, medium: 'gpt-9' } }
  const known = { capabilities, settings: { routing: own } }
  const refusedOf = async (task: string) => withRefusal(known, await explainRoute({ task }, own, desk)).refused
  expect(await refusedOf('Something')).toMatch(/^claude-code knows no model called gpt-9\. It knows sonnet/)
  expect(await refusedOf('Fix a typo')).toBeUndefined()
})
