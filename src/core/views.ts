/** What people and programs see of the world. A daemon in doubt says so instead of showing old verdicts. */
import type { EventOf } from '../contract/events.ts'
import type { FinishedBrief } from '../contract/finished.ts'
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import { SHOWN_ACTIVE, shownActive, shownOf, type ShownActive } from '../contract/shown.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { MessageRecord } from '../contract/messages.ts'
import type { Settings } from '../contract/settings.ts'
import {
  capability,
  type AgentsView,
  type AgentView,
  type HealthView,
  type MessagesView,
  type MessageView,
} from '../contract/views.ts'
import type { StatusView } from '../contract/status-view.ts'
import { shownDesired } from './desired.ts'
import { finishedBrief, isToBeSeen } from './finished.ts'
import { MINUTE } from './durations.ts'
import { openHandoff } from './handoffs/hand-off-event.ts'
import { lasting } from './health/cause-class.ts'
import { deadWitness, deathOf, shownJudgement, type Judgement } from './health/judge.ts'
import { cycleView } from './handoffs/cycle-view.ts'
import { houseView, type SayAt } from './house-condition.ts'
import { contextView, doingView, heartbeatView } from './heartbeat.ts'
import { causeInWords, citationsOf, reasonFor } from './health/words.ts'
import { isoTime } from './iso-time.ts'
import { itemsAbout, openItems } from './needs-you-view.ts'
import { lastStopView } from './last-stop.ts'
import { limitOver } from './limit-words.ts'
import { resumeOf } from './resume-price.ts'
import { progressView } from './tasks/tasks-view.ts'
import { can, distrust, isWatched, type Observer, type World } from './world.ts'

export function agentView(world: World, id: AgentId): AgentView | undefined {
  const agent = world.agents.get(id)
  if (agent === undefined) return undefined
  const now = world.house.observedAt
  const { act } = agent
  const judged = isWatched(agent) ? currentJudgement(world, agent) : undefined
  return {
    ...identity(agent),
    ...adoption(agent),
    ...(judged === undefined
      ? whyOf(agent)
      : {
          health: judged.health,
          cause: judged.cause,
          reason: limitOver(world, agent, judged.cause) ?? reasonFor(judged),
        }),
    shown: shownOf({ lifecycle: agent.lifecycle, ...judged }),
    citations: citationsOf(agent, now),
    silentMs: now - agent.producedAt,
    unprogressedMs: now - agent.progressedAt,
    pokes: agent.episode?.pokes ?? 0,
    can: agent.adopted === undefined ? capability.options.filter((what) => can(world, agent, what)) : [],
    ...told(world, agent),
    ...(act === undefined ? {} : { act: { kind: act.kind, reason: act.reason, by: act.by } }),
    ...standing(world, agent),
    ...handedOver(agent, now),
    ...branchOf(agent),
    ...lastAction(agent),
    lastActive: isoTime(world.house.wallAt - (now - agent.producedAt)),
    ...unheard(agent),
    ...asked(world, agent),
  }
}

function asked(world: World, agent: AgentRecord): Pick<AgentView, 'needsYou'> {
  const needsYou = itemsAbout(world, agent).length
  return needsYou === 0 ? {} : { needsYou }
}

type Standing = Pick<AgentView, 'desired' | 'resume' | 'waitingWork' | 'finished' | 'tasks'>

function standing(world: World, agent: AgentRecord): Standing {
  const desired = shownDesired(agent, world.house)
  const resume = agent.lifecycle === 'idle' || agent.lifecycle === 'suspended' ? resumeOf(world, agent) : undefined
  const done = finishedBrief(agent)
  return {
    ...(desired.state === 'run' ? {} : { desired }),
    ...(resume === undefined ? {} : { resume }),
    ...(agent.assignment === undefined ? {} : { waitingWork: agent.assignment.what }),
    ...(done === undefined ? {} : { finished: whenOf(done) }),
    ...(agent.tasks === undefined ? {} : { tasks: progressView(agent.tasks, world.settings.routing) }),
  }
}

function whenOf({ wallAt, finishedAt, seen }: FinishedBrief): AgentView['finished'] {
  return { wallAt, finishedAt, ...(seen === undefined ? {} : { seen }) }
}

function handedOver(agent: AgentRecord, now: number): Pick<AgentView, 'handoff' | 'lent' | 'autoHandoff'> {
  const open = openHandoff(agent, now)
  const { autoHandoff, lent } = agent
  return {
    ...(open === undefined ? {} : { handoff: open }),
    ...(lent && { lent: { to: lent.to, handoff: lent.handoff, leftMs: Math.max(0, lent.deadlineAt - now) } }),
    ...(autoHandoff === undefined ? {} : { autoHandoff }),
  }
}

function unheard({ messages = [] }: AgentRecord): Pick<AgentView, 'messages'> {
  const waiting = messages.filter(({ state }) => state === 'queued' || state === 'typed').length
  const undelivered = messages.filter(({ state }) => state === 'undelivered').length
  return waiting + undelivered === 0 ? {} : { messages: { waiting, undelivered } }
}

const EXCERPT = 200

export function messagesView(world: World, id: AgentId): MessagesView | undefined {
  const agent = world.agents.get(id)
  return agent === undefined ? undefined : { agent: id, messages: (agent.messages ?? []).map(shownMessage) }
}

function shownMessage(row: MessageRecord): MessageView {
  const { id, by, state, generation, attempts, why, evidence, text, queuedWallAt, settledWallAt } = row
  return {
    ...{ id, by, state, generation, attempts },
    text: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text,
    ...(why === undefined ? {} : { why }),
    ...(evidence === undefined ? {} : { evidence }),
    queuedWallAt,
    ...(settledWallAt === undefined ? {} : { settledWallAt }),
  }
}

/** What its program says of itself; of one that does not run nothing is known. */
function told(world: World, agent: AgentRecord): Partial<AgentView> {
  const { house, settings } = world
  if (!lives(agent) || deadWitness(agent) !== undefined) return {}
  const now = house.observedAt
  const { limits, permissionMode } = agent.gauges ?? {}
  const doing = doingView(agent, now)
  const heartbeat = heartbeatView(agent, now, settings.thresholds.staleMs)
  const context = contextView(agent, now)
  const cycle = cycleView(world, agent)
  return {
    ...(doing === undefined ? {} : { doing }),
    ...(heartbeat === undefined ? {} : { heartbeat }),
    ...(context === undefined ? {} : { context }),
    ...(cycle === undefined ? {} : { cycle }),
    ...(limits === undefined ? {} : { limits }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
  }
}

export function agentsView(world: World): AgentsView {
  const view: AgentsView = { specialists: [], issueAgents: [], projectAgents: [] }
  const lists = { specialist: view.specialists, issue: view.issueAgents, project: view.projectAgents }
  for (const id of [...world.agents.keys()].toSorted()) {
    const agent = agentView(world, id)
    if (agent !== undefined) lists[agent.kind].push(agent)
  }
  return view
}

/** `sayAt` is how the instants in its sentence are said. */
export function statusView(world: World, sayAt?: SayAt): StatusView {
  const needsYou = openItems(world)
  const doubt = distrust(world.observer)
  const lastStop = lastStopView(world)
  return {
    house: houseView(world, sayAt),
    running: world.house.monitoring === 'running',
    ...(doubt === undefined ? {} : { degraded: `Cloister ${doubt}` }),
    ...lastCheck(world.observer),
    config: configOf(world.settings),
    emergency: world.house.emergency.state,
    summary: summaryOf(world, (agent) => currentJudgement(world, agent)),
    watching: world.living,
    needsYou,
    needsYouCount: needsYou.length,
    ...(lastStop === undefined ? {} : { lastStop }),
    finished: finishedOf(world),
  }
}

/** The newest first. */
function finishedOf({ agents }: World): StatusView['finished'] {
  const listed = [...agents.values()].filter(isToBeSeen)
  return listed.flatMap((agent) => finishedBrief(agent) ?? []).toSorted((a, b) => b.wallAt - a.wallAt)
}

/** How many active agents are shown as what, by what is judged of them. */
export function summaryOf(
  { agents }: World,
  judged: (agent: AgentRecord) => Pick<Judgement, 'health' | 'cause'> | undefined,
): StatusView['summary'] {
  const summary = Object.fromEntries(SHOWN_ACTIVE.map((shown) => [shown, 0])) as Record<ShownActive, number>
  for (const agent of agents.values()) {
    if (!isWatched(agent)) continue
    const { health = 'unknown', cause } = judged(agent) ?? {}
    summary[shownActive(health, cause?.kind)] += 1
  }
  return summary
}

/** The judgement as it is shown now: unknown while nobody may trust it. */
export function currentJudgement(world: World, agent: AgentRecord): Judgement {
  const { observer, house, settings } = world
  const judgement = shownJudgement(agent, {
    now: house.observedAt,
    graceAt: observer.graceAt,
    thresholds: settings.thresholds,
  })
  const why = house.monitoring === 'paused' ? 'monitoring is paused' : distrust(observer)
  return why === undefined ? judgement : { ...judgement, health: 'unknown', cause: { kind: 'unknown', why } }
}

/** One line of the health history: what was true from then on. */
export function healthLine(event: EventOf<'agent.health-changed'>): HealthView['history'][number] {
  const { seq, at, to, generation } = event
  const said = lasting(event)
  return { seq, timestamp: isoTime(at), state: to, ...said, shown: shownActive(to, said.cause), generation }
}

function whyOf(agent: AgentRecord): Pick<AgentView, 'reason'> {
  const reason = whyResting(agent)
  return reason === undefined ? {} : { reason }
}

/** What more there is to say of one that is not active than its lifecycle. */
export function whyResting(agent: AgentRecord): string | undefined {
  if (agent.lifecycle === 'stopped') return agent.lifecycleWhy && `stopped: ${agent.lifecycleWhy}`
  const isDead = agent.lifecycle === 'idle' && deadWitness(agent) !== undefined
  return isDead ? `${causeInWords(deathOf(agent))}; Cloister looks again to be sure` : undefined
}

function identity(agent: AgentRecord) {
  const { id, kind, issue, project, title, workspace, runtime, model, simulated, lifecycle, generation, sessionId } =
    agent
  return { id, kind, issue, project, title, workspace, runtime, model, simulated, lifecycle, generation, sessionId }
}

function adoption({ adopted }: AgentRecord): Pick<AgentView, 'adopted'> {
  if (adopted === undefined) return {}
  const { allow, leader, pane } = adopted
  const where = pane === undefined ? {} : { pane: { socket: pane.socket, id: pane.id } }
  return { adopted: { allow, pid: leader.pid, ...where } }
}

function branchOf({ evidence }: AgentRecord): Pick<AgentView, 'branch'> {
  const branch = evidence.git?.branch ?? ''
  return branch === '' ? {} : { branch }
}

function lastAction({ activities }: AgentRecord): Pick<AgentView, 'lastAction'> {
  const last = activities.at(-1)
  return last === undefined ? {} : { lastAction: { at: last.ts, what: last.action ?? last.tool ?? last.state } }
}

function lastCheck({ lastLookWallAt }: Observer): Pick<StatusView, 'lastCheck' | 'lastCheckWallAt'> {
  return lastLookWallAt === undefined ? {} : { lastCheckWallAt: lastLookWallAt, lastCheck: isoTime(lastLookWallAt) }
}

function configOf({ autoStart, thresholds }: Settings): StatusView['config'] {
  const { staleMs, warningMs, stuckMs } = thresholds
  return { autoStart, thresholds: { stale: staleMs / MINUTE, warning: warningMs / MINUTE, stuck: stuckMs / MINUTE } }
}
