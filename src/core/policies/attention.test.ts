import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Episode } from '../../contract/acts.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Cause, Health } from '../../contract/verdict.ts'
import { MINUTE } from '../durations.ts'
import { afterwards, attention, COOLDOWN_MS, MAX_POKES, SETTLE_MS } from './attention.ts'

interface Given {
  health: Health
  cause?: Cause
  episode?: Partial<Episode>
  sinceMin?: number
  looksSince?: number
  pokeOnWarning?: boolean
  settings?: Partial<Settings>
  canInterrupt?: boolean
  agent?: Partial<AgentRecord>
}

const NOW = 100 * MINUTE

interface Advised {
  drafts: string[]
  poke: number | undefined
  wake: number | undefined
  act?: string
}

function advised(given: Given): Advised {
  const { health, cause = { kind: 'thinking' }, episode, sinceMin = 5, looksSince = 3, pokeOnWarning = true } = given
  const verdict = { health, cause, reason: 'x', citations: [], sinceLook: 0, judgedAt: NOW }
  const agent = agentRecord({
    verdict: { ...verdict, sinceAt: NOW - sinceMin * MINUTE },
    ...(episode === undefined ? {} : { episode: { openedAt: 50 * MINUTE, pokes: 0, exhausted: false, ...episode } }),
    ...given.agent,
  })
  const judgement = { health, cause, silentMs: 20 * MINUTE, unprogressedMs: 20 * MINUTE, nextAt: undefined }
  const { drafts, proposal, wakeAt } = attention({
    agent,
    judgement,
    now: NOW,
    looksSince,
    settings: { ...SETTINGS, pokeOnWarning, ...given.settings },
    canInterrupt: given.canInterrupt ?? false,
  })
  return {
    drafts: drafts.map(({ type }) => type),
    poke: proposal?.experiment?.n,
    ...(proposal === undefined || proposal.kind === 'poke' ? {} : { act: proposal.kind }),
    wake: wakeAt === undefined ? undefined : (wakeAt - NOW) / 1000,
  }
}

const quiet = { drafts: [], poke: undefined, wake: undefined }
const poked = (pokes: number, minutesAgo: number) => ({ pokes, lastPokeAt: NOW - minutesAgo * MINUTE })

const HUNG: Cause = { kind: 'hung', what: 'nothing moves' }
const OVER = { ...poked(3, 60), interruptedAt: NOW - 45 * MINUTE, escalatedAt: NOW - 20 * MINUTE, exhausted: true }
const still = (at: number) => ({ seenAt: at, changedAt: at })
const rests = { ...still(0), alive: true, busy: false, busyAt: 0 }
const DEAF: Partial<AgentRecord> = { evidence: { process: rests, terminal: still(0), transcript: still(0) } }

test.each<[string, Given, Advised]>([
  ['active', { health: 'active' }, quiet],
  ['stale', { health: 'stale' }, quiet],
  [
    'warning opens an episode and waits',
    { health: 'warning' },
    { ...quiet, drafts: ['episode.opened'], wake: SETTLE_MS / 1000 },
  ],
  ['warning pokes when settled', { health: 'warning', episode: {} }, { ...quiet, poke: 1, wake: 30 }],
  ['not before the verdict has settled', { health: 'warning', episode: {}, sinceMin: 0.25 }, { ...quiet, wake: 15 }],
  ['not on the word of one look', { health: 'warning', episode: {}, looksSince: 0 }, { ...quiet, wake: 1 }],
  ['waiting for a person is no episode', { health: 'warning', cause: { kind: 'waiting_user', what: '?' } }, quiet],
  [
    'an open tool is never poked',
    { health: 'stale', cause: { kind: 'working_tool', name: 'Bash', ageMs: 1, boundMs: 1 }, episode: {} },
    quiet,
  ],
  [
    'a failing service is not poked',
    { health: 'warning', cause: { kind: 'api_error', what: '529' }, episode: {} },
    quiet,
  ],
  ['the dead are not poked', { health: 'stuck', cause: { kind: 'dead' }, episode: {} }, quiet],
  [
    'a loop is poked',
    { health: 'warning', cause: { kind: 'looping', what: 'x', times: 8 }, episode: {} },
    { ...quiet, poke: 1, wake: 30 },
  ],
  ['not before the cooldown is over', { health: 'stuck', episode: poked(1, 10) }, { ...quiet, wake: 300 }],
  ['the second poke', { health: 'stuck', episode: poked(1, 15) }, { ...quiet, poke: 2, wake: 30 }],
  ['the third poke', { health: 'stuck', episode: poked(2, 15) }, { ...quiet, poke: 3, wake: 30 }],
  ['then a person', { health: 'stuck', episode: poked(3, 15) }, { ...quiet, drafts: ['episode.exhausted'], wake: 900 }],
  ['and no more', { health: 'stuck', episode: { ...poked(3, 90), exhausted: true } }, quiet],
  [
    'one that positively hangs is interrupted first',
    { health: 'stuck', cause: HUNG, episode: poked(3, 15), canInterrupt: true },
    { ...quiet, act: 'interrupt', wake: 30 },
  ],
  [
    'silence alone is never interrupted',
    { health: 'stuck', episode: poked(3, 15), canInterrupt: true },
    { ...quiet, drafts: ['episode.exhausted'], wake: 900 },
  ],
  [
    'nor is what hangs where that is not wanted',
    {
      health: 'stuck',
      cause: HUNG,
      episode: poked(3, 15),
      canInterrupt: true,
      settings: { interruptOnStuck: false },
    },
    { ...quiet, drafts: ['episode.escalated', 'episode.exhausted'], wake: 900 },
  ],
  [
    'an interrupt has its time, too',
    {
      health: 'stuck',
      cause: HUNG,
      episode: { ...poked(3, 30), interruptedAt: NOW - 10 * MINUTE },
      canInterrupt: true,
    },
    { ...quiet, wake: 300 },
  ],
  [
    'then it is escalated',
    {
      health: 'stuck',
      cause: HUNG,
      episode: { ...poked(3, 30), interruptedAt: NOW - 15 * MINUTE },
      canInterrupt: true,
    },
    { ...quiet, drafts: ['episode.escalated', 'episode.exhausted'], wake: 900 },
  ],
  [
    'one that was only silent at first is escalated when it hangs',
    { health: 'stuck', cause: HUNG, episode: { ...poked(3, 30), exhausted: true } },
    { ...quiet, drafts: ['episode.escalated'], wake: 900 },
  ],
  ['and never killed by default', { health: 'stuck', cause: HUNG, episode: OVER, agent: DEAF }, quiet],
  [
    'killed where that is wanted, on the word of two witnesses',
    { health: 'stuck', cause: HUNG, episode: OVER, agent: DEAF, settings: { killOnStuck: true } },
    { ...quiet, act: 'kill', wake: 60 },
  ],
  [
    'one witness is not enough',
    {
      health: 'stuck',
      cause: HUNG,
      episode: OVER,
      agent: { evidence: { process: rests } },
      settings: { killOnStuck: true },
    },
    { ...quiet, wake: 60 },
  ],
  [
    'nor is one look',
    { health: 'stuck', cause: HUNG, episode: OVER, agent: DEAF, settings: { killOnStuck: true }, looksSince: 1 },
    { ...quiet, wake: 60 },
  ],
  [
    'nor silence, however long',
    { health: 'stuck', episode: OVER, agent: DEAF, settings: { killOnStuck: true } },
    quiet,
  ],
  [
    'a kill is tried once',
    {
      health: 'stuck',
      cause: HUNG,
      episode: { ...OVER, killedAt: NOW - MINUTE },
      agent: DEAF,
      settings: { killOnStuck: true },
    },
    quiet,
  ],
  [
    'a loop is killed when its work tree stands still as well',
    {
      health: 'stuck',
      cause: { kind: 'looping', what: 'x', times: 20 },
      episode: OVER,
      agent: { evidence: { hook: still(NOW), git: still(0) } },
      settings: { killOnStuck: true },
    },
    { ...quiet, act: 'kill', wake: 60 },
  ],
  ['output alone ends nothing', { health: 'active', episode: poked(1, 5), agent: { producedAt: NOW } }, quiet],
  [
    'progress ends it',
    { health: 'active', episode: poked(1, 5), agent: { progressedAt: NOW } },
    { ...quiet, drafts: ['episode.closed'] },
  ],
  ['pokes off: nothing at warning', { health: 'warning', episode: {}, pokeOnWarning: false }, quiet],
  [
    'pokes off: a person at stuck',
    { health: 'stuck', episode: {}, pokeOnWarning: false },
    { ...quiet, drafts: ['episode.exhausted'], wake: 900 },
  ],
])('%s', (_, given, expected) => {
  expect(advised(given)).toEqual(expected)
})

test('the limits are the promised ones', () => {
  expect({ MAX_POKES, COOLDOWN_MS }).toEqual({ MAX_POKES: 3, COOLDOWN_MS: 15 * MINUTE })
})

const MESSAGE = {
  id: 'm-1',
  by: 'you',
  text: 'x',
  fingerprint: 'x',
  state: 'heard',
  generation: 1,
  attempts: 1,
} as const
const told = (minutesAgo: number) => ({
  messages: [{ ...MESSAGE, queuedAt: NOW - minutesAgo * MINUTE, queuedWallAt: 0, notBeforeAt: 0 }],
})

/** It was in trouble and rests: said is what comes, and in how many minutes it is asked again. */
test.each<[string, Partial<Episode> | undefined, Partial<AgentRecord> & { off?: true }, string]>([
  ['it was never in trouble', undefined, {}, ''],
  ['it came to rest before anybody said a word', {}, {}, ''],
  ['it answered in words', poked(1, 5), {}, 'in 10'],
  ['and did nothing', poked(1, 15), {}, 'poke 2'],
  ['twice', poked(2, 15), {}, 'poke 3'],
  ['as often as it was asked', poked(3, 15), {}, 'episode.exhausted'],
  ['a person was asked', { ...poked(3, 30), exhausted: true }, {}, ''],
  ['it did something after all', poked(1, 15), { progressedAt: NOW - MINUTE }, 'episode.closed'],
  ['its answer is just over', poked(1, 60), { lifecycleAt: NOW }, 'in 0.5'],
  ['a person talks to it', poked(1, 15), told(5), ''],
  ['a person talked to it before', poked(1, 15), told(20), 'poke 2'],
  ['a person typed in its terminal', poked(1, 15), { trail: { steps: [], turnAt: NOW - MINUTE } }, ''],
  ['pokes were switched off meanwhile', poked(1, 15), { off: true }, 'episode.exhausted'],
  ['its turn was cut short', { ...poked(3, 15), interruptedAt: NOW - MINUTE }, {}, 'nudge'],
])('at rest: %s', (_, episode, { off, ...given }, expected) => {
  const open = { openedAt: 50 * MINUTE, pokes: 0, exhausted: false, ...episode }
  const agent = agentRecord({ lifecycle: 'idle', ...(episode === undefined ? {} : { episode: open }), ...given })
  const settings = { ...SETTINGS, pokeOnWarning: off !== true }
  const { drafts, proposal, wakeAt } = afterwards({ agent, now: NOW, settings })
  const act = proposal && [proposal.kind, ...(proposal.experiment?.n === undefined ? [] : [proposal.experiment.n])]
  const wake = wakeAt === undefined ? '' : `in ${(wakeAt - NOW) / MINUTE}`
  expect(drafts[0]?.type ?? act?.join(' ') ?? wake).toBe(expected)
})
