/** The API over the running loop and its journal, before anybody listens. */
import { randomUUID } from 'node:crypto'
import type { ApiDeps } from '../api/deps.ts'
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Git } from '../core/git-port.ts'
import type { Clock, Journal } from '../core/ports.ts'
import { describe } from '../core/describe.ts'
import { explainView } from '../core/explain.ts'
import { choicesView } from '../core/handoffs/hand-off-choices.ts'
import { suggestionView } from '../core/handoffs/hand-off-suggestion.ts'
import { handoffsView, handoffView } from '../core/handoffs/hand-off-views.ts'
import { worktreeOf } from '../core/own-repository.ts'
import { interventionsView } from '../core/interventions-view.ts'
import { agentsView, agentView, healthLine, messagesView, statusView } from '../core/views.ts'
import { tasksView } from '../core/tasks/tasks-view.ts'
import type { World } from '../core/world.ts'
import { costView, type CostSources } from './cost-view.ts'
import { doorDeps, type DoorOptions, type OpenDoor } from './door-deps.ts'
import { emergencyEnd } from './emergency-end.ts'
import { FinishedList } from './finished-list.ts'
import { handoffCheck, type Checkers } from './hand-off-check.ts'
import { handoffText } from './handoff-text.ts'
import { takeHeartbeat } from './heartbeat.ts'
import { liveDeps, type OpenStream } from './live-deps.ts'
import { localTime } from './local-time.ts'
import type { Loop } from './loop.ts'
import { newWorktree } from './new-worktree.ts'
import { recordingDeps } from './recording-deps.ts'
import { explainRoute, withRefusal } from './route-work.ts'
import { newestEvents } from './serve-events.ts'
import { answerOnce } from './serve-once.ts'
import type { TaskDesk } from './task-desk.ts'
import { terminalDeps, type OpenTerminals, type TerminalOptions } from './terminal-deps.ts'
import { homeToken } from './token.ts'
import { gitView, salvagesView } from './work-view.ts'

export interface ApiOptions
  extends Pick<DoorOptions, 'url' | 'asset'>, Pick<TerminalOptions, 'terminal' | 'keyboards'> {
  loop: Pick<Loop, 'submit' | 'report' | 'world' | 'durable' | 'lately' | 'recorder'>
  journal: Pick<Journal, 'events' | 'ribbons'>
  home: string
  /** Ages are told as of now. */
  clock: Clock
  git: Git
  costs: CostSources
  config: ApiDeps['config']
  changeConfig: ApiDeps['changeConfig']
  attach: ApiDeps['attach']
  lives: ApiDeps['lives']
  /** Left out, there is nobody to adopt. */
  findSession?: ApiDeps['findSession']
  spawnDefaults: ApiDeps['spawnDefaults']
  /** Left out, no list of tasks is asked. */
  tasks?: Pick<TaskDesk, 'look'>
  /** Left out, whether a successor could be started shows only when it is. */
  runtimes?: Checkers
  /** Left out, nothing is looked at. */
  doctor?: ApiDeps['doctor']
  /** A person asked the daemon to go down; called after the answer was given. */
  stop: () => void
  problem: (error: unknown) => void
}

export function apiDeps(options: ApiOptions): ApiDeps & OpenDoor & OpenStream & OpenTerminals {
  const { loop, journal, home, clock, git, config, changeConfig, attach, lives, spawnDefaults, stop, problem } = options
  const { world } = loop
  const now = () => worldNow(world, clock)
  const costOf = (agent: AgentRecord) => costView(options.costs, agent, now().house)
  const finished = new FinishedList({ git, clock, costOf })
  return {
    ...doorDeps({ ...options, world }),
    ...liveDeps({ loop, journal, clock, now }),
    ...terminalDeps(options),
    token: homeToken(home),
    pid: process.pid,
    newId: randomUUID,
    submit: answerOnce((envelope) => loop.submit(envelope)),
    status: () => statusView(now(), localTime),
    agents: () => agentsView(now()),
    agent: (id) => agentView(now(), id),
    explain: (id) => explainView(now(), id),
    messages: (id) => messagesView(world, id),
    tasks: (id) => ofAgent(world, id, (agent) => tasksView(agent, world.settings.routing)),
    route: async (wish) =>
      withRefusal(world, await explainRoute(wish, world.settings.routing, options.tasks ?? NO_TASKS)),
    activities: (id) => world.agents.get(id)?.activities ?? [],
    events: (wish) => newestEvents(journal, world.house.seq, wish),
    interventions: () => interventionsView(world.house),
    handoffs: (wish) => handoffsView(world, wish),
    handoff: (id) => handoffView(world, id),
    handoffSuggestion: (id) => suggestionView(now(), id),
    handoffChoices: (id) => choicesView(now(), id),
    handoffCheck: (wish) => handoffCheck(world, options.runtimes ?? new Map(), wish),
    handoffDocument: (handoff) => handoffText(home, handoff),
    lastSeq: () => world.house.seq,
    describe,
    healthLine,
    attach,
    lives,
    findSession: options.findSession ?? nobody,
    git: async (id) => ofAgent(world, id, (agent) => gitView(git, agent)),
    cost: async (id) => ofAgent(world, id, costOf),
    finished: () => finished.views(statusView(now()).finished, (id) => world.agents.get(id)),
    finishedOf: async (id) => ofAgent(world, id, (agent) => finished.of(agent)),
    salvages: async (id) => ofAgent(world, id, (agent) => salvagesView(git, agent)),
    config,
    changeConfig,
    heartbeat: (beat) => takeHeartbeat(loop, clock.now().wallAt, beat),
    emergencyEnd: () => emergencyEnd(loop, clock),
    locate: (workspace) => locate(git, workspace),
    newWorktree,
    spawnDefaults,
    doctor: options.doctor ?? (() => Promise.resolve([])),
    ...recordingDeps({ loop, home, clock }),
    stopDaemon: () => void setTimeout(stop, 0),
    problem,
  }
}

const NO_TASKS: Pick<TaskDesk, 'look'> = { look: async () => ({ found: [], missing: [], failed: [] }) }

function nobody({ target }: { target: string }): Promise<Refusal> {
  const hint = 'Start one first.'
  return Promise.resolve({ code: 'not_found', sentence: `There is no session ${target} to adopt`, hint })
}

function ofAgent<View>(world: World, id: AgentId, view: (agent: AgentRecord) => View): View | undefined {
  const agent = world.agents.get(id)
  return agent === undefined ? undefined : view(agent)
}

/** Observed time stands still between two inputs; what is shown should not. */
export function worldNow(world: World, clock: Clock): World {
  const passedMs = Math.max(0, clock.now().monoAt - world.observer.monoAt)
  const { observedAt, wallAt } = world.house
  return { ...world, house: { ...world.house, observedAt: observedAt + passedMs, wallAt: wallAt + passedMs } }
}

async function locate(git: Git, workspace: string): ReturnType<ApiDeps['locate']> {
  const found = await git.find(workspace)
  return { ...found, worktree: worktreeOf(workspace, found) }
}
