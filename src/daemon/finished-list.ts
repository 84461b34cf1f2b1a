/**
 * Who finished, with what there is to see of each: how much was changed, the last tests, what it cost. Git is asked when
 * somebody wants to see it, for a few at once, and again only when something changed in the workspace.
 */
import type { CostView } from '../contract/cost-views.ts'
import type { AgentFinishedView, DiffStat, FinishedBrief, FinishedView } from '../contract/finished.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { SECOND } from '../core/durations.ts'
import { finishedBrief } from '../core/finished.ts'
import type { Git } from '../core/git-port.ts'
import type { Clock } from '../core/ports.ts'
import { atMost } from './at-most.ts'

/** More of them are listed without what would have to be looked up. */
const MOST_LOOKED_UP = 100
const AT_ONCE = 4
/** An edit that nobody staged leaves no trace that is cheap to see. */
const FRESH_MS = 30 * SECOND

export interface FinishedSources {
  git: Pick<Git, 'lookIn' | 'diffStat'>
  clock: Clock
  costOf: (agent: AgentRecord) => Promise<CostView>
}

interface Kept {
  stamp: string
  at: number
  diff: DiffStat | undefined
}

export class FinishedList {
  readonly #sources: FinishedSources
  readonly #kept = new Map<AgentId, Kept>()
  readonly #paced = atMost(AT_ONCE)

  constructor(sources: FinishedSources) {
    this.#sources = sources
  }

  async views(
    briefs: readonly FinishedBrief[],
    agentOf: (id: AgentId) => AgentRecord | undefined,
  ): Promise<FinishedView[]> {
    const listed = new Set(briefs.map(({ agent }) => agent))
    for (const id of this.#kept.keys()) if (!listed.has(id)) this.#kept.delete(id)
    const rest = briefs.slice(MOST_LOOKED_UP)
    const looked = briefs.slice(0, MOST_LOOKED_UP).map((brief) => this.#paced(() => this.#view(brief, agentOf)))
    return [...(await Promise.all(looked)), ...rest]
  }

  /** Of one agent, listed or not. */
  async of(agent: AgentRecord): Promise<AgentFinishedView> {
    const brief = finishedBrief(agent)
    if (brief === undefined) return { agent: agent.id }
    return { agent: agent.id, finished: await this.#paced(() => this.#view(brief, () => agent)) }
  }

  async #view(brief: FinishedBrief, agentOf: (id: AgentId) => AgentRecord | undefined): Promise<FinishedView> {
    const agent = agentOf(brief.agent)
    if (agent === undefined) return brief
    const [diff, costUsd] = await Promise.all([this.#diffOf(agent), this.#costOf(agent)])
    return { ...brief, ...(diff === undefined ? {} : { diff }), ...(costUsd === undefined ? {} : { costUsd }) }
  }

  /** What cannot be found out is left out: that somebody finished is worth knowing all the same. */
  async #diffOf({ id, workspace }: AgentRecord): Promise<DiffStat | undefined> {
    const { git, clock } = this.#sources
    try {
      const stamp = (await git.lookIn(workspace))?.stamp
      if (stamp === undefined) return undefined
      const kept = this.#kept.get(id)
      const at = clock.now().monoAt
      if (kept?.stamp === stamp && at < kept.at + FRESH_MS) return kept.diff
      const diff = await git.diffStat(workspace)
      this.#kept.set(id, { stamp, at, diff })
      return diff
    } catch {
      return undefined
    }
  }

  /** Null when nothing of what was used has a price; undefined when nothing is known. */
  async #costOf(agent: AgentRecord): Promise<number | null | undefined> {
    try {
      const { models, total } = await this.#sources.costOf(agent)
      return models.length === 0 ? undefined : total.usd
    } catch {
      return undefined
    }
  }
}
