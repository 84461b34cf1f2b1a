/** One agent at one moment: judge it, let the policies speak, arbitrate, and say when to come back. */
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { advise, decideOn } from './advise.ts'
import {
  keepAttention,
  keepDead,
  keepItems,
  keepLost,
  keepRestarts,
  keepTasks,
  keepWork,
  quietAt,
} from './agent-items.ts'
import { noteFinished } from './finished-steps.ts'
import { cycleWhenFull } from './handoffs/cycle-watch.ts'
import { deliver } from './deliveries-pump.ts'
import { SECOND } from './durations.ts'
import { objection } from './evidence/weigh.ts'
import { handOn } from './escalate.ts'
import { judgeExperiments } from './experiments.ts'
import { absorb } from './health/absorb.ts'
import { classOf } from './health/cause-class.ts'
import {
  deadWitness,
  isGone,
  isLost,
  isOver,
  judge,
  leftOrphans,
  shownJudgement,
  type Judgement,
} from './health/judge.ts'
import { citationsOf, reasonFor } from './health/words.ts'
import { driveLoan } from './handoffs/hand-back.ts'
import { judgeHandoffs } from './handoffs/hand-off-judge.ts'
import { driveHandoff } from './handoffs/hand-off-steps.ts'
import { whyKeptOff } from './help.ts'
import { endHold } from './holds.ts'
import { endOrphans, stopGone } from './kill-steps.ts'
import { noteTurn } from './mass.ts'
import { settle } from './needs-you.ts'
import { planForWork } from './restart-steps.ts'
import { proveResume } from './resume-steps.ts'
import { seeRest } from './rest-steps.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { keepUnhelped, settleUnhelped } from './unhelped.ts'
import { distrust, isTroubled, setAgent, type World } from './world.ts'
import { keepWorkspace } from './workspace-item.ts'

export function watch(turn: Turn, id: AgentId): void {
  const { world, now } = turn
  const doubtAt = weighWitnesses(turn, id)
  proveResume(turn, agentOf(turn, id))
  seeRest(turn, agentOf(turn, id))
  driveHandoff(turn, id)
  const lender = world.lent.get(id)
  if (lender !== undefined) turn.toJudge.add(lender)
  const wakes = [doubtAt, driveLoan(turn, id), endHold(turn, id), deliver(turn, id), agentOf(turn, id).act?.deadlineAt]
  if (!isUnsure(world)) wakes.push(judgeExperiments(turn, id), judgeHandoffs(turn, id))
  else if (isYetToBeJudged(agentOf(turn, id))) wakes.push(now + world.settings.lookEveryMs)
  if (isBeingEnded(turn, id)) {
    // That it dies is what was asked for; if it does not, the outcome says so.
    wakes.push(now + world.settings.lookEveryMs)
  } else if (isEndedByItself(agentOf(turn, id))) {
    wakes.push(release(turn, agentOf(turn, id)))
  } else if (agentOf(turn, id).lifecycle !== 'active') {
    wakes.push(...rest(turn, agentOf(turn, id)), agentOf(turn, id).act?.deadlineAt)
  } else if (isUnsure(world)) {
    // Whom nobody can help meanwhile, a person knows of.
    if (whyKeptOff(world, agentOf(turn, id)) !== undefined) keepUnhelped(turn, agentOf(turn, id))
    wakes.push(now + world.settings.lookEveryMs)
  } else {
    wakes.push(...judgeAndAttend(turn, id), agentOf(turn, id).act?.deadlineAt)
  }
  if (!isUnsure(world)) wakes.push(cycleWhenFull(turn, id))
  // One that was only just proposed begins at once.
  wakes.push(driveHandoff(turn, id), agentOf(turn, id).act?.deadlineAt)
  const times = wakes.filter((at) => at !== undefined)
  if (times.length === 0) world.deadlines.clear(id)
  else world.deadlines.set(id, Math.max(now + BREATH_MS, Math.min(...times)))
}

/** What its program keeps of itself against what is believed. Returns when to come back for what is not certain yet. */
function weighWitnesses(turn: Turn, id: AgentId): number | undefined {
  const agent = agentOf(turn, id)
  if (agent.open?.seen === undefined || !lives(agent)) return undefined
  const { wallAt } = turn.input
  const found = objection(agent, wallAt)
  if (found === undefined) return undefined
  if ('againMs' in found) return turn.now + found.againMs
  const { witness, doing } = found
  const ageMs = Math.max(0, wallAt - found.wallAt)
  absorb(turn, { agent: id, generation: agent.generation, witness, doing, ageMs, objects: true })
  return undefined
}

function isYetToBeJudged({ experiments, handoffs = [] }: AgentRecord): boolean {
  return experiments !== undefined || handoffs.some(({ judgeAt }) => judgeAt !== undefined)
}

/** Whatever a rule wants to see again at once, it does not keep the whole house busy. */
const BREATH_MS = 100

function isBeingEnded(turn: Turn, id: AgentId): boolean {
  const agent = agentOf(turn, id)
  if (!lives(agent)) return false
  return agent.act?.step === 'ending' || agent.act?.step === 'saving' || turn.world.house.emergency.state === 'stopping'
}

/** An adopted one that is seen dead: nobody is alarmed that a person ended a session of his own. */
function isEndedByItself(agent: AgentRecord): boolean {
  return lives(agent) && agent.adopted !== undefined && deadWitness(agent) !== undefined
}

function release(turn: Turn, agent: AgentRecord): number | undefined {
  if (isUnsure(turn.world) || !isGone(agent) || agent.act !== undefined)
    return turn.now + turn.world.settings.lookEveryMs
  stopGone(turn, agent)
  return undefined
}

function isUnsure({ observer, house }: World): boolean {
  return distrust(observer) !== undefined || house.monitoring === 'paused'
}

function judgeAndAttend(turn: Turn, id: AgentId): (number | undefined)[] {
  const { world, now } = turn
  const { graceAt, looks } = world.observer
  const moment = { now, graceAt, thresholds: world.settings.thresholds }
  const judgement = judge(agentOf(turn, id), moment)
  const shown = shownJudgement(agentOf(turn, id), moment)
  const causeAt = noteVerdict(turn, agentOf(turn, id), shown)
  const looksSince = looks - (agentOf(turn, id).verdict?.sinceLook ?? looks)
  const { wanted, wakeAt } = advise(turn, id, { judgement, looksSince })
  keepItems(turn, agentOf(turn, id), shown)
  keepAttention(turn, agentOf(turn, id))
  decideOn(turn, id, wanted)
  keepAttention(turn, agentOf(turn, id))
  const handOnAt = handOn(turn, id, { judgement, looksSince })
  const helpAt = keepUnhelped(turn, agentOf(turn, id))
  const quiet = quietAt(agentOf(turn, id), judgement, { ...moment, wallAt: turn.input.wallAt })
  return [judgement.nextAt, causeAt, ...wakeAt, quiet, handOnAt, helpAt]
}

/**
 * An agent that is not active is not judged; that its process died is still worth knowing while it should live. One
 * that rests and is verifiably gone rests no more: it is stopped, what it left running ended first. Returns when to come back.
 */
function rest(turn: Turn, agent: AgentRecord): (number | undefined)[] {
  const { id, lifecycle } = agent
  const { world, now } = turn
  for (const item of agent.needsYou) {
    const isMoot = item.kind === 'attention' && lifecycle !== 'idle'
    if (item.kind === 'waiting' || isMoot || item.kind === 'quiet') settle(turn, item, 'cloister')
  }
  settleUnhelped(turn, agent)
  keepLost(turn, agent, lifecycle === 'idle' && isLost(agent))
  if (lifecycle === 'idle') keepWorkspace(turn, agent)
  // Of one that was found dead and is stopped, a person may still want to know.
  const isDead = lifecycle === 'idle' && deadWitness(agent) !== undefined
  if (lifecycle !== 'stopped') keepDead(turn, agent, isDead)
  const lookAt = now + world.settings.lookEveryMs
  if (isUnsure(world)) return isDead || isAdvised(agent) ? [lookAt] : []
  if (isDead) {
    if (agent.act !== undefined) return [lookAt]
    if (isGone(agent)) {
      stopGone(turn, agentOf(turn, id))
      planForWork(turn, agent)
      return [agentOf(turn, id).restarts?.dueAt]
    }
    if (isOver(agent) && leftOrphans(agent)) endOrphans(turn, agentOf(turn, id))
    return [lookAt]
  }
  const { wanted, wakeAt } = advise(turn, id)
  keepWork(turn, agentOf(turn, id))
  keepTasks(turn, agentOf(turn, id))
  keepRestarts(turn, agentOf(turn, id))
  // That it came to rest is no progress: whom nothing helped, a person is still asked about.
  if (lifecycle === 'idle') keepAttention(turn, agentOf(turn, id))
  const handOnAt = lifecycle === 'idle' ? handOn(turn, id) : undefined
  decideOn(turn, id, wanted)
  return [...wakeAt, handOnAt, noteFinished(turn, id)]
}

/** A rule may want something of it though it does nothing. */
function isAdvised({ lifecycle, restarts, assignment }: AgentRecord): boolean {
  if (lifecycle === 'idle') return true
  return lifecycle === 'stopped' ? restarts?.dueAt !== undefined : assignment !== undefined
}

/** While the health stays the same, no more causes are recorded than one in this time, however they flap. */
export const CAUSE_EVERY_MS = 5 * SECOND

/** Records what lasts. Returns when to come back for a cause that is too young to be recorded. */
function noteVerdict(turn: Turn, agent: AgentRecord, judgement: Judgement): number | undefined {
  const { health, cause } = judgement
  const { world, now } = turn
  const { verdict } = agent
  if (verdict?.health === health) {
    if (verdict.cause.kind === cause.kind) return undefined
    if (classOf(verdict.cause.kind) === classOf(cause.kind)) return renew(turn, agent, judgement)
    if (now < verdict.sinceAt + CAUSE_EVERY_MS) return verdict.sinceAt + CAUSE_EVERY_MS
  }
  const wasTroubled = isTroubled(agent)
  record(turn, {
    type: 'agent.health-changed',
    agent: agent.id,
    generation: agent.generation,
    from: agent.verdict?.health ?? 'unknown',
    to: health,
    cause,
    reason: reasonFor(judgement),
    citations: citationsOf(agent, now),
    look: world.observer.looks,
  })
  if (!wasTroubled && isTroubled(agentOf(turn, agent.id))) noteTurn(turn, agent.id)
  return undefined
}

/** Another way of working is shown, but no event. */
function renew(turn: Turn, agent: AgentRecord, judgement: Judgement): undefined {
  if (agent.verdict === undefined) return
  const { cause } = judgement
  const verdict = { ...agent.verdict, cause, reason: reasonFor(judgement), judgedAt: turn.now }
  setAgent(turn.world, { ...agent, verdict })
  turn.dirty.add(agent.id)
}
