/** What the API needs from the daemon: plain functions, so that every route can be tried without one. */
import type { Ground } from '../contract/repository.ts'
import type { AdoptBody, AdoptedPane, Leader } from '../contract/adopted.ts'
import type { CommandEnvelope, Refusal, Reply } from '../contract/commands.ts'
import type { HandoffTarget } from '../contract/handoffs.ts'
import type { Event, EventOf } from '../contract/events.ts'
import type { Activity } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { CostView } from '../contract/cost-views.ts'
import type { ConfigChange, ConfigView } from '../contract/config-view.ts'
import type { DoctorView } from '../contract/doctor-view.ts'
import type { HandoffEvent, HandoffsView, HandoffSuggestion } from '../contract/handoff-views.ts'
import type { HandoffChoices, HandoffDocument } from '../contract/handoff-panel-views.ts'
import type { RecordingView, WrongView } from '../contract/recording.ts'
import type { RibbonsView } from '../contract/ribbon.ts'
import type { InterventionsView } from '../contract/standing.ts'
import type { RouteView, TasksView } from '../contract/tasks.ts'
import type { AgentsView, AgentView, ApiError, ExplainView, HealthView, MessagesView } from '../contract/views.ts'
import type { HeartbeatBody, HeartbeatTaken, SpawnBody } from '../contract/bodies.ts'
import type { AgentFinishedView, FinishedView } from '../contract/finished.ts'
import type { StatusView } from '../contract/status-view.ts'
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

export interface HandoffList {
  limit: number
  sinceWallAt?: number | undefined
  agent?: AgentId | undefined
  issue?: string | undefined
  trigger?: HandoffEvent['trigger'] | undefined
  method?: HandoffEvent['method'] | undefined
  state?: HandoffEvent['state'] | 'open' | undefined
}

export interface Heartbeat {
  agent: AgentId
  /** Left out: of the generation that lives now. */
  generation?: number
  /** The same id twice is the same report. */
  id: string
  said: HeartbeatBody
}

export interface RouteWish {
  /** A task's id or title, or any other title. */
  task: string
  /** The folder whose tasks are meant. */
  repo?: string | undefined
  specialist?: string | undefined
}

export interface NewWorktree {
  workspace: string
  /** As if it had never been made; what somebody did in it meanwhile stays. */
  undo: () => Promise<void>
}

export interface SpawnDefaults {
  model: string
  /** Where a model runs when nobody names a runtime. */
  runtimeOf: (model: string) => string
  specialists: readonly string[]
  /** By all that is known of what it is to do. */
  choose: (work: Choosing) => Promise<Chosen>
}

/** What an agent is to do, for whoever chooses its model. */
export interface Choosing {
  agent: AgentId
  issue?: string | undefined
  title?: string | undefined
  prompt?: string | undefined
  /** Its name where it is one. */
  specialist?: string | undefined
  workspace: string
}

export interface Chosen {
  model: string
  /** Where the settings name one for it. */
  runtime?: string
  /** In one sentence. */
  why: string
}

/** A session that a person started, as it is found. */
export interface FoundSession {
  runtime: string
  session: string
  /** The folder that it works in. */
  workspace: string
  model?: string
  /** It waits at its prompt; left out when nobody can tell. */
  rests?: boolean
  leader: Leader
  pane?: AdoptedPane
}

/** What the journal alone can tell, so that it can be asked also when no daemon answers. */
export interface Readings {
  status: () => StatusView
  agents: () => AgentsView
  agent: (id: AgentId) => AgentView | undefined
  explain: (id: AgentId) => ExplainView | undefined
  activities: (id: AgentId) => readonly Activity[]
  messages: (id: AgentId) => MessagesView | undefined
  tasks: (id: AgentId) => TasksView | undefined
  /** Who finished and was not looked at since, the newest first; what would have to be looked up may be left out. */
  finished: () => Promise<FinishedView[]>
  /** The same of one, also when somebody has looked. */
  finishedOf: (id: AgentId) => Promise<AgentFinishedView | undefined>
  /** Oldest first. */
  events: (wish: EventWish) => Promise<readonly Event[]>
  /** How automatic acts have done. */
  interventions: () => InterventionsView
  /** The newest first. */
  handoffs: (wish: HandoffList) => HandoffsView
  handoff: (id: string) => HandoffEvent | undefined
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
  /** The session that a person started and wants to have adopted. */
  findSession: (where: Pick<AdoptBody, 'target' | 'socket'>) => Promise<FoundSession | Refusal>
  /** What a person runs to see the agent's terminal. */
  attach: (id: AgentId) => Promise<readonly string[] | Refusal>
  /** The agent's workspace and what was salvaged of it. Undefined for an agent that is not known. */
  git: (id: AgentId) => Promise<GitView | undefined>
  salvages: (id: AgentId) => Promise<SalvagesView | undefined>
  /** Undefined for an agent that is not known. */
  handoffSuggestion: (id: AgentId) => HandoffSuggestion | undefined
  handoffChoices: (id: AgentId) => HandoffChoices | undefined
  /** Why a successor could not be started here. */
  handoffCheck: (wish: { agent: AgentId; to: HandoffTarget }) => Promise<Refusal | undefined>
  /** Undefined when nothing was written down for the successor, or it is gone. */
  handoffDocument: (handoff: HandoffEvent) => HandoffDocument | undefined
  /** What it used and what that costs. */
  cost: (id: AgentId) => Promise<CostView | undefined>
  config: () => Promise<ConfigView>
  changeConfig: (change: ConfigChange) => Promise<ConfigView | ApiError>
  /** The programs that agents need, by the daemon's own environment. */
  doctor: (folder: string) => Promise<readonly DoctorView['checks'][number][]>
  /** Answers when what was said is durable. */
  heartbeat: (beat: Heartbeat) => Promise<HeartbeatTaken | Refusal>
  /** Waits for the end of the emergency stop that is under way, but not for long. */
  emergencyEnd: () => Promise<{ ended: boolean; survivors: readonly string[] }>
  /** The folder and the repository that it lies in, and the root of that worktree, else of the folder. */
  locate: (workspace: string) => Promise<Ground & { worktree: string }>
  /** Makes a worktree in a repository for an agent that is not known yet. */
  newWorktree: (repo: string, who: Pick<SpawnBody, 'id' | 'issue' | 'project'>) => Promise<NewWorktree | Refusal>
  /** For an agent that is started without saying which. */
  spawnDefaults: () => SpawnDefaults
  /** Where a task, or work of that title, should go, and why. */
  route: (wish: RouteWish) => Promise<RouteView>
  /** What the daemon is told, written down. */
  /** Keeps what led to the verdict on an agent that a person says was wrong. Undefined for one that is not known. */
  wrong: (id: AgentId, words: string) => WrongView | ApiError | undefined
  recording: {
    view: () => RecordingView
    start: (seconds: number | undefined) => RecordingView | ApiError
    stop: () => RecordingView | ApiError
  }
  stopDaemon: () => void
  /** Told of what must never happen, for the log. */
  problem: (error: unknown) => void
}
