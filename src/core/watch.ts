/** One agent at one moment: judge it, let the policies speak, arbitrate, and say when to come back. */
import type { Question } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { CauseKind } from '../contract/verdict.ts'
import { strongest } from './arbitrate.ts'
import { deliver } from './deliveries-pump.ts'
import { ended, SECOND } from './durations.ts'
import { classOf } from './health/cause-class.ts'
import {
  currentDoing,
  deadWitness,
  isGone,
  isLost,
  isOver,
  judge,
  leftOrphans,
  shownJudgement,
  type Judgement,
  type Moment,
} from './health/judge.ts'
import { causeInWords, citationsOf, reasonFor } from './health/words.ts'
import { endOrphans, stopGone } from './kill-steps.ts'
import { noteTurn } from './mass.ts'
import { keep, settle } from './needs-you.ts'
import { attention } from './policies/attention.ts'
import { propose } from './propose.ts'
import type { Proposal } from './proposals.ts'
import { proveResume } from './resume-steps.ts'
import { seeRest } from './rest-steps.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { distrust, isTroubled, setAgent, type World } from './world.ts'

export function watch(turn: Turn, id: AgentId): void {
  const { world, now } = turn
  proveResume(turn, agentOf(turn, id))
  seeRest(turn, agentOf(turn, id))
  const wakes = [deliver(turn, id), agentOf(turn, id).act?.deadlineAt]
  if (isBeingEnded(turn, id)) {
    // That it dies is what was asked for; if it does not, the outcome says so.
    wakes.push(now + world.settings.lookEveryMs)
  } else if (isEndedByItself(agentOf(turn, id))) {
    wakes.push(release(turn, agentOf(turn, id)))
  } else if (agentOf(turn, id).lifecycle !== 'active') {
    wakes.push(rest(turn, agentOf(turn, id)))
  } else if (isUnsure(world)) {
    wakes.push(now + world.settings.lookEveryMs)
  } else {
    wakes.push(...judgeAndAttend(turn, id), agentOf(turn, id).act?.deadlineAt)
  }
  const times = wakes.filter((at) => at !== undefined)
  if (times.length === 0) world.deadlines.clear(id)
  else world.deadlines.set(id, Math.min(...times))
}

function isBeingEnded(turn: Turn, id: AgentId): boolean {
  const { act, lifecycle } = agentOf(turn, id)
  if (lifecycle !== 'active' && lifecycle !== 'idle') return false
  return act?.step === 'ending' || turn.world.house.emergency.state === 'stopping'
}

/** An adopted one that is seen dead: nobody is alarmed that a person ended a session of his own. */
function isEndedByItself(agent: AgentRecord): boolean {
  const lives = agent.lifecycle === 'active' || agent.lifecycle === 'idle'
  return lives && agent.adopted !== undefined && deadWitness(agent) !== undefined
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
  keepItems(turn, agentOf(turn, id), shown)
  const agent = agentOf(turn, id)
  const looksSince = looks - (agent.verdict?.sinceLook ?? looks)
  const advice = attention({ agent, judgement, now, looksSince, settings: world.settings })
  for (const draft of advice.drafts) record(turn, draft)
  keepAttention(turn, agentOf(turn, id))
  const proposal = strongest([advice.proposal])
  if (proposal !== undefined) decide(turn, agentOf(turn, id), proposal)
  return [judgement.nextAt, causeAt, advice.wakeAt, quietAt(judgement, moment)]
}

/**
 * An agent that is not active is not judged; that its process died is still worth knowing while it should live. One
 * that rests and is verifiably gone rests no more: it is stopped, what it left running ended first. Returns when to come back.
 */
function rest(turn: Turn, agent: AgentRecord): number | undefined {
  for (const item of agent.needsYou) {
    if (item.kind === 'waiting' || item.kind === 'attention' || item.kind === 'quiet') settle(turn, item, 'cloister')
  }
  keepLost(turn, agent, agent.lifecycle === 'idle' && isLost(agent))
  // Of one that was found dead and is stopped, a person may still want to know.
  if (agent.lifecycle === 'stopped') return undefined
  const isDead = agent.lifecycle === 'idle' && deadWitness(agent) !== undefined
  keepDead(turn, agent, isDead)
  if (!isDead) return undefined
  const isSure = !isUnsure(turn.world) && agent.act === undefined
  if (isSure && isGone(agent)) {
    stopGone(turn, agentOf(turn, agent.id))
    return undefined
  }
  if (isSure && isOver(agent) && leftOrphans(agent)) endOrphans(turn, agentOf(turn, agent.id))
  return turn.now + turn.world.settings.lookEveryMs
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

const PERSON_WAITS: readonly CauseKind[] = ['waiting_permission', 'waiting_user', 'startup_blocked', 'auth_needed']

function keepItems(turn: Turn, agent: AgentRecord, judgement: Judgement): void {
  const { id } = agent
  const doing = currentDoing(agent)?.doing
  const asks = doing?.kind === 'permission' || doing?.kind === 'question' ? doing : undefined
  const answerable = asks?.ask !== undefined && agent.adopted === undefined
  const questions = asks?.kind === 'question' ? asks.questions : undefined
  const isPermission = answerable && asks.kind === 'permission'
  const options = isPermission ? ['allow', 'deny'] : labelsOf(questions ?? [])
  keep(turn, PERSON_WAITS.includes(judgement.cause.kind), {
    kind: 'waiting',
    agent: id,
    sentence: ended(`${id} is ${reasonFor(judgement)}`),
    hint: howToAnswer(agent, answerable),
    ...(options === undefined ? {} : { options }),
    ...(questions === undefined ? {} : { questions }),
    ...(asks?.ask === undefined ? {} : { ask: asks.ask.id }),
    ...(answerable ? { answerable } : {}),
  })
  keepDead(turn, agent, judgement.cause.kind === 'dead')
  keepLost(turn, agent, isLost(agent))
  keep(turn, !isLost(agent) && isQuiet(judgement, turn.world.settings.thresholds.stuckMs), {
    kind: 'quiet',
    agent: id,
    sentence: `${id} gives no sign of work: ${causeInWords(judgement.cause)}.`,
    hint: `See why with \`pan explain ${id}\`. Nothing is done to it by itself.`,
  })
}

function howToAnswer({ id, adopted }: AgentRecord, answerable: boolean): string {
  if (adopted !== undefined) return 'Answer it in its own terminal.'
  return answerable
    ? 'It can be answered in its terminal, too.'
    : `Attach to it with \`pan agents attach ${id}\` and answer.`
}

/** Where it asks several things at once, no single choice is an answer. */
function labelsOf(questions: readonly Question[]): string[] | undefined {
  const [only, more] = questions
  if (only === undefined || more !== undefined || only.options.length === 0) return undefined
  return only.options.map(({ label }) => label)
}

/** What no rule pokes and no clock calls stuck: it asks for attention all the same when it lasts. */
const PATIENT: readonly CauseKind[] = ['rate_limited', 'api_error', 'waiting_background', 'working_tool', 'unknown']

function isQuiet({ health, cause, silentMs }: Judgement, stuckMs: number): boolean {
  return health !== 'active' && PATIENT.includes(cause.kind) && silentMs >= stuckMs
}

/** When time alone makes it so. */
function quietAt({ cause, silentMs }: Judgement, { now, thresholds }: Moment): number | undefined {
  const isLater = PATIENT.includes(cause.kind) && silentMs < thresholds.stuckMs
  return isLater ? now - silentMs + thresholds.stuckMs : undefined
}

function keepDead(turn: Turn, { id, workspace }: AgentRecord, isDead: boolean): void {
  keep(turn, isDead, {
    kind: 'dead',
    agent: id,
    sentence: `The process of ${id} is gone.`,
    hint: `Its work in ${workspace} is untouched. \`pan agents spawn ${id}\` starts it again, with that work saved and what it left running ended first.`,
  })
}

function keepLost(turn: Turn, { id, evidence }: AgentRecord, lost: boolean): void {
  keep(turn, lost, {
    kind: 'no_terminal',
    agent: id,
    sentence:
      evidence.process?.alive === true
        ? `The process of ${id} lives but has no terminal.`
        : `${id} has no terminal, and nobody saw its process end.`,
    hint: `Nobody can see it or type to it. \`pan agents kill ${id}\` saves its work and ends it; then spawn it again.`,
  })
}

function keepAttention(turn: Turn, agent: AgentRecord): void {
  const { id, episode } = agent
  const { pokes = 0, heldFor = 'automatic pokes are off' } = episode ?? {}
  keep(turn, episode?.exhausted === true && episode.acknowledged !== true, {
    kind: 'attention',
    agent: id,
    sentence:
      pokes === 0
        ? `${id} is stuck and was not poked: ${heldFor}.`
        : `${id} was poked ${pokes === 1 ? 'once' : `${pokes} times`} and made no progress.`,
    hint: `See why with \`pan explain ${id}\`, then message it, or kill it and start it again.`,
  })
}

/** A rule that may not act now says so once, not at every look; one that cannot act at all asks a person. */
function decide(turn: Turn, agent: AgentRecord, proposal: Proposal): void {
  const refusal = propose(turn, agent.id, proposal)
  if (refusal === undefined) return
  const { id, generation, episode, verdict } = agent
  const { kind, precedence } = proposal
  if (episode?.heldFor !== refusal.sentence) {
    record(turn, { type: 'act.held', agent: id, generation, act: kind, precedence, reason: refusal.sentence })
  }
  if (refusal.code !== 'conflict' || verdict?.health !== 'stuck' || episode?.exhausted !== false) return
  record(turn, { type: 'episode.exhausted', agent: id, generation, pokes: episode.pokes })
  keepAttention(turn, agentOf(turn, id))
}
