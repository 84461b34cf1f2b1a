/** What an agent has open, over generated nights of its reports, its restarts and what is typed to it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../src/contract/records.ts'
import { currentDoing, judge } from '../../src/core/health/judge.ts'
import { MINUTE } from '../../src/core/durations.ts'
import type { RawReport } from '../../src/core/ports.ts'
import { SETTINGS } from '../samples/agents.ts'
import { Hearing } from '../samples/hearing.ts'
import { PATIENCE, RUNS, SEED } from './always.ts'

const BOUNDS = { shellMs: 10 * MINUTE, shellMostMs: 60 * MINUTE }
const HEALTHS = ['unknown', 'active', 'stale', 'warning', 'stuck']

interface Move {
  kind: string
  body: object
}

const actor = fc.constantFrom({}, {}, { agent_id: 'sub1', agent_type: 'x' })
const call = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  tool: fc.constantFrom('Bash', 'Bash', 'Read', 'Agent', 'mcp__db__query'),
  timeout: fc.constantFrom({}, { timeout: 1000 }, { timeout: 40 * MINUTE }),
  by: actor,
})

const ofCall = call.chain(({ id, tool, timeout, by }) => {
  const about = { tool_name: tool, tool_input: { command: id, ...timeout }, tool_use_id: id, ...by }
  return fc.constantFrom<Move>(
    { kind: 'PreToolUse', body: about },
    { kind: 'PreToolUse', body: about },
    { kind: 'PreToolUse', body: about },
    { kind: 'PostToolUse', body: about },
    { kind: 'PostToolUseFailure', body: about },
    { kind: 'PermissionRequest', body: about },
    { kind: 'PostToolBatch', body: by },
  )
})

const ofTurn = fc.constantFrom<Move>(
  { kind: 'Stop', body: { background_tasks: [], session_crons: [] } },
  { kind: 'Stop', body: { background_tasks: [{}], session_crons: [] } },
  { kind: 'StopFailure', body: { error: 'rate_limit', last_assistant_message: 'limit' } },
  { kind: 'StopFailure', body: { error: 'server_error', last_assistant_message: '529' } },
  { kind: 'Notification', body: { notification_type: 'idle_prompt' } },
  { kind: 'Notification', body: { notification_type: 'permission_prompt', message: 'x' } },
  { kind: 'PreCompact', body: { trigger: 'auto' } },
  { kind: 'PostCompact', body: { trigger: 'auto' } },
  { kind: 'SubagentStop', body: { agent_id: 'sub1', agent_type: 'x' } },
)
/** What the client reports of a text that somebody typed, be it only queued. */
const typed = fc.constantFrom('go on', 'Are you stuck? What is your next step?').map((prompt): Move => ({
  kind: 'UserPromptSubmit',
  body: { prompt },
}))

const night = fc.array(fc.oneof({ weight: 5, arbitrary: ofCall }, ofTurn, typed), { minLength: 1, maxLength: 40 })

let count = 0

function report({ kind, body }: Move): RawReport {
  count += 1
  const id = `home.r1.1.${kind}.${count}-7-8`
  return { id, run: 'r1', generation: 1, kind, body: JSON.stringify(body), wallAt: Date.UTC(2026, 0, 20, 22) }
}

function hearing(moves: readonly Move[]): Hearing {
  const heard = new Hearing({ bounds: BOUNDS })
  for (const move of moves) heard.hear(report(move))
  return heard
}

/** As it is judged some time after, by one who has no doubt of himself. */
function verdicts({ agent }: Hearing): { health: string; kind: string }[] {
  const resting = withRestingProcess(agent)
  return [1, 20, 90].map((minutes) => {
    const moment = { now: minutes * MINUTE, graceAt: -Infinity, thresholds: SETTINGS.thresholds }
    const { health, cause } = judge(resting, moment)
    return { health, kind: cause.kind }
  })
}

function withRestingProcess(agent: AgentRecord): AgentRecord {
  return { ...agent, evidence: { ...agent.evidence, process: { seenAt: 0, changedAt: 0, alive: true, busy: false } } }
}

const callsOf = ({ agent }: Hearing) => (agent.open?.calls ?? []).map(({ id }) => id).toSorted()

describe(`over ${RUNS} generated nights each, seed ${SEED}`, () => {
  const holds = <T>(property: fc.IProperty<T>): void => fc.assert(property, { numRuns: RUNS, seed: SEED })

  test('restarting the daemon at any instant never makes a verdict worse', PATIENCE, () => {
    holds(
      fc.property(night, fc.array(fc.nat({ max: 40 }), { maxLength: 5 }), (moves, restarts) => {
        const straight = hearing(moves)
        const restarted = new Hearing({ bounds: BOUNDS })
        for (const [n, move] of moves.entries()) {
          if (restarts.includes(n)) restarted.restart()
          restarted.hear(report(move))
        }
        restarted.restart()
        expect(currentDoing(restarted.agent)?.doing.kind).toBe(currentDoing(straight.agent)?.doing.kind)
        const severity = (told: Hearing) => verdicts(told).map(({ health }) => HEALTHS.indexOf(health))
        for (const [n, after] of severity(restarted).entries()) {
          expect(after).toBeLessThanOrEqual(severity(straight)[n] ?? 0)
        }
      }),
    )
  })

  test('nothing that is typed ever closes a call', PATIENCE, () => {
    holds(
      fc.property(night, typed, (moves, text) => {
        const told = new Hearing({ bounds: BOUNDS })
        for (const move of moves) {
          told.hear(report(move))
          const before = callsOf(told)
          const doing = currentDoing(told.agent)
          told.hear(report(text))
          expect(callsOf(told)).toEqual(before)
          if (doing?.doing.kind === 'tool') expect(currentDoing(told.agent)?.doing).toEqual(doing.doing)
        }
      }),
    )
  })

  test('the order in which parallel calls end does not matter', PATIENCE, () => {
    const bodies = fc.uniqueArray(call, { selector: ({ id }) => id, minLength: 2, maxLength: 5 })
    const ends = bodies.chain((calls) =>
      fc.tuple(fc.constant(calls), fc.subarray(calls), fc.shuffledSubarray(calls, { minLength: calls.length })),
    )
    holds(
      fc.property(ends, ([calls, ended, order]) => {
        const move =
          (kind: string) =>
          ({ id, tool, timeout, by }: (typeof calls)[number]): Move => ({
            kind,
            body: { tool_name: tool, tool_input: { command: id, ...timeout }, tool_use_id: id, ...by },
          })
        const opened = calls.map(move('PreToolUse'))
        const shuffled = order.filter((each) => ended.includes(each))
        const one = hearing([...opened, ...ended.map(move('PostToolUse'))])
        const other = hearing([...opened, ...shuffled.map(move('PostToolUse'))])
        expect(callsOf(other)).toEqual(callsOf(one))
        expect(currentDoing(other.agent)?.doing).toEqual(currentDoing(one.agent)?.doing)
        expect(verdicts(other)).toEqual(verdicts(one))
      }),
    )
  })
})
