/** The newest sign of life of an agent: active where its own reports come, passive where it is only seen from outside. */
import { WITNESSES, type Witness } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { ContextView, DoingView, HeartbeatView } from '../contract/views.ts'
import { currentDoing } from './health/judge.ts'

/** The agent's program speaks for itself; all others watch it. */
const ACTIVE: readonly Witness[] = ['hook']
/** That it lives, or what its terminal server says, is no sign of work. */
const SILENT: readonly Witness[] = ['process', 'registry']

/** A report counts before all else, and fully, while it is not older than this. */
export function heartbeatView(agent: AgentRecord, now: number, freshMs: number): HeartbeatView | undefined {
  const sources = WITNESSES.filter((witness) => !SILENT.includes(witness))
    .flatMap((witness) => {
      const evidence = agent.evidence[witness]
      return evidence === undefined ? [] : [{ witness, source: sourceOf(witness), ageMs: now - evidence.changedAt }]
    })
    .toSorted((a, b) => a.ageMs - b.ageMs)
  const fresh = sources.find(({ source, ageMs }) => source === 'active' && ageMs <= freshMs)
  const beat = fresh ?? sources[0]
  if (beat === undefined) return undefined
  const { source, witness, ageMs } = beat
  const last = source === 'active' ? agent.activities.at(-1) : undefined
  return {
    source,
    confidence: fresh === undefined ? 'medium' : 'high',
    witness,
    ageMs,
    tool: last?.tool ?? null,
    action: last?.action ?? null,
    sources,
  }
}

function sourceOf(witness: Witness): 'active' | 'passive' {
  return ACTIVE.includes(witness) ? 'active' : 'passive'
}

export function doingView(agent: AgentRecord, now: number): DoingView | undefined {
  const current = currentDoing(agent)
  if (current === undefined) return undefined
  const { doing, at, witness } = current
  const what = 'what' in doing ? doing.what : 'name' in doing ? doing.name : undefined
  return { kind: doing.kind, ...(what === undefined ? {} : { what }), witness, ageMs: Math.max(0, now - at) }
}

export function contextView({ gauges }: AgentRecord, now: number): ContextView | undefined {
  if (gauges?.context === undefined) return undefined
  const { tokens, window } = gauges.context
  const share = window === undefined ? {} : { share: tokens / window }
  return { ...gauges.context, ...share, ageMs: Math.max(0, now - (gauges.contextAt ?? now)) }
}
