import { describe, expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { Sim } from '../../tests/properties/sim.ts'
import type { AgentEffect, Effect } from '../contract/effects.ts'
import type { EventOf } from '../contract/events.ts'
import type { MessageRecord } from '../contract/messages.ts'
import { TASK_TEXT_BYTES, TASK_TEXTS_KEPT, type TaskText } from '../contract/task-texts.ts'
import { anewText, isTranscribed, unusableInWords } from './begin-anew.ts'
import { keptTask, taskOf, upToBytes } from './task-list.ts'

const text = (name: string, wallAt: number, given: Partial<TaskText> = {}): TaskText => ({
  name,
  by: 'you',
  wallAt,
  beginning: `${name} begins`,
  ...given,
})

const row = (id: string, given: Partial<MessageRecord> = {}): MessageRecord => ({
  ...{ id, by: 'you', text: `${id} whole`, fingerprint: id, state: 'heard', generation: 1, attempts: 1 },
  ...{ queuedAt: 0, queuedWallAt: 5, notBeforeAt: 0, settledWallAt: 10 },
  ...given,
})

const kept = (given: TaskText): EventOf<'task.kept'> => ({
  type: 'task.kept',
  ...{ agent: 'agent-pan-18', generation: 1, text: given },
  ...{ seq: 1, at: 0, observedAt: 0 },
})

describe('what is kept', () => {
  test('the newest are, in the order in which they were given, and the first prompt always', () => {
    let agent = agentRecord({})
    const add = (given: TaskText) => (agent = { ...agent, task: keptTask(agent, kept(given)) })
    add(text('p-1', 1))
    for (let n = 0; n < TASK_TEXTS_KEPT + 5; n += 1) add(text(`m-${n}`, 10 + n))
    const names = agent.task?.map(({ name }) => name) ?? []
    expect([names.length, names[0], names[1], names.at(-1)]).toEqual([TASK_TEXTS_KEPT + 1, 'p-1', 'm-5', 'm-54'])
    add(text('m-20', 30, { whole: 'again' }))
    expect(agent.task).toHaveLength(TASK_TEXTS_KEPT + 1)
    add(text('p-2', 100))
    expect(agent.task?.map(({ name }) => name)).toContain('p-2')
  })

  test('a clock that was set back changes neither their order nor which are of the present task', () => {
    let agent = agentRecord({})
    const add = (given: TaskText) => (agent = { ...agent, task: keptTask(agent, kept(given)) })
    add(text('p-0', 50))
    add(text('m-2', 9_000, { at: 2 }))
    add(text('p-3', 5_000, { at: 3 }))
    add(text('m-4', 4_000, { at: 4 }))
    expect(agent.task?.map(({ name }) => name)).toEqual(['p-0', 'm-2', 'p-3', 'm-4'])
    const messages = [
      row('m-1', { settledAt: 1, settledWallAt: 9_500 }),
      row('m-5', { settledAt: 5, settledWallAt: 10 }),
    ]
    expect(taskOf({ ...agent, messages }).map(({ name }) => name)).toEqual(['p-3', 'm-4', 'm-5'])
  })

  test.each([
    ['a'.repeat(TASK_TEXT_BYTES + 1), TASK_TEXT_BYTES],
    ['é'.repeat(TASK_TEXT_BYTES), TASK_TEXT_BYTES / 2],
    ['👍'.repeat(TASK_TEXT_BYTES), TASK_TEXT_BYTES / 2],
    ['short', 5],
  ])('never half a character: %#', (given, length) => {
    expect(upToBytes(given, TASK_TEXT_BYTES)).toHaveLength(length)
    expect(upToBytes(given, TASK_TEXT_BYTES).isWellFormed()).toBe(true)
  })
})

describe('the task', () => {
  test.each([
    { what: 'nothing was ever said', given: {}, names: [] },
    {
      what: 'all since the newest prompt',
      given: { task: [text('p-1', 1), text('m-2', 2), text('p-3', 3), text('m-4', 4)] },
      names: ['p-3', 'm-4'],
    },
    { what: 'without a prompt all of it', given: { task: [text('m-2', 2), text('m-4', 4)] }, names: ['m-2', 'm-4'] },
    {
      what: 'what was heard and is not kept yet',
      given: { task: [text('p-1', 1)], messages: [row('m-2')] },
      names: ['p-1', 'm-2'],
    },
    {
      what: 'not what was heard of an earlier task',
      given: { task: [text('p-1', 50)], messages: [row('m-2')] },
      names: ['p-1'],
    },
    {
      what: 'not what was not heard',
      given: { messages: [row('m-2', { state: 'queued' }), row('m-3', { state: 'undelivered' })] },
      names: [],
    },
    { what: 'each once', given: { task: [text('m-2', 2)], messages: [row('m-2')] }, names: ['m-2'] },
  ])('$what', ({ given, names }) => {
    expect(taskOf(agentRecord(given)).map(({ name }) => name)).toEqual(names)
  })

  test('what is not kept yet is in the ledger, whole; of what was cut before only its beginning is left', () => {
    const messages = [row('m-2'), row('m-3', { cut: true })]
    expect(taskOf(agentRecord({ messages }))).toEqual([
      text('m-2', 10, { beginning: 'm-2 whole', whole: 'm-2 whole' }),
      text('m-3', 10, { beginning: 'm-3 whole' }),
    ])
  })
})

describe('what one that begins anew is told', () => {
  test('the first prompt, then the later messages, then where it is; and why', () => {
    const told = [
      { ...text('p-1', 0), text: 'Repair it.' },
      { ...text('m-2', 60_000), text: undefined },
      { ...text('m-3', 120_000), text: 'Half', cut: true as const },
    ]
    expect(anewText({ why: 'its transcript is garbled', told, summary: 'Go on.' })).toBe(
      [
        'Cloister: your earlier session could not be gone on with (its transcript is garbled), so you begin anew. This is your whole task, as it was given to you.',
        '=== Your task, by you, 1970-01-01T00:00:00.000Z\nRepair it.',
        '=== Later you were told, by you, 1970-01-01T00:01:00.000Z\nm-2 begins […]\n(Only this beginning of it is left.)',
        '=== Later you were told, by you, 1970-01-01T00:02:00.000Z\nHalf […]\n(It was longer; the rest was not kept.)',
        '=== Where you are\nGo on.',
      ].join('\n\n'),
    )
  })

  test.each([
    ['missing', true, /^its transcript was deleted$/],
    ['missing', false, /no transcript; .*none was ever written/],
    ['garbled', true, /garbled/],
    ['empty', true, /no conversation/],
    ['too_large', true, /too large/],
  ] as const)('%s, seen before: %s', (unusable, wasSeen, words) => {
    expect(unusableInWords(unusable, wasSeen)).toMatch(words)
  })

  test.each([
    [{ sessionId: 's-1' }, false],
    [{ sessionId: 's-1', evidence: { transcript: { seenAt: 1, changedAt: 1 } } }, true],
    [{ sessionId: 's-2', evidence: { transcript: { seenAt: 1, changedAt: 1 } } }, false],
    [{ transcribed: 's-1' }, true],
    [{ sessionId: 's-1', transcribed: 's-0' }, false],
  ])('deleted is only what was seen: %j', (given, seen) => {
    expect(isTranscribed(agentRecord(given), 's-1')).toBe(seen)
  })
})

function keeps(sim: Sim): Extract<AgentEffect, { type: 'task.keep' }>[] {
  return sim.open.filter((effect) => effect.type === 'task.keep')
}

function answer(sim: Sim, effect: Effect | undefined, result: 'done' | 'unknown'): void {
  if (effect === undefined) throw new Error('nothing is open')
  sim.open.splice(sim.open.indexOf(effect), 1)
  sim.input({ type: 'outcome', effect, outcome: { result, ...(result === 'done' ? {} : { detail: 'disk full' }) } })
}

test('a first prompt is kept by an effect, after all others of its turn; where no file can be, the record has it', () => {
  for (const result of ['done', 'unknown'] as const) {
    const sim = new Sim()
    const identity = { kind: 'issue', workspace: '/w', runtime: 'virtual', model: 'sonnet', simulated: true } as const
    const command = { type: 'agent.spawn', agent: 'agent-1', ...identity, prompt: 'Repair the login.' } as const
    const { effects } = sim.input({ type: 'command', by: 'you', command })
    expect(effects.map(({ type }) => type)).toEqual(['session.spawn', 'task.keep'])
    expect(keeps(sim)).toMatchObject([{ text: { by: 'you', whole: 'Repair the login.' } }])
    answer(sim, keeps(sim)[0], result)
    const [task] = sim.world.agents.get('agent-1')?.task ?? []
    expect(task).toMatchObject({ by: 'you', beginning: 'Repair the login.' })
    expect(task?.whole).toBe(result === 'done' ? undefined : 'Repair the login.')
  }
})
