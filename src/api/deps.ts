/** What the API needs from the daemon: plain functions, so that every route can be tried without one. */
import type { CommandEnvelope, Refusal, Reply } from '../contract/commands.ts'
import type { Event, EventOf } from '../contract/events.ts'
import type { Activity } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { ConfigChange, ConfigView } from '../contract/config-view.ts'
import type { RibbonsView } from '../contract/ribbon.ts'
import type {
  AgentsView,
  AgentView,
  ApiError,
  ExplainView,
  HealthView,
  HeartbeatBody,
  HeartbeatTaken,
  MessagesView,
  StatusView,
} from '../contract/views.ts'
import type { DoorDeps } from './door-deps.ts'
import type { GitView, SalvagesView } from '../contract/work-views.ts'
import type { StreamSource } from './stream.ts'
import type { TerminalSource } from './terminal.ts'

export interface EventWish {
  /** Left out, the newest are given. */
  after?: number | undefined
  limit: number
  agent?: AgentId
  type?: Event['type']
}

export interface Heartbeat {
  agent: AgentId
  /** Left out: of the generation that lives now. */
  generation?: number
  /** The same id twice is the same report. */
  id: string
  said: HeartbeatBody
}

/** What the journal alone can tell, so that it can be asked also when no daemon answers. */
export interface Readings {
  status: () => StatusView
  agents: () => AgentsView
  agent: (id: AgentId) => AgentView | undefined
  explain: (id: AgentId) => ExplainView | undefined
  activities: (id: AgentId) => readonly Activity[]
  messages: (id: AgentId) => MessagesView | undefined
  /** Oldest first. */
  events: (wish: EventWish) => Promise<readonly Event[]>
  lastSeq: () => number
  /** The event as a sentence. */
  describe: (event: Event) => string
  /** The event as a line of the health history. */
  healthLine: (event: EventOf<'agent.health-changed'>) => HealthView['history'][number]
}

export interface ApiDeps extends DoorDeps, Readings {
  token: string
  pid: number
  /** A fresh id for a command whose sender gave none. */
  newId: () => string
  submit: (envelope: CommandEnvelope) => Promise<Reply>
  /** The last hours, of one agent or of all. */
  ribbons: (wish: { hours: number; agent?: AgentId }) => Promise<RibbonsView>
  stream: StreamSource
  terminal: TerminalSource
  /** Whether processes of the agent live, by what the machine says now. */
  lives: (id: AgentId) => Promise<boolean>
  /** What a person runs to see the agent's terminal. */
  attach: (id: AgentId) => Promise<readonly string[] | Refusal>
  /** The agent's workspace and what was salvaged of it. Undefined for an agent that is not known. */
  git: (id: AgentId) => Promise<GitView | undefined>
  salvages: (id: AgentId) => Promise<SalvagesView | undefined>
  config: () => Promise<ConfigView>
  changeConfig: (change: ConfigChange) => Promise<ConfigView | ApiError>
  /** Answers when what was said is durable. */
  heartbeat: (beat: Heartbeat) => Promise<HeartbeatTaken | Refusal>
  /** Waits for the end of the emergency stop that is under way, but not for long. */
  emergencyEnd: () => Promise<{ ended: boolean; survivors: readonly string[] }>
  /** The root of the git worktree that a folder lies in, else its real path. */
  worktreeOf: (workspace: string) => Promise<string>
  /** For an agent that is started without saying which. */
  spawnDefaults: () => { runtime: string; model: string; specialists: readonly string[] }
  stopDaemon: () => void
  /** Told of what must never happen, for the log. */
  problem: (error: unknown) => void
}
