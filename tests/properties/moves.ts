/** Generated nights for the core: mostly plausible, often unlucky. */
import fc from 'fast-check'
import { WITNESSES, type Doing } from '../../src/contract/evidence.ts'
import { SPECIALIST, type Move } from './sim.ts'

const agent = fc.integer({ min: 1, max: 4 })

const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Doing>({ kind: 'thinking' }) },
  fc.constantFrom<Doing>(
    { kind: 'starting' },
    { kind: 'tool', name: 'Bash', boundMs: 120_000 },
    { kind: 'background', tasks: 1 },
    { kind: 'permission', what: 'rm -rf build' },
    { kind: 'question', what: 'Which one?' },
    { kind: 'limited' },
    { kind: 'api_error', what: '529' },
    { kind: 'compacting' },
    { kind: 'looping', what: 'npm test', times: 8 },
    { kind: 'idle' },
  ),
)

export const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      minutes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 120 })),
      looking: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      minutes: fc.integer({ min: 1, max: 5 }),
      looking: fc.constant(false),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('see' as const),
      agent,
      witness: fc.constantFrom('hook' as const, 'hook' as const, ...WITNESSES),
      doing,
      progress: fc.boolean(),
      alive: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
      busy: fc.boolean(),
      stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      session: fc.constantFrom(undefined, undefined, undefined, 1, 2),
      heard: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      calls: fc.constantFrom(undefined, undefined, undefined, 3, 12),
      echo: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      agent,
      what: fc.constantFrom(
        'spawn',
        'spawn',
        'spawn',
        'adopt',
        'kill',
        'forget',
        'poke',
        'message',
        'message',
        'retry',
        'recall',
        'give-back',
        'wake',
        'wake',
        'suspend',
        'suspend',
        'switch',
        'interrupt',
        'rest',
        'clear',
        'stop',
        'start',
        'start',
        'emergency',
        'resume',
        'resume',
        'settle',
        'hold',
        'freeze',
        'release',
        'seen',
        'assign',
        'assign',
        'handoff',
        'handoff',
        'cycle',
        'cycle',
        'lend',
        'back',
        'propose',
        'approve',
        'refuse',
        'judge',
        'report',
        'alarm',
        'auto',
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(),
      result: fc.constantFrom('done', 'done', 'done', 'done', 'not_done', 'unknown', 'fenced'),
      survives: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), minutes: fc.constantFrom(-180, -1, 1, 480) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Move>(
      { do: 'blind' },
      { do: 'sentinel' },
      { do: 'restart' },
      { do: 'restart', afterStop: true },
      { do: 'settings', bold: true },
      { do: 'settings', bold: false },
    ),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), agent, code: fc.constantFrom(1, 137, 0) }) },
)

/** An agent that lives when the night begins. */
function living(n: number): Move[] {
  const thinking: Doing = { kind: 'thinking' }
  return [
    { do: 'command', agent: n, what: 'spawn' },
    { do: 'answer', which: 0, result: 'done', survives: false },
    { ...seen(n, thinking), session: 10 + n },
  ]
}

function seen(agent: number, doing: Doing): Extract<Move, { do: 'see' }> {
  return { do: 'see', agent, witness: 'hook', doing, progress: true, alive: true, busy: true, stale: false }
}

const done: Extract<Move, { do: 'answer' }> = { do: 'answer', which: 0, result: 'done', survives: false }

/** It comes to rest, saves, is ended, and its successor begins. */
const HANDED_OVER: readonly Move[] = [
  { do: 'command', agent: 1, what: 'handoff' },
  done,
  seen(1, { kind: 'idle' }),
  ...[done, done, { ...seen(1, { kind: 'thinking' }), calls: 3 }, seen(1, { kind: 'idle' })],
  ...[done, done, done, done, done],
  { ...seen(1, { kind: 'thinking' }), echo: true, calls: 3 },
]

/** It comes to rest, writes its document, is cleared, and goes on from it in a new session. */
const CYCLED: readonly Move[] = [
  { do: 'command', agent: 1, what: 'cycle' },
  done,
  seen(1, { kind: 'idle' }),
  ...[done, done, { ...seen(1, { kind: 'thinking' }), calls: 3 }, seen(1, { kind: 'idle' })],
  ...[done, { do: 'wait' as const, minutes: 1, looking: true }, done, done, done],
  ...[{ ...seen(1, { kind: 'idle' }), session: 21 }, done, done],
  { ...seen(1, { kind: 'thinking' }), session: 21, echo: true, calls: 3 },
]

/** A text that was typed, and nobody waits for more. */
const told: Move = { ...done, which: 1 }

/** It rests and saves, a specialist is started, does its part and rests; the agent has its work again and goes on. */
const LENT: readonly Move[] = [
  seen(1, { kind: 'idle' }),
  { do: 'wait', minutes: 1, looking: true },
  { do: 'command', agent: 1, what: 'lend' },
  ...[told, { ...seen(1, { kind: 'thinking' }), calls: 3 }, seen(1, { kind: 'idle' })],
  ...[done, done, { do: 'wait' as const, minutes: 1, looking: true }],
  ...[done, { ...seen(SPECIALIST, { kind: 'thinking' }), echo: true, calls: 3 }],
  ...[seen(SPECIALIST, { kind: 'idle' }), { do: 'wait' as const, minutes: 1, looking: true }],
  ...[done, told, { ...seen(1, { kind: 'thinking' }), echo: true, calls: 3 }],
]

/** What the first agent went through before: nothing, sleep, a lost session, or a message that got lost. */
const PASTS: readonly (readonly Move[])[] = [
  [],
  [],
  [],
  [seen(1, { kind: 'idle' }), { do: 'command', agent: 1, what: 'suspend' }, done, done, done],
  [
    seen(1, { kind: 'idle' }),
    ...[{ do: 'command' as const, agent: 1, what: 'suspend' as const }, done, done, done],
    ...[
      { do: 'command' as const, agent: 1, what: 'wake' as const },
      { ...done, survives: true },
    ],
  ],
  [
    { do: 'command', agent: 1, what: 'message' },
    ...[done, { do: 'wait' as const, minutes: 2, looking: true }],
    { do: 'command', agent: 1, what: 'retry' },
  ],
  [
    { do: 'command', agent: 1, what: 'message' },
    { do: 'command', agent: 1, what: 'message' },
    { do: 'command', agent: 1, what: 'recall' },
  ],
  // It is ended, and forgotten.
  [
    ...[{ do: 'command' as const, agent: 1, what: 'kill' as const }, done, done, done],
    { do: 'command', agent: 1, what: 'forget' },
  ],
  // It fails, and fails again, until nobody starts it any more.
  Array.from({ length: 6 }, () => [
    { do: 'crash' as const, agent: 1, code: 1 },
    ...[{ do: 'wait' as const, minutes: 1, looking: true }, done, done, done],
    ...[{ do: 'wait' as const, minutes: 1, looking: true }, done],
  ]).flat(),
  [{ do: 'crash', agent: 1, code: 137 }],
  // It hangs, and nothing helps.
  [
    { do: 'settings', bold: true },
    { ...seen(1, { kind: 'thinking' }), witness: 'process', busy: false, progress: false },
    { do: 'wait', minutes: 110, looking: true },
  ],
  // A usage limit.
  [seen(1, { kind: 'limited' }), { do: 'wait', minutes: 20, looking: true }, done],
  // An outage of the model's service.
  [
    seen(1, { kind: 'api_error', what: '529', ended: true }),
    { do: 'wait', minutes: 6, looking: true },
    done,
    seen(1, { kind: 'thinking' }),
    seen(1, { kind: 'api_error', what: '529', ended: true }),
  ],
  // An emergency stop, and a resume that fails.
  [
    ...[{ do: 'command' as const, agent: 1, what: 'emergency' as const }, done, done],
    { do: 'command', agent: 1, what: 'resume' },
    { ...done, result: 'not_done' },
  ],
  // Work waits while it rests.
  [seen(1, { kind: 'idle' }), { do: 'command', agent: 1, what: 'assign' }, { do: 'wait', minutes: 60, looking: true }],
  // A stop by the separate program is seen first; then somebody says who it was.
  [{ do: 'sentinel' }, { do: 'command', agent: 1, what: 'emergency' }, done],
  // It finishes, and somebody looks.
  [
    ...[seen(1, { kind: 'thinking' }), seen(1, { kind: 'idle' })],
    ...[
      { do: 'wait' as const, minutes: 5, looking: true },
      { do: 'command' as const, agent: 1, what: 'seen' as const },
    ],
  ],
  // Everything was stopped, and a person resumes.
  [{ do: 'command', agent: 1, what: 'emergency' }, done, { do: 'command', agent: 1, what: 'resume' }],
  // Its work is handed over, as far as that comes; and as far as it should.
  [
    { do: 'command', agent: 1, what: 'propose' },
    { do: 'command', agent: 1, what: 'approve' },
    ...HANDED_OVER.slice(1, 9),
  ],
  HANDED_OVER,
  // Its context is cleared, as far as that comes; and as far as it should.
  CYCLED.slice(0, 10),
  CYCLED,
  // So it is, and what it saved is reckoned; then somebody reports on it.
  [...HANDED_OVER, { do: 'command', agent: 1, what: 'judge' }, done, { do: 'command', agent: 1, what: 'report' }],
  [{ do: 'command', agent: 1, what: 'report' }],
  LENT,
  LENT.slice(0, 11),
  // It rests, verifiably.
  [
    seen(1, { kind: 'idle' }),
    { ...seen(1, { kind: 'thinking' }), witness: 'process', busy: false, progress: false },
    { do: 'wait', minutes: 12, looking: true },
  ],
]

export const night = fc
  .tuple(
    fc.constantFrom([1], [1, 2], [1, 2, 3]),
    fc.constantFrom(...PASTS),
    fc.array(move, { minLength: 1, maxLength: 40 }),
  )
  .map(([agents, past, moves]) => [...living(1), ...past, ...agents.slice(1).flatMap(living), ...moves])
