/** The daemon killed in the middle of what takes several steps: a subagent's work, a switch, an order, a message, a death. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { phrase } from '../../../src/adapters/claude-code/dialect.ts'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import type { Event, EventOf } from '../../../src/contract/events.ts'
import type { AgentView, MessagesView } from '../../../src/contract/views.ts'
import { typeable } from '../../../src/core/typeable.ts'
import { scripted } from '../../model-api/turn.ts'
import {
  clientFor,
  clients,
  gateIn,
  ID,
  isAtRest,
  killed,
  lifecycleTo,
  prompts,
  rested,
  started,
  transcribed,
  type RealClaude,
} from './real-claude.ts'

const QUICK = 'monitoring:\n  check_interval: 1\n'
const WAIT = { name: 'Bash', input: { command: 'head -n 1 gate', description: 'wait' } }

/** How the acts of one kind ended since then. */
function ended({ live }: RealClaude, act: string, since: number): EventOf<'act.ended'>['result'][] {
  return live.events
    .slice(since)
    .flatMap((event) => (event.type === 'act.ended' && event.act === act ? event.result : []))
}

test('a subagent in the background is no rest, before and after; its end is seen, also one that nobody watched', async (ctx) => {
  const real = await started(ctx)
  const { live, workspace, seen, type, shows } = real
  const gate = gateIn(ctx, real)
  const helper = (...turns: Parameters<typeof scripted>[1]) => ({
    name: 'Agent',
    input: { prompt: scripted('look there', turns), description: 'a helper', subagent_type: 'general-purpose' },
  })

  await live.until(() => lifecycleTo(live, 'idle') !== undefined, 'its first rest is told')
  let since = live.events.length
  const waiting = helper({ tools: [WAIT] }, { text: 'found it' })
  type(scripted('go on', [{ tools: [waiting] }, { text: 'it works for me' }, { text: 'all done' }]))
  await shows('● it works for me')
  await seen('the subagent runs a tool', ({ doing }) => doing?.kind === 'tool' && doing.what === 'Bash')
  await killed(real)
  const isAtIt = ({ doing }: AgentView) => doing?.kind === 'tool' || doing?.kind === 'background'
  expect(await seen('it is still at it', isAtIt)).toMatchObject({ lifecycle: 'active' })
  expect(lifecycleTo(live, 'idle', since)).toBeUndefined()
  gate.open()
  await shows('● all done')
  await rested(real)
  await live.until(() => lifecycleTo(live, 'idle', since) !== undefined, 'its second rest is told')

  // Now it thinks, so that no tool is open, and comes to its end while nobody watches.
  since = live.events.length
  const thinking = helper({ onceThere: join(workspace, 'thought'), text: 'thought' })
  type(scripted('once more', [{ tools: [thinking] }, { text: 'it thinks for me' }, { text: 'over and out' }]))
  await shows('● it thinks for me')
  await seen('it waits for its subagent', ({ doing }) => doing?.kind === 'background')
  await killed(real)
  expect(await seen('it still waits for it', ({ doing }) => doing?.kind === 'background')).toMatchObject({
    lifecycle: 'active',
  })
  expect(lifecycleTo(live, 'idle', since)).toBeUndefined()
  await killed(real, async () => {
    writeFileSync(join(workspace, 'thought'), '')
    await shows('● over and out')
  })
  expect((await rested(real)).generation).toBe(1)
}, 180_000)

const SWITCHES = [
  ['agent.salvaged', 'opus'],
  ['agent.model-changed', 'sonnet'],
  ['agent.started', 'haiku'],
] as const

test('a switch of the model goes on wherever it was cut: one client, the new model, the same session', async (ctx) => {
  const real = await started(ctx)
  const { live, seen } = real
  const { sessionId } = await real.agent()
  for (const [moment, model] of SWITCHES) {
    const since = live.events.length
    await live.client.post(`/api/agents/${ID}/switch-model`, { model })
    await live.event(moment, ID, since)
    await killed(real)
    const isThere = (agent: Awaited<ReturnType<RealClaude['agent']>>) => isAtRest(agent) && agent.model === model
    expect(await seen(`it is there with ${model} (${moment})`, isThere)).toMatchObject({ sessionId, model })
    expect({ moment, clients: clients(real).length, session: real.registry()?.['sessionId'] }).toEqual({
      moment,
      clients: 1,
      session: sessionId,
    })
    await live.until(() => ended(real, 'resume', since).at(-1) === 'done', `it was resumed (${moment})`)
    expect(live.events.slice(since).filter(({ type }) => type === 'agent.session-lost')).toEqual([])
    expect({ moment, switched: ended(real, 'switch', since) }).toEqual({ moment, switched: ['done'] })
  }
  // What it runs with is what it was switched to.
  await live.client.post(`/api/agents/${ID}/message`, { message: 'Which are you?' })
  await live.until(() => JSON.stringify(transcribed(real, '"type":"assistant"').at(-1)).includes('haiku'), 'it answers')
}, 180_000)

test('an order to rest: left, then the daemon is killed; it is taken once, and the act ends as it was', async (ctx) => {
  const real = await started(ctx)
  const { live, seen, shows } = real
  const gate = gateIn(ctx, real)
  const orders = () => readdirSync(join(live.home, 'orders')).filter((name) => !name.startsWith('.'))
  const work = async (what: string) => {
    const turns = [{ tools: [WAIT] }, { text: `${what} went on` }]
    await live.client.post(`/api/agents/${ID}/message`, { message: scripted(what, turns) })
    await seen('its tool is open', ({ cause, act }) => cause?.kind === 'working_tool' && act === undefined)
  }
  const order = async () => {
    const since = live.events.length
    await live.client.post(`/api/agents/${ID}/rest`)
    return since
  }

  // The order lies there; the daemon is back before a hook takes it.
  await work('first')
  let since = await order()
  await live.until(() => orders().length === 1, 'the order lies there', 5)
  await killed(real)
  expect(orders()).toHaveLength(1)
  expect(await real.agent()).toMatchObject({ lifecycle: 'active', act: { kind: 'rest' } })
  gate.open()
  await rested(real)
  await live.until(() => ended(real, 'rest', since).length > 0, 'the act ended')
  expect(ended(real, 'rest', since)).toEqual(['done'])
  expect(orders()).toEqual([])

  // It is taken while nobody watches.
  await work('second')
  since = await order()
  await live.until(() => orders().length === 1, 'the order lies there', 5)
  await killed(real, async () => {
    gate.open()
    await live.until(() => real.registry()?.['status'] === 'idle', 'it stopped', 20)
  })
  await rested(real)
  await live.until(() => ended(real, 'rest', since).length > 0, 'the act ended')
  expect(ended(real, 'rest', since)).toEqual(['done'])
  expect(orders()).toEqual([])

  // A person was quicker while nobody watched: the order is not for what comes next.
  await work('third')
  since = await order()
  await live.until(() => orders().length === 1, 'the order lies there', 5)
  await killed(real, () => real.press('Escape', 'idle'))
  await rested(real)
  await live.until(() => ended(real, 'rest', since).length > 0, 'the act ended')
  expect(ended(real, 'rest', since)).toEqual(['done'])
  await live.until(() => orders().length === 0, 'the order is taken back')

  await work('fourth')
  gate.open()
  await shows('● fourth went on')
  await rested(real)
  for (const what of ['first', 'second', 'third']) expect(real.screen()).not.toContain(`● ${what} went on`)
}, 180_000)

/** When the daemon is killed: before the text is typed or in the middle of that, or before it is said that it arrived. */
const HOSTILE = [
  ['act.decided', 'one\ntwo\n\n  three, indented: Grüße 👩‍👩‍👧 🇩🇪 漢字 עברית é $(id) \\\n'],
  ['message.typed', '/exit'],
  ['message.typed', `big ${'0123456789abcde '.repeat(6_240)}end`],
] as const

test('many-lined, hostile and long messages with the daemon killed in the middle of each: once, as written', async (ctx) => {
  const real = await started(ctx)
  const { live } = real
  await live.until(() => prompts(real).length === 1, 'its first prompt is in the transcript')
  for (const [moment, message] of HOSTILE) {
    const since = live.events.length
    await live.client.post(`/api/agents/${ID}/message`, { message })
    // One that is taken at once is heard before it is known that it was typed.
    const isMoment = ({ type }: Event) => type === moment || type === 'message.heard'
    await live.until(() => live.events.slice(since).some(isMoment), moment)
    await killed(real)
    await live.event('message.heard', ID, since)
    await rested(real)
  }
  await live.until(() => prompts(real).length > HOSTILE.length, 'the transcript has them all')
  const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  expect(prompts(real).slice(1).map(squeezed)).toEqual(HOSTILE.map(([, text]) => squeezed(phrase(typeable(text)))))
  const { messages } = await live.client.get<MessagesView>(`/api/agents/${ID}/messages`)
  expect(messages.map(({ state }) => state)).toEqual(HOSTILE.map(() => 'heard'))
}, 180_000)

test('killed outright while nobody watches, its tool lives on; and again while that is ended: all is gone', async (ctx) => {
  const real = await clientFor(ctx, { config: QUICK })
  const { live, workspace, spawn, seen, registry } = real
  const command = 'touch started && tail -f /dev/null --pid=1'
  await spawn('begin', [{ tools: [{ name: 'Bash', input: { command, description: 'never ends' } }] }])
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await live.until(() => existsSync(join(workspace, 'started')), 'its tool runs')
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const { run = '' } = (await live.event('act.decided', ID)).act
  const { sessionId } = await real.agent()
  await killed(real, () => process.kill(Number(registry()?.['pid']), 'SIGKILL'))
  await seen('what it left is known', ({ cause }) => cause?.kind === 'dead' && cause.orphans === true)
  expect(await trees.lookAt(run)).toMatchObject({ alive: true })
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/kill`)
  await live.event('act.decided', ID, since)
  await killed(real)
  await seen('it is stopped', ({ lifecycle, act }) => lifecycle === 'stopped' && act === undefined)
  expect(await trees.lookAt(run)).toEqual({ alive: false })
  expect(clients(real)).toEqual([])
  await live.client.post(`/api/agents/${ID}/resume`, {})
  expect(await rested(real)).toMatchObject({ generation: 2, sessionId })
}, 180_000)
