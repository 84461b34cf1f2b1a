import { expect, test } from 'vitest'
import type { DrillReport } from '../../contract/drill.ts'
import { FAULTS, type Fault } from '../../contract/faults.ts'
import type { Event } from '../../contract/events.ts'
import type { Draft } from '../turn.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { beginDrill, deedDone, follow, isOver, nextDeed, reportOf, type Drill } from './follow.ts'
import { isDeed, type DrillSettings } from './plan.ts'
import { agentsFor, planFor } from './plans.ts'

const SETTINGS: DrillSettings = {
  warningMs: 6 * SECOND,
  lookEveryMs: SECOND,
  pokeOnWarning: true,
  restartOnCrash: true,
}
const AGENT = 'agent-drill-1'
const EVENT = { agent: AGENT, generation: 1 } as const
const ACT = {
  effect: 'e1',
  step: 'doing',
  generation: 1,
  reason: 'why',
  attempts: 1,
  decidedAt: 0,
  deadlineAt: 0,
} as const

type Told = readonly [afterMs: number, draft: Draft]

/** Plays what the daemon tells, each at its time after the fault; deeds are done as soon as it is their turn. */
function play(fault: Fault, told: readonly Told[], settings: Partial<DrillSettings> = {}): DrillReport {
  const agents = Array.from({ length: agentsFor(fault) }, (_, n) => `agent-drill-${n + 1}`)
  const plan = planFor(fault, { agents, settings: { ...SETTINGS, ...settings }, isTemporary: true })
  let drill: Drill = beginDrill(plan)
  const doDeeds = (at: number) => {
    for (let deed = nextDeed(drill); deed !== undefined; deed = nextDeed(drill)) drill = deedDone(drill, deed, { at })
  }
  doDeeds(0)
  for (const [at, draft] of [[0, TYPED] as Told, ...told]) {
    if (isOver(drill)) break
    drill = follow(drill, { seq: 1, at, observedAt: at, ...draft } as Event, at)
    doDeeds(at)
  }
  return reportOf(drill, 'temporary')
}

const TYPED: Draft = { ...EVENT, type: 'message.typed', message: 'm1', attempts: 1 }
const HUNG = health('stuck', { kind: 'hung', what: 'nothing moves' })
const DEAD = health('stuck', { kind: 'dead', exitCode: 3 })
const POKE = decided('poke', 'stuck')
const POKED = ended('poke')
const PROGRESS: Draft = { ...EVENT, type: 'episode.closed', pokes: 1, why: 'progress' }
const PLANNED: Draft = { ...EVENT, type: 'restart.planned', dueAt: 30_000, why: 'it died', inARow: 1 }
const STARTED: Draft = { ...EVENT, type: 'agent.started', generation: 2, confirmed: true }
const LIMIT = { sinceAt: 0, sinceWallAt: 0, untilAt: 65_000, untilWallAt: 65_000, isRead: true, round: 1, tries: 0 }
const LIMITED: Draft = { ...EVENT, type: 'limit.began', limit: LIMIT }
const CONTINUE = decided('continue', 'stuck')

function health(to: 'stuck' | 'stale', cause: Extract<Draft, { type: 'agent.health-changed' }>['cause']): Draft {
  return {
    ...EVENT,
    type: 'agent.health-changed',
    from: 'active',
    to,
    cause,
    reason: 'silence',
    citations: [],
    look: 3,
  }
}

function decided(kind: 'poke' | 'kill' | 'continue' | 'resume', precedence: 'stuck' | 'crash' | 'human'): Draft {
  return { ...EVENT, type: 'act.decided', act: { ...ACT, kind, precedence, by: 'a rule' }, citations: [] }
}

function ended(act: 'poke' | 'continue'): Draft {
  return { ...EVENT, type: 'act.ended', act, effect: 'e1', result: 'done' }
}

function jumped(hours: number): Draft {
  return { type: 'house.clock-jumped', wallMs: hours * 60 * MINUTE + 500, monoMs: 500 }
}

const PASSES: [string, Fault, Told[], Partial<DrillSettings>][] = [
  [
    'a hang that a poke ends',
    'hang',
    [
      [6_000, HUNG],
      [37_000, POKE],
      [37_500, POKED],
      [39_000, PROGRESS],
    ],
    {},
  ],
  ['a hang where pokes are off', 'hang', [[6_000, HUNG]], { pokeOnWarning: false }],
  [
    'a crash',
    'crash',
    [
      [200, DEAD],
      [300, PLANNED],
      [30_000, decided('kill', 'crash')],
      [32_000, STARTED],
    ],
    {},
  ],
  [
    'sights in another order',
    'crash',
    [
      [200, PLANNED],
      [300, DEAD],
      [32_000, STARTED],
    ],
    {},
  ],
  [
    'a limit',
    'rate-limit',
    [
      [100, LIMITED],
      [65_000, CONTINUE],
      [65_300, ended('continue')],
    ],
    {},
  ],
  [
    'a clock that jumps and comes back',
    'clock-jump',
    [
      [900, jumped(8)],
      [5_000, jumped(-8)],
    ],
    {},
  ],
  [
    'what a person does is no act of a rule',
    'hang',
    [
      [100, decided('kill', 'human')],
      [6_000, HUNG],
    ],
    { pokeOnWarning: false },
  ],
]

test.each(PASSES)('passes: %s', (_, fault, told, settings) => {
  expect(play(fault, told, settings)).toMatchObject({ fault, passed: true, detectedMs: expect.any(Number) as number })
})

const FAILS: [string, Fault, Told[], string][] = [
  ['nothing is noticed', 'hang', [], 'not noticed in time: the verdict hung was not seen'],
  ['another verdict is no detection', 'hang', [[6_000, DEAD]], 'not noticed in time: the verdict hung was not seen'],
  [
    'noticed too late',
    'hang',
    [
      [60_000, HUNG],
      [91_000, POKE],
      [92_000, POKED],
      [93_000, PROGRESS],
    ],
    'noticed too late: after 60.0 s, and the bound is 18.0 s',
  ],
  ['no poke', 'hang', [[6_000, HUNG]], 'not seen in time: a poke'],
  [
    'a poke that does not help',
    'hang',
    [
      [6_000, HUNG],
      [37_000, POKE],
      [37_500, POKED],
    ],
    'not seen in time: progress after the poke',
  ],
  [
    'a kill instead of a poke',
    'hang',
    [
      [6_000, HUNG],
      [37_000, decided('kill', 'stuck')],
    ],
    'agent-drill-1 got a kill by a rule, which is wrong here: why',
  ],
  [
    'not started again',
    'crash',
    [
      [200, DEAD],
      [300, PLANNED],
    ],
    'not seen in time: the new start of agent-drill-1',
  ],
  [
    'a start that nobody could confirm',
    'crash',
    [
      [200, DEAD],
      [300, PLANNED],
      [30_000, { ...STARTED, confirmed: false } as Draft],
    ],
    'not seen in time: the new start of agent-drill-1',
  ],
  [
    'a limited one is poked',
    'rate-limit',
    [
      [100, LIMITED],
      [37_000, POKE],
    ],
    'agent-drill-1 got a poke by a rule, which is wrong here: why',
  ],
  [
    'told to go on twice',
    'rate-limit',
    [
      [100, LIMITED],
      [65_000, CONTINUE],
      [65_200, CONTINUE],
    ],
    'it was told to go on twice',
  ],
  [
    'a limit whose end is a guess',
    'rate-limit',
    [[100, { ...LIMITED, limit: { ...LIMIT, isRead: false } } as Draft]],
    'not noticed in time: a limit whose end was read was not seen',
  ],
  [
    'accused after a jump',
    'clock-jump',
    [
      [900, jumped(8)],
      [1_000, health('stale', { kind: 'thinking' })],
    ],
    'agent-drill-1 was called stale: silence',
  ],
  ['a jump of another size', 'clock-jump', [[900, jumped(1)]], 'not noticed in time: a jump ahead was not seen'],
  [
    'an act while acts are held',
    'mass-death',
    [
      [300, { type: 'mass.began', agents: [AGENT, 'agent-drill-2'], watched: 4 }],
      [20_000, decided('resume', 'crash')],
    ],
    'agent-drill-1 got a resume by a rule, which is wrong here: why',
  ],
  [
    'the healthy one is touched',
    'mass-death',
    [[300, { ...decided('poke', 'stuck'), agent: 'agent-drill-4' } as Draft]],
    'agent-drill-4 got a poke by a rule, which is wrong here: why',
  ],
]

test.each(FAILS)('fails: %s', (_, fault, told, outcome) => {
  expect(play(fault, told)).toMatchObject({ passed: false, outcome })
})

test('without the order nothing was injected, whatever is seen', () => {
  const plan = planFor('hang', { agents: [AGENT], settings: SETTINGS, isTemporary: false })
  const drill = follow(beginDrill(plan), { seq: 1, at: 0, observedAt: 0, ...HUNG } as Event, 0)
  const outcome = 'the fault could not be injected: the order never reached the understudy'
  expect(reportOf(drill, 'live')).toMatchObject({ passed: false, outcome })
})

test('a whole report', () => {
  expect(
    play('hang', [
      [6_000, HUNG],
      [37_000, POKE],
      [37_500, POKED],
      [39_000, PROGRESS],
    ]),
  ).toEqual({
    fault: 'hang',
    home: 'temporary',
    agents: [AGENT],
    seenAs: 'hung',
    detectedMs: 6_000,
    boundMs: 18_000,
    done: [{ afterMs: 37_000, what: 'poke', sentence: 'Poke of agent-drill-1 decided by a rule: why.' }],
    passed: true,
    outcome: 'one poke helped: it makes progress again',
  })
})

test.each(Object.keys(FAULTS) as Fault[])(
  '%s: a deed that fails is a drill that fails; every step is its own',
  (fault) => {
    const agents = Array.from({ length: agentsFor(fault) }, (_, n) => `agent-drill-${n + 1}`)
    const plan = planFor(fault, { agents, settings: SETTINGS, isTemporary: true })
    expect(new Set(plan.steps).size).toBe(plan.steps.length)
    for (const deed of plan.steps.filter(isDeed)) {
      const drill = deedDone(beginDrill(plan), deed, { at: 0, failed: 'it could not be done' })
      expect(reportOf(drill, 'temporary')).toMatchObject({ passed: false, outcome: 'it could not be done' })
    }
  },
)
