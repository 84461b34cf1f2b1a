/** What the API needs from the daemon: plain functions, so that every route can be tried without one. */
import type { CommandEnvelope, Refusal, Reply } from '../contract/commands.ts'
import type { Event } from '../contract/events.ts'
import type { Activity } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentsView, AgentView, ExplainView, StatusView } from '../contract/views.ts'

export interface EventWish {
  /** Left out, the newest are given. */
  after?: number | undefined
  limit: number
  agent?: AgentId
  type?: Event['type']
}

export interface ApiDeps {
  token: string
  pid: number
  /** A fresh id for a command whose sender gave none. */
  newId: () => string
  submit: (envelope: CommandEnvelope) => Promise<Reply>
  status: () => StatusView
  agents: () => AgentsView
  agent: (id: AgentId) => AgentView | undefined
  explain: (id: AgentId) => ExplainView | undefined
  activities: (id: AgentId) => readonly Activity[]
  /** Oldest first. */
  events: (wish: EventWish) => Promise<readonly Event[]>
  lastSeq: () => number
  /** The event as a sentence. */
  describe: (event: Event) => string
  /** Whether processes of the agent live, by what the machine says now. */
  lives: (id: AgentId) => Promise<boolean>
  /** What a person runs to see the agent's terminal. */
  attach: (id: AgentId) => readonly string[] | Refusal
  /** For an agent that is started without saying which. */
  spawnDefaults: () => { runtime: string; model: string; specialists: readonly string[] }
  stopDaemon: () => void
  /** Told of what must never happen, for the log. */
  problem: (error: unknown) => void
}
