/** How a context cycle ended, for the record and for people. */
import type { Handoff, HandoffResult } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { ended } from '../durations.ts'
import { keep, settle } from '../needs-you.ts'
import { cycleThreshold, percent } from '../policies/context.ts'
import { agentOf, record, type Turn } from '../turn.ts'

const STATUS: Partial<Record<HandoffResult, 'ok' | 'critical'>> = {
  done: 'ok',
  rolled_back: 'critical',
  needs_you: 'critical',
}

/** The health record: what a person did not want, or stopped, has none. */
export function recordCycle(
  turn: Turn,
  { id }: Pick<AgentRecord, 'id'>,
  given: { handoff: Handoff; result: HandoffResult; detail: string },
): void {
  const { handoff, result, detail } = given
  const { cycle, startedAt } = handoff
  const status = STATUS[result]
  if (cycle === undefined || status === undefined) return
  const { generation, needsYou } = agentOf(turn, id)
  const { percent, document } = cycle
  record(turn, {
    ...{ type: 'handoff.recorded', agent: id, generation, handoff: handoff.id, status, document },
    ...(percent === undefined ? {} : { percent }),
    durationMs: turn.now - startedAt,
    detail: detail.slice(0, 400),
  })
  if (status !== 'ok') return
  for (const item of needsYou) if (item.kind === 'handoff') settle(turn, item, 'cloister')
  warn(turn, agentOf(turn, id))
}

/** At the end of each one too many, so that what a person settled is not raised again by itself. */
function warn(turn: Turn, agent: AgentRecord): void {
  const { id } = agent
  const { warning, share } = cycleThreshold(agent, turn.now, turn.world.settings.handoffs.cycle)
  if (warning === undefined) return
  keep(turn, true, {
    kind: 'context',
    agent: id,
    sentence: `${id} fills its context too fast. ${warning} The next cycle begins at ${percent(share)}.`,
    hint: `See what it reads with \`pan agents show ${id}\`; give it smaller tasks, or a model with a larger window.`,
  })
}

export function askAboutCycle(turn: Turn, { id }: AgentRecord, given: { handoff: Handoff; why: string }): void {
  const { handoff, why } = given
  keep(turn, true, {
    kind: 'handoff',
    agent: id,
    handoff: handoff.id,
    sentence: ended(
      handoff.trigger === 'context_limit'
        ? `The context of ${id} is nearly full and could not be cycled: ${why}`
        : `${id} could not be given an empty context: ${why}`,
    ),
    hint:
      `See where it stands with \`pan explain ${id}\`; what it wrote is ${handoff.cycle?.document ?? 'not known'}. ` +
      `Try it again with \`pan handoff start ${id} --cycle\`.`,
  })
}
