import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { MessageRecord } from '../../contract/messages.ts'
import type { Settings } from '../../contract/settings.ts'
import type { ResumeView } from '../../contract/standing.ts'
import { MINUTE } from '../durations.ts'
import { idle, whyAwake } from './idle.ts'

const NOW = 100 * MINUTE

interface Given {
  restsMin?: number
  agent?: Partial<AgentRecord>
  lifecycle?: Partial<Settings['lifecycle']>
  resume?: ResumeView
  graceMin?: number
}

const said = (doing: 'idle' | 'thinking', doingAt = 0) =>
  ({ seenAt: 0, changedAt: 0, doing: { kind: doing }, doingAt }) as const
const atRest = { seenAt: 0, changedAt: 0, alive: true, busy: false }

function told({ restsMin = 10, agent = {}, lifecycle = {}, resume, graceMin }: Given) {
  const at = NOW - restsMin * MINUTE
  const record = agentRecord({
    lifecycle: 'idle',
    lifecycleAt: at,
    producedAt: at,
    sessionId: 'session-1',
    evidence: { hook: said('idle'), process: atRest },
    ...agent,
  })
  const settings = { ...SETTINGS, lifecycle: { ...SETTINGS.lifecycle, ...lifecycle } }
  const graceAt = graceMin === undefined ? 0 : NOW - graceMin * MINUTE
  const { proposal, wakeAt } = idle({ agent: record, now: NOW, wallAt: 0, graceAt, settings, chance: () => 0, resume })
  if (proposal !== undefined) return proposal.reason
  return wakeAt === undefined ? 'never' : `in ${(wakeAt - NOW) / MINUTE}`
}

const waiting: MessageRecord = {
  ...{ id: 'm-1', by: 'you', text: 'x', fingerprint: 'x', state: 'queued', generation: 1, attempts: 0 },
  ...{ queuedAt: 0, queuedWallAt: 0, notBeforeAt: 0 },
}
const specialist: Partial<AgentRecord> = { id: 'merge-agent', kind: 'specialist' }
const UNKNOWN = 'what its waking will cost is not known'

test.each<[string, Given, string]>([
  ['a work agent after ten minutes', {}, `it rests for 10 min; ${UNKNOWN}`],
  ['not before', { restsMin: 9 }, 'in 1'],
  ['a specialist after five', { restsMin: 5, agent: specialist }, `it rests for 5 min; ${UNKNOWN}`],
  [
    'with a time of its own',
    { restsMin: 5, agent: specialist, lifecycle: { idleMs: { 'merge-agent': 480_000 } } },
    'in 3',
  ],
  ['other minutes', { restsMin: 2, lifecycle: { workIdleMs: 2 * MINUTE } }, `it rests for 2 min; ${UNKNOWN}`],
  ['a boot or a jump of the clock gives the full time again', { restsMin: 60, graceMin: 4 }, 'in 6'],
  ['its terminal moved since', { agent: { producedAt: NOW - 3 * MINUTE } }, 'in 7'],
  [
    'its processes worked since',
    { agent: { evidence: { hook: said('idle'), process: { ...atRest, busyAt: NOW } } } },
    'in 10',
  ],
  ['its processes work', { agent: { evidence: { hook: said('idle'), process: { ...atRest, busy: true } } } }, 'never'],
  ['nobody saw its processes', { agent: { evidence: { hook: said('idle') } } }, 'never'],
  [
    'its last word is that it thinks',
    { agent: { evidence: { hook: said('thinking', NOW), process: atRest } } },
    'never',
  ],
  [
    'it was interrupted since',
    { agent: { evidence: { hook: said('thinking'), process: atRest } } },
    `it rests for 10 min; ${UNKNOWN}`,
  ],
  [
    'tasks run in the background',
    {
      agent: {
        evidence: {
          hook: { seenAt: 0, changedAt: 0, doing: { kind: 'background', tasks: 1 }, doingAt: 0 },
          process: atRest,
        },
      },
    },
    'never',
  ],
  ['a message waits', { agent: { messages: [waiting] } }, 'never'],
  ['work waits', { agent: { assignment: { what: 'x', by: 'you', at: 0, nudges: 0 } } }, 'never'],
  ['its trouble is not over', { agent: { episode: { openedAt: 0, pokes: 3, exhausted: false } } }, 'never'],
  ['no session is known', { agent: { sessionId: undefined } as unknown as Partial<AgentRecord> }, 'never'],
  ['off', { lifecycle: { autoSuspend: false } }, 'never'],
  ['off for this one', { lifecycle: { keepAwake: ['agent-pan-18'] } }, 'never'],
  [
    'what it costs is told',
    { resume: { tokens: 120_000, usd: 0.75 }, lifecycle: { maxResumeUsd: 1 } },
    'it rests for 10 min; its waking reads 120,000 tokens anew, about 0.75 USD',
  ],
  ['too dear', { resume: { tokens: 120_000, usd: 1.25 }, lifecycle: { maxResumeUsd: 1 } }, 'never'],
  [
    'a model without a price is told so',
    { resume: { tokens: 900 } },
    'it rests for 10 min; its waking reads 900 tokens anew, unpriced',
  ],
  ['of no known price, where one is the limit', { resume: { tokens: 900 }, lifecycle: { maxResumeUsd: 1 } }, 'never'],
])('%s', (_, given, expected) => {
  expect(told(given)).toBe(expected)
})

test('why one stays awake is told', () => {
  const agent = agentRecord({ lifecycle: 'idle', sessionId: 'session-1' })
  const settings = { ...SETTINGS, lifecycle: { ...SETTINGS.lifecycle, maxResumeUsd: 0.5 } }
  expect(whyAwake(agent, settings, { tokens: 200_000, usd: 0.9 })).toBe(
    'its waking would cost 0.90 USD, more than lifecycle.max_resume_usd (0.50)',
  )
  expect(whyAwake(agent, settings, undefined)).toBe(
    'what its waking would cost is not known, and lifecycle.max_resume_usd limits it',
  )
})
