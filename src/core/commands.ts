/** What people ask for. Each command is carried out or refused with a sentence and a way on. */
import type { Command, Refusal } from '../contract/commands.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { adopt, barred } from './adoption.ts'
import { readAnswer } from './answers.ts'
import { one } from './durations.ts'
import { emergency } from './emergency-steps.ts'
import { currentDoing, isOver } from './health/judge.ts'
import { citationsOf } from './health/words.ts'
import { onStanding } from './holds.ts'
import type { InputOf } from './inputs.ts'
import { onMessages } from './message-commands.ts'
import { settle } from './needs-you.ts'
import { doubt } from './observer.ts'
import { ownAfterStart } from './own-repository.ts'
import { plainPokeText } from './prompts.ts'
import { propose } from './propose.ts'
import type { Proposal } from './proposals.ts'
import { ASKED, beginning, isLeft, noAgent, resume, STARTS_AGAIN, switchModel } from './session-commands.ts'
import { commandBack, commandHandoff } from './handoffs/hand-offs.ts'
import { barredByHandoff, endHandoff } from './handoffs/hand-off-end.ts'
import { answerApproval, decideHandoff, judgeByPerson, setAuto, takeOverKill } from './handoffs/hand-off-commands.ts'
import { refuseStart } from './last-stop.ts'
import { refuseRestore } from './refuse-restore.ts'
import { unknownProgram } from './routing/known-models.ts'
import { takeReport } from './signals.ts'
import { startStopped } from './start-stopped.ts'
import { forgetTask, keepPrompt } from './task-texts.ts'
import { record, type Turn } from './turn.ts'
import { isAtWork, ownerOf, takenBy } from './worktrees.ts'
import { BOOT_LOOKS } from './world.ts'

export function take(turn: Turn, { by, command }: InputOf<'command'>): void {
  const refusal = carryOut(turn, by, command)
  if (refusal !== undefined) record(turn, { type: 'command.refused', by, command: command.type, refusal })
  turn.reply =
    refusal === undefined
      ? { ok: true, seq: turn.world.house.seq, ...handoffBy(turn, command) }
      : { ok: false, refusal }
}

/** The one that it began. */
function handoffBy({ world }: Turn, command: Command): { handoff?: string } {
  if (command.type !== 'handoff.start' && command.type !== 'handoff.back') return {}
  const id = world.agents.get(command.agent)?.handoff?.id
  return id === undefined ? {} : { handoff: id }
}

const KINDS = {
  'agent.suspend': 'suspend',
  'agent.interrupt': 'interrupt',
  'agent.rest': 'rest',
  'agent.clear': 'clear',
} as const

function carryOut(turn: Turn, by: string, command: Command): Refusal | undefined {
  switch (command.type) {
    case 'agent.spawn':
      return spawn(turn, by, command)
    case 'agent.adopt':
      return adopt(turn, by, command)
    case 'agent.poke':
      return onAgent(turn, command.agent, { kind: 'poke', by, reason: ASKED, text: plainPokeText() })
    case 'agent.message':
    case 'agent.retry-message':
    case 'agent.recall-message':
    case 'agent.give-back':
      return onMessages(turn, by, command)
    case 'agent.resume':
      return resume(turn, by, command)
    case 'agent.switch-model':
      return switchModel(turn, by, command)
    case 'agent.suspend':
    case 'agent.interrupt':
    case 'agent.rest':
    case 'agent.clear':
      return onAgent(turn, command.agent, { kind: KINDS[command.type], by, reason: ASKED })
    case 'agent.kill':
      return kill(turn, by, command)
    case 'agent.restore':
      return restore(turn, by, command)
    case 'agent.forget':
      return forget(turn, by, command.agent)
    case 'agent.hold':
    case 'agent.release':
    case 'agent.seen':
    case 'agent.assign':
      return onStanding(turn, by, command)
    case 'work.report':
      return takeReport(turn, command)
    case 'handoff.start':
    case 'handoff.back':
    case 'handoff.approve':
    case 'handoff.refuse':
    case 'handoff.auto':
    case 'handoff.judge':
      return onHandoff(turn, by, command)
    case 'cloister.start':
      return start(turn, by)
    case 'cloister.stop':
      if (turn.world.house.monitoring === 'running') record(turn, { type: 'monitoring.stopped', by })
      return undefined
    case 'cloister.emergency-stop':
      return stopAll(turn, by, command)
    case 'cloister.resume':
      return resumeHouse(turn, by, command)
    case 'needs-you.settle':
      return settleItem(turn, by, command.item)
    case 'needs-you.answer':
      return answer(turn, by, command)
  }
}

type HandoffCommand = Extract<Command, { type: `handoff.${string}` }>

function onHandoff(turn: Turn, by: string, command: HandoffCommand): Refusal | undefined {
  switch (command.type) {
    case 'handoff.start':
      return commandHandoff(turn, by, command)
    case 'handoff.back':
      return commandBack(turn, by, command)
    case 'handoff.approve':
    case 'handoff.refuse':
      return decideHandoff(turn, by, command)
    case 'handoff.auto':
      return setAuto(turn, by, command)
    case 'handoff.judge':
      return judgeByPerson(turn, command)
  }
}

/** An answer goes to the question that is open now; one that came too late is refused, not typed somewhere. */
function answer(turn: Turn, by: string, command: Extract<Command, { type: 'needs-you.answer' }>): Refusal | undefined {
  const item = findOfAgents(turn.world.agents.values(), command.item)
  if (item?.kind === 'approval') return answerApproval(turn, by, { ...item, answer: command.answer })
  const agent = item?.agent === undefined ? undefined : turn.world.agents.get(item.agent)
  const doing = agent === undefined ? undefined : currentDoing(agent)?.doing
  const asked = doing?.kind === 'permission' || doing?.kind === 'question' ? doing : undefined
  if (agent === undefined || asked?.ask === undefined || asked.ask.id !== item?.ask) {
    const sentence = `Nobody waits for an answer to ${command.item}`
    return {
      code: 'conflict',
      sentence,
      hint: 'It may have been answered in the terminal. List what is open with `pan inbox`.',
    }
  }
  const read = readAnswer(asked, command.answer)
  if ('refusal' in read) return read.refusal
  const { ask } = asked
  return onAgent(turn, agent.id, { kind: 'answer', by, reason: 'a person answers', text: read.text, ask })
}

/** When it is over already, whom it ended can still be started together. */
function resumeHouse(turn: Turn, by: string, { start: whom }: Extract<Command, { type: 'cloister.resume' }>) {
  if (whom === undefined) return emergency(turn, 'resume', { by })
  if (turn.world.house.emergency.state === 'armed') return startStopped(turn, by, whom)
  return refuseStart(turn.world, whom) ?? emergency(turn, 'resume', { by, start: whom })
}

function stopAll(turn: Turn, by: string, command: Extract<Command, { type: 'cloister.emergency-stop' }>) {
  const { reason, adopted } = command
  return emergency(turn, 'trigger', {
    by,
    ...(reason === undefined ? {} : { reason }),
    ...(adopted === undefined ? {} : { adopted }),
  })
}

function spawn(turn: Turn, by: string, command: Extract<Command, { type: 'agent.spawn' }>): Refusal | undefined {
  const { type: _, prompt, agent: id, repository, place, ...given } = command
  const known = turn.world.agents.get(id)
  if (turn.world.house.emergency.state !== 'armed') {
    const hint = 'Re-arm with `pan cloister resume` when it is safe.'
    return { code: 'emergency', sentence: `${id} is not started: an emergency stop is in force`, hint }
  }
  const unknown = unknownProgram(turn.world, given)
  if (unknown !== undefined) return unknown
  const notOurs = known === undefined ? undefined : barred(known, { kind: 'spawn', precedence: 'human' })
  if (notOurs !== undefined) return notOurs
  const handedOver = known === undefined ? undefined : barredByHandoff(known, { isHuman: true })
  if (handedOver !== undefined) return handedOver
  const owner = ownerOf(turn.world, { ...given, id })
  if (owner !== undefined) return takenBy(owner, id)
  if (known === undefined || !isSame(known, given)) {
    if (known !== undefined && isAtWork(known)) {
      const hint = `Kill ${id} first, or choose another id.`
      const sentence = isOver(known) ? `${id} ended, and had other settings` : `${id} already runs with other settings`
      return { code: 'conflict', sentence, hint }
    }
    const own = ownAfterStart(known?.workspace === given.workspace ? known : {}, { repository, place })
    record(turn, { type: 'agent.registered', agent: id, generation: known?.generation ?? 0, ...given, ...own })
  }
  // What is left of the dead generation is saved and cleared away first, as by a kill.
  if (known !== undefined && isLeft(known)) {
    return onAgent(turn, id, { kind: 'kill', by, reason: STARTS_AGAIN, again: prompt === undefined ? {} : { prompt } })
  }
  if (prompt === undefined) return onAgent(turn, id, { kind: 'spawn', by, ...beginning(known) })
  const refusal = onAgent(turn, id, { kind: 'spawn', by, reason: ASKED, text: prompt })
  if (refusal === undefined) keepPrompt(turn, id, { by, text: prompt })
  return refusal
}

function restore(turn: Turn, by: string, command: Extract<Command, { type: 'agent.restore' }>): Refusal | undefined {
  const { type: _, agent: id, ...wanted } = command
  const agent = turn.world.agents.get(id)
  const refusal = agent === undefined ? undefined : refuseRestore(turn.world, agent, wanted.ref)
  return refusal ?? onAgent(turn, id, { kind: 'restore', by, reason: ASKED, restore: wanted })
}

function isSame(known: AgentRecord, given: Partial<AgentRecord>): boolean {
  return Object.entries(given).every(([key, value]) => known[key as keyof AgentRecord] === value)
}

type Wish = Pick<Proposal, 'kind' | 'by' | 'reason' | 'text' | 'anew' | 'ask' | 'restore' | 'again'>

function onAgent(turn: Turn, id: string, wish: Wish): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  return propose(turn, id, { ...wish, precedence: 'human', citations: citationsOf(agent, turn.now) })
}

/** It ends a hand-off, too; one that is just ending the agent leaves it dead then. */
function kill(turn: Turn, by: string, command: Extract<Command, { type: 'agent.kill' }>): Refusal | undefined {
  const { agent: id, reason = ASKED } = command
  const agent = turn.world.agents.get(id)
  if (agent !== undefined && takeOverKill(turn, agent, { by, reason })) return undefined
  const refusal = onAgent(turn, id, { kind: 'kill', by, reason })
  if (refusal === undefined && agent !== undefined) {
    endHandoff(turn, agent, { result: 'cancelled', by, detail: 'a person killed it' })
  }
  return refusal
}

/** Only who does not run: a forgotten agent could never be ended, nor its work be saved. An adopted one is released. */
function forget(turn: Turn, by: string, id: string): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const { lifecycle, act, generation, adopted } = agent
  const handedOver = barredByHandoff(agent, { isHuman: true })
  if (handedOver !== undefined) return handedOver
  const lender = turn.world.lent.get(id)
  if (lender !== undefined) {
    const hint = `Ask for it back first: \`pan handoff back ${lender}\`.`
    return { code: 'conflict', sentence: `${id} has the work of ${lender}`, hint }
  }
  if (act !== undefined) {
    const sentence = `${one(act.kind)} by ${act.by} is under way on ${id}`
    return { code: 'busy', sentence, hint: 'Wait for its outcome and try again.' }
  }
  if (lives(agent) && adopted === undefined) {
    return { code: 'conflict', sentence: `${id} is ${lifecycle}`, hint: `End it first with \`pan agents kill ${id}\`.` }
  }
  for (const item of agent.needsYou) settle(turn, item, by)
  forgetTask(turn, agent)
  record(turn, { type: 'agent.forgotten', agent: id, generation, by })
  return undefined
}

function start(turn: Turn, by: string): undefined {
  const { house, observer } = turn.world
  if (house.monitoring === 'running') return undefined
  record(turn, { type: 'monitoring.started', by })
  observer.lastTriedAt = turn.now
  doubt(turn, BOOT_LOOKS)
  return undefined
}

function settleItem(turn: Turn, by: string, id: string): Refusal | undefined {
  const { house, agents } = turn.world
  const item = house.needsYou.find((each) => each.id === id) ?? findOfAgents(agents.values(), id)
  if (item === undefined) {
    return { code: 'not_found', sentence: `There is no open item ${id}`, hint: 'It may be settled already.' }
  }
  // Who waves a proposal away does not want it.
  if (item.kind === 'approval') return answerApproval(turn, by, { ...item, answer: 'refuse' })
  settle(turn, item, by)
  return undefined
}

/** A person settles items one by one, so that a walk over all agents is in order here. */
function findOfAgents(agents: Iterable<AgentRecord>, id: string) {
  for (const agent of agents) {
    const item = agent.needsYou.find((each) => each.id === id)
    if (item !== undefined) return item
  }
  return undefined
}
