import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { SETTINGS } from '../../tests/samples/agents.ts'
import { explainView as schema, type ExplainView } from '../contract/views.ts'
import { exactly, MINUTE } from './durations.ts'
import { explainView } from './explain.ts'
import { agentView } from './views.ts'

async function played(...lines: string[]): Promise<House> {
  const house = new House()
  const isSetting = (line: string) => /^set (?:restart|stuck)/.test(line)
  for (const line of lines.filter(isSetting)) await perform(house, line)
  await house.boot()
  for (const line of lines.filter((each) => !isSetting(each))) await perform(house, line)
  return house
}

function explained(house: House): ExplainView {
  const view = explainView(house.loop.world, 'agent-1')
  expect(schema.safeParse(view).error).toBeUndefined()
  return view as ExplainView
}

type Told = [health: string, rule: string, next: string[]]

test.each<[string, string[], Told]>([
  [
    'works',
    [],
    [
      'active',
      'Silence alone raises attention by the clock: stale from 5 min, warning from 15 min, stuck from 30 min. ' +
        'A terminal that moves counts for 15 min by itself.',
      [
        '5 stale (thinking), if nothing moves',
        '15 warning (thinking), if nothing moves',
        '15.5 poke 1 of 3, if nothing moves',
        '30 stuck (thinking), if nothing moves',
      ],
    ],
  ],
  [
    'runs a long tool',
    ['agent-1 waits on Bash bound 10m', 'wait 1m'],
    [
      'active',
      'An open tool within its time (10 min, plus 1 min) is work, however silent.',
      [
        '10 stale (hung: Bash is over its time and its processes rest), if nothing moves',
        '14 warning (hung: Bash is over its time and its processes rest), if nothing moves',
        '14.5 poke 1 of 3, if nothing moves',
        '29 stuck (hung: Bash is over its time and its processes rest), if nothing moves',
      ],
    ],
  ],
  [
    'waits for a person',
    ['agent-1 asks Which one?', 'wait 10m'],
    [
      'warning',
      'Waiting for a person is shown as waiting from the first second, never stuck and never poked; from 5 min on its health is a warning, because it needs you.',
      [],
    ],
  ],
  [
    'was poked in vain',
    ['set stuck_escalation off', 'agent-1 ignores pokes', 'agent-1 hangs', 'wait 20m'],
    [
      'warning',
      'Silence while its processes were seen at rest is a hang; stale from 5 min, warning from 15 min, stuck from 30 min. Silence alone is not.',
      [
        '10 stuck (hung: its turn is open and nothing moves), if nothing moves',
        '10.5 poke 1 is judged: did it help?',
        '10.5 poke 2 of 3, if there is no progress',
      ],
    ],
  ],
  [
    'was poked as often as it may be',
    ['agent-1 ignores pokes', 'agent-1 falls silent', 'wait 3h'],
    [
      'stuck',
      'Silence alone raises attention by the clock: stale from 5 min, warning from 15 min, stuck from 30 min. ' +
        'A terminal that moves counts for 15 min by itself.',
      ['0 nothing more by itself: a person was asked'],
    ],
  ],
  [
    'hangs after three pokes',
    ['set stuck_escalation off', 'agent-1 ignores pokes', 'agent-1 hangs', 'wait 50m'],
    [
      'stuck',
      'Silence while its processes were seen at rest is a hang; stale from 5 min, warning from 15 min, stuck from 30 min. Silence alone is not.',
      ['10.5 poke 3 is judged: did it help?', '10.5 its turn is cut short, since 3 pokes brought no progress'],
    ],
  ],
  [
    'is dead',
    ['agent-1 dies', 'wait 1m'],
    [
      'stuck',
      'The process was seen to be gone. That needs no clock: stuck at once.',
      ['0 no restart: nobody knows that its program failed (no exit code was seen)'],
    ],
  ],
  [
    'failed and is started again',
    ['agent-1 dies 1', 'wait 30s'],
    [
      'stuck',
      'The process was seen to be gone. That needs no clock: stuck at once.',
      ['0.4613333333333333 it is started again (start 1 in a row)'],
    ],
  ],
])('an agent that %s', async (_, lines, [health, rule, next]) => {
  const view = explained(await played('spawn agent-1', 'wait 10m', ...lines))
  expect([view.health, view.rule, view.next.map(({ inMs, what }) => `${inMs / MINUTE} ${what}`)]).toEqual([
    health,
    rule,
    next,
  ])
})

test('what is foretold comes true when nothing moves', async () => {
  const house = await played('spawn agent-1', 'agent-1 ignores pokes', 'wait 10m', 'agent-1 hangs')
  const seen: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const [next] = explained(house).next
    await house.wait(next?.inMs ?? 0)
    const { health, pokes } = explained(house)
    seen.push(`${next?.what} → ${health}, pokes ${pokes}`)
  }
  expect(seen).toEqual([
    'stale (thinking), if nothing moves → stale, pokes 0',
    'warning (hung: its turn is open and nothing moves), if nothing moves → warning, pokes 0',
    'poke 1 of 3, if there is no progress → warning, pokes 1',
    'its work is handed to opus, if nothing moves → warning, pokes 1',
    'the rest by hand-off must have its outcome, now confirming → warning, pokes 1',
  ])
})

test.each([
  ['cheap', 'haiku', 'sonnet'],
  ['cheap', 'deepseek-v3', 'sonnet'],
  ['deepseek-v3', 'deepseek-v3', 'sonnet'],
  ['haiku', 'haiku', 'sonnet'],
  ['sonnet', 'haiku', 'opus'],
  ['opus', 'haiku', undefined],
  ['gpt-6', 'haiku', undefined],
])('whom a stuck %s goes to (cheap is %s) is foretold as it is proposed', async (model, cheap, expected) => {
  const { routing } = SETTINGS
  const house = new House({ settings: { ...SETTINGS, routing: { ...routing, tiers: { ...routing.tiers, cheap } } } })
  await house.boot()
  for (const line of [`spawn agent-1 ${model}`, 'agent-1 ignores pokes', 'wait 4m', 'agent-1 hangs', 'wait 6m'])
    await perform(house, line)
  const [, foretold] =
    /handed to (\S+),/.exec(
      explained(house)
        .next.map(({ what }) => what)
        .join(),
    ) ?? []
  await house.wait(30 * MINUTE)
  const proposed = house.events.find((event) => event.type === 'handoff.proposed')?.handoff.to.model
  expect({ foretold, proposed }).toEqual({ foretold: expected, proposed: expected })
})

test('that a specialist comes before a dearer model is foretold, too', async () => {
  const house = await played(
    'spawn agent-1 opus',
    'wait 5m',
    'agent-1 tests vitest failing',
    'agent-1 ignores pokes',
    'agent-1 hangs',
    'wait 6m',
  )
  const foretold = explained(house).next.map(({ what }) => what)
  await house.wait(30 * MINUTE)
  const proposed = house.events.find((event) => event.type === 'handoff.proposed')?.handoff.to.specialist
  expect({ foretold, proposed }).toEqual({
    foretold: expect.arrayContaining(['its work is handed to test-agent, if nothing moves']) as string[],
    proposed: 'test-agent',
  })
})

test.each<[string, string[], string]>([
  ['paused', ['pause'], 'monitoring is paused'],
  ['blind', ['terminal down', 'wait 1m'], 'Cloister cannot see the agents: no terminal server answers'],
  ['after an emergency stop', ['emergency'], 'an emergency stop is in force'],
])('while Cloister is %s nothing is foretold and the reason is told', async (_, lines, held) => {
  const house = await played('spawn agent-1', 'wait 10m', ...lines)
  const view = explained(house)
  expect([view.held, view.next]).toEqual([view.lifecycle === 'active' ? held : undefined, []])
})

test.each<[string, string[], string]>([
  ['paused', ['pause'], 'Cloister is paused and judges nobody: `pan cloister start` starts it again.'],
  ['blind', ['terminal down', 'wait 1m'], 'The next good look at it.'],
])('while Cloister is %s nobody is told to end an agent', async (_, lines, change) => {
  expect(explained(await played('spawn agent-1', 'wait 10m', ...lines)).wouldChange).toEqual([change])
})

test('witnesses that are off or silent are named with why', async () => {
  const house = await played('spawn agent-1', 'wait 1m')
  house.loop.setSettings({ ...house.settings, witnessesOff: ['git'] }, ['witnessesOff'])
  await house.wait(1)
  expect(explained(house).witnesses.map(({ witness, state }) => `${witness} ${state}`)).toEqual([
    'process heard',
    'hook heard',
    'registry silent',
    'transcript silent',
    'terminal heard',
    'git off',
    'tasks silent',
  ])
})

test.each<[string, string[], { reason: string; next: string[]; change: string }]>([
  [
    'has not come',
    ['wait 30m'],
    {
      reason: 'held by a usage limit; no sign of work for 30 min',
      next: ['it is told to go on, once'],
      change: 'A usage limit ends by itself, a spend limit is raised by you; the next report makes it active.',
    },
  ],
  [
    'has come, and a minute more is waited',
    ['wait 60m', 'wait 30s'],
    {
      reason: 'its usage limit was over 30 s ago; it is told to go on in 1 min',
      next: ['it is told to go on, once'],
      change: 'The next report makes it active; `pan agents message agent-1 "…"` tells it to go on.',
    },
  ],
  [
    'came while a person held the agent',
    ['hold agent-1 2h we look', 'wait 68m'],
    {
      reason: 'its usage limit was over 8 min ago; it is told to go on as soon as rules may act on it',
      next: ['it is told to go on, as soon as rules may act on it', 'the hold by you ends'],
      change: 'The next report makes it active; `pan agents message agent-1 "…"` tells it to go on.',
    },
  ],
  [
    'came, and it was told to go on and did not',
    ['agent-1 ignores pokes', 'wait 68m'],
    {
      reason: 'its usage limit was over 8 min ago; it was told to go on 5 min ago',
      next: ['continue is judged: did it help?'],
      change: 'The next report makes it active; `pan agents message agent-1 "…"` tells it to go on.',
    },
  ],
])('a limit whose end %s', async (_, lines, { reason, next, change }) => {
  const house = await played('spawn agent-1', 'wait 10m', 'agent-1 is limited for 1h', ...lines)
  const view = explained(house)
  expect([view.shown, view.reason, view.wouldChange[0]]).toEqual(['limited', reason, change])
  expect(view.next.map(({ what }) => what)).toEqual(next)
  expect(agentView(house.loop.world, 'agent-1')).toMatchObject({ shown: 'limited', reason })
})

test('an agent that rests has no health, and nobody unknown is explained', async () => {
  const house = await played('spawn agent-1', 'wait 2m', 'agent-1 idles', 'wait 5m')
  const view = explained(house)
  expect([view.health, view.reason, view.wouldChange]).toEqual([
    undefined,
    'it finished its turn and waits at its prompt',
    ['Give it work: `pan agents message agent-1 "…"`.'],
  ])
  expect(explainView(house.loop.world, 'agent-9')).toBeUndefined()
})

test('one that was told nothing since its start has finished nothing', async () => {
  const house = await played('spawn agent-1', 'wait 2m')
  const agent = { ...house.loop.world.agents.get('agent-1')!, lifecycle: 'idle' as const }
  const view = (lifecycleWhy: string) => {
    const agents = new Map([['agent-1', { ...agent, lifecycleWhy }]])
    return explainView({ ...house.loop.world, agents }, 'agent-1')?.reason
  }
  expect(view('it waits for its first prompt')).toBe(
    'it waits for its first prompt: nobody has told it anything since it was started',
  )
  expect(view('its turn was cut short')).toBe('its turn was cut short, and it waits at its prompt')
})

test('while an emergency stop is in force nobody is told to start an agent', async () => {
  const lines = ['spawn agent-1', 'wait 2m', 'emergency stop', 'wait 2m']
  expect(explained(await played(...lines)).wouldChange).toEqual([
    'An emergency stop is in force, and nothing is started or typed: `pan cloister resume --start agent-1` takes it back and starts this one again.',
  ])
  expect(explained(await played(...lines, 'resume')).wouldChange).toEqual([
    'Start it again with `pan agents spawn agent-1`.',
  ])
})

test.each([
  [15 * 60_000, '15 min'],
  [90_000, '90 s'],
  [40_000, '40 s'],
  [150_000, '2 min 30 s'],
  [90 * MINUTE, '90 min'],
  [150 * MINUTE, '2 h 30 min'],
])('a limit of %i ms is told as %s', (ms, words) => {
  expect(exactly(ms)).toBe(words)
})

test.each<[string, string[], { forMs: number; causeMs?: number }]>([
  ['it works', [], { forMs: 10 * MINUTE, causeMs: 10 * MINUTE }],
  ['a tool is open', ['agent-1 waits on Bash bound 20m', 'wait 1m'], { forMs: 11 * MINUTE, causeMs: MINUTE }],
  ['it asks', ['agent-1 asks Which one?', 'wait 2m'], { forMs: 2 * MINUTE, causeMs: 2 * MINUTE }],
  ['it asks for long', ['agent-1 asks Which one?', 'wait 7m'], { forMs: 7 * MINUTE, causeMs: 7 * MINUTE }],
  ['it rests', ['agent-1 idles', 'wait 3m'], { forMs: 3 * MINUTE }],
])('how long: %s', async (_, lines, lasted) => {
  const { forMs, causeMs } = explained(await played('wait 2m', 'spawn agent-1', 'wait 10m', ...lines))
  expect({ forMs, ...(causeMs === undefined ? {} : { causeMs }) }).toEqual(lasted)
})

test.each<[string, string[], Partial<Record<'next' | 'change' | 'held', string>>]>([
  ['a crash, before it is certain', ['agent-1 dies 1', 'wait 30s'], { next: 'it is started again (start 1 in a row)' }],
  [
    'a crash whose restart waits while monitoring is paused',
    ['agent-1 dies 1', 'wait 30s', 'pause'],
    { next: 'held back (monitoring is paused): it is started again (start 1 in a row)', held: 'monitoring is paused' },
  ],
  [
    'an end that nobody knows to be a failure',
    ['agent-1 dies', 'wait 2m'],
    { next: 'no restart: nobody knows that its program failed (no exit code was seen)' },
  ],
  [
    'an end with restarts switched off',
    ['set restart_on_crash off', 'agent-1 dies 1', 'wait 2m'],
    { next: 'no restart: auto_actions.restart_on_crash is off' },
  ],
  ['a stop by a person', ['kill agent-1', 'wait 1m'], { next: 'no restart: a person stopped it' }],
  [
    'a hold',
    ['hold agent-1 2h lunch'],
    { next: 'the hold by you ends', change: '`pan agents release agent-1` lets rules act on it again.' },
  ],
  [
    'a usage limit',
    ['agent-1 is limited for 2h', 'wait 1m'],
    { next: 'it is told to go on, once', change: '`pan agents release agent-1` tells it to go on now.' },
  ],
  [
    'an outage',
    ['agent-1 is failed by its service', 'wait 1m'],
    { next: 'it is told to go on, once (try 1 of 8)', held: 'it is held by limits: an outage of its service holds it' },
  ],
  [
    'one that works and is held',
    ['hold agent-1 2h lunch'],
    { next: 'held back (it is held by you: lunch): poke 1 of 3, if nothing moves' },
  ],
  [
    'one that hangs and is held',
    ['hold agent-1 2h lunch', 'agent-1 hangs', 'wait 20m'],
    { next: 'no rule helps it: it is held by you: lunch; a person is asked' },
  ],
  [
    'one that was poked and answered in words',
    ['agent-1 answers in words', 'agent-1 hangs', 'wait 20m'],
    { next: 'poke 2 of 3, if there is no progress' },
  ],
  [
    'one that answered all pokes in words',
    ['agent-1 answers in words', 'agent-1 hangs', 'wait 90m'],
    { next: 'nothing more by itself: a person was asked' },
  ],
  [
    'an outage for ever',
    ['agent-1 ignores pokes', 'agent-1 is failed by its service', 'wait 8h'],
    { next: 'nothing more by itself after 8 tries: a person is asked' },
  ],
])('what comes next of %s is said', async (_, lines, { next, change, held }) => {
  const view = explained(await played('agents 1', 'wait 5m', ...lines))
  if (next !== undefined) expect(view.next.map(({ what }) => what)).toContain(next)
  if (change !== undefined) expect(view.wouldChange).toContain(change)
  if (held !== undefined) expect(view.held).toBe(held)
})
