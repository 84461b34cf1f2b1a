import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Cause } from '../../contract/verdict.ts'
import { MINUTE } from '../durations.ts'
import { escalation, type StuckCase } from './escalation.ts'

const NOW = 100 * MINUTE
const HUNG: Cause = { kind: 'hung', what: 'nothing moves' }
const RESTS = { process: { seenAt: NOW, changedAt: 0, alive: true, busy: false } }
const BUSY = { process: { seenAt: NOW, changedAt: 0, alive: true, busy: true } }

const VERDICT: AgentRecord['verdict'] = {
  health: 'stuck',
  cause: HUNG,
  reason: 'hung',
  citations: [],
  sinceAt: 0,
  sinceLook: 0,
  judgedAt: 0,
}

interface Given {
  agent?: Partial<AgentRecord>
  cause?: Cause
  minutes?: number
  enabled?: boolean
  looks?: number
}

function given({ agent = {}, cause = HUNG, minutes = 60, enabled = true, looks = 2 }: Given): StuckCase {
  const { handoffs } = SETTINGS
  const silence = { silentMs: minutes * MINUTE, unprogressedMs: minutes * MINUTE, nextAt: undefined }
  return {
    agent: agentRecord({ generation: 3, evidence: RESTS, verdict: VERDICT, ...agent }),
    judgement: { health: 'stuck', cause, ...silence },
    now: NOW,
    looksSince: looks,
    settings: { routing: SETTINGS.routing, handoffs: { ...handoffs, stuck: { ...handoffs.stuck, enabled } } },
  }
}

const past = handoffRecord({ trigger: 'stuck_escalation', from: { model: 'haiku', runtime: 'virtual', generation: 3 } })

test.each<[string, Given, string]>([
  ['haiku, just in time', { agent: { model: 'haiku' }, minutes: 10 }, 'hand_off sonnet'],
  ['haiku, a minute early', { agent: { model: 'haiku' }, minutes: 9 }, 'nothing in 1 min'],
  ['sonnet', { minutes: 20 }, 'hand_off opus'],
  ['sonnet, too early', { minutes: 10 }, 'nothing in 10 min'],
  ['a full id', { agent: { model: 'claude-sonnet-5' } }, 'hand_off opus'],
  ['opus', { agent: { model: 'opus' }, minutes: 30 }, 'person'],
  ['a model of no tier', { agent: { model: 'gpt-6' } }, 'nothing'],
  ['switched off', { enabled: false }, 'nothing'],
  ['seen once only', { looks: 0 }, 'nothing in 0 min'],
  ['looping', { cause: { kind: 'looping', what: 'npm test', times: 8 } }, 'hand_off opus'],
  ['silent, and its processes rest', { cause: { kind: 'thinking' } }, 'hand_off opus'],
  ['silent, and its processes work', { cause: { kind: 'thinking' }, agent: { evidence: BUSY } }, 'nothing'],
  ['silent, and nobody can tell', { cause: { kind: 'thinking' }, agent: { evidence: {} } }, 'nothing'],
  ['waiting for a person', { cause: { kind: 'waiting_user', what: 'Which?' } }, 'nothing'],
  ['an open tool', { cause: { kind: 'working_tool', name: 'Bash', ageMs: 1, boundMs: 2 } }, 'nothing'],
  ['proposed before', { agent: { handoffs: [past] } }, 'nothing'],
  ['proposed before its last progress', { agent: { handoffs: [past], progressedAt: 1 } }, 'hand_off opus'],
  ['proposed for an earlier generation', { agent: { handoffs: [past], generation: 4 } }, 'hand_off opus'],
])('%s', (_, stuck, expected) => {
  const said = escalation(given(stuck))
  const wakeAt =
    said.want === 'nothing' && said.wakeAt !== undefined ? ` in ${Math.floor((said.wakeAt - NOW) / MINUTE)} min` : ''
  expect(`${said.want}${said.want === 'hand_off' ? ` ${said.to}` : ''}${wakeAt}`).toBe(expected)
})
