/** An event as one English sentence, the same in the log, the CLI, the dashboard and the nights. */
import type { Event, EventOf, EventType } from '../contract/events.ts'
import type { ActKind } from '../contract/acts.ts'
import { duration, ended, exactly } from './durations.ts'
import { isoTime } from './iso-time.ts'
import { savingsInWords, signalInWords } from './signal-words.ts'

export function describe(event: Event): string {
  return ended(SENTENCES[event.type](event as never))
}

type Sentences = { [T in EventType]: (event: EventOf<T>) => string }

const SENTENCES: Sentences = {
  'house.booted': ({ downMs, openEffects }) =>
    `Cloister started${downMs > 0 ? ` after ${duration(downMs)} down` : ''}${openEffects > 0 ? `; ${count(openEffects, 'act')} of before must be looked into` : ''}.`,
  'house.clock-jumped': ({ wallMs, monoMs }) =>
    wallMs > monoMs
      ? `The clock jumped ${duration(wallMs - monoMs)} ahead (sleep?); everybody gets the full time again.`
      : `The clock was set back ${duration(monoMs - wallMs)}; everybody gets the full time again.`,
  'house.degraded': ({ why }) => `Cloister itself is late: ${why}. Nothing is judged until it has caught up.`,
  'house.blinded': ({ why }) => `Cloister cannot see the agents: ${why}. Nothing is judged.`,
  'house.sighted': () => 'Cloister sees the agents again and is on time.',
  'house.settings-changed': ({ keys }) => `Settings read anew: ${keys.join(', ') || 'no change'}.`,
  'monitoring.started': ({ by }) => `Monitoring started by ${by}.`,
  'monitoring.stopped': ({ by }) => `Monitoring stopped by ${by}; agents go on untouched.`,
  'mass.began': ({ agents, watched }) =>
    `${agents.length} of ${watched} agents turned bad at once (${list(agents)}); automatic acts are held.`,
  'mass.ended': ({ why }) => `The common trouble is over: ${why}. Automatic acts are allowed again.`,
  'needs-you.raised': ({ item }) => `Needs you: ${item.sentence}`,
  'needs-you.settled': ({ item, by }) => `Settled by ${by}: ${item.sentence}`,
  'emergency.triggered': ({ by, reason }) => `EMERGENCY STOP by ${by}: ${reason}.`,
  'emergency.explained': ({ by, reason }) => `The emergency stop was asked for by ${by}: ${reason}.`,
  'emergency.retried': ({ attempt }) => `The emergency stop was not confirmed and runs again (attempt ${attempt}).`,
  'emergency.ended': ({ stopped, survivors, confirmed, leftAlone = [] }) =>
    confirmed
      ? `Emergency stop done: ${named(stopped)} stopped, ${count(survivors.length, 'survivor')}${leftAlone.length === 0 ? '' : `; left alone, since adopted: ${list(leftAlone)}`}.`
      : 'The emergency stop was never confirmed.',
  'emergency.found': ({ stopped, reason }) =>
    `While no daemon ran, an emergency stop${reason === undefined ? '' : ` (${reason})`} ended ${named(stopped)} and a person resumed; the work is saved now.`,
  'emergency.rearming': ({ by }) => `Resume after the emergency stop asked for by ${by}.`,
  'emergency.rearm-failed': ({ why }) => `The emergency stop stays in force: ${why}.`,
  'emergency.rearmed': () => 'Re-armed: agents may be started and typed to again.',
  'command.refused': ({ by, command, refusal }) => `Refused ${command} by ${by}: ${refusal.sentence}. ${refusal.hint}`,
  'outcome.dropped': ({ effect, result }) => `An outcome (${result}) came for ${effect}, which nobody waits for.`,
  'agent.registered': ({ agent, runtime, model, simulated }) =>
    `${agent} was registered (${runtime}, ${model}${simulated ? ', simulated' : ''}).`,
  'agent.adopted': ({ agent, adopted: { leader, allow }, by }) =>
    `${agent} was adopted by ${by}: process ${leader.pid}, ${allow.length === 0 ? 'observe-only' : `allowed: ${allow.join(', ')}`}.`,
  'agent.forgotten': ({ agent, by }) =>
    `${agent} was forgotten by ${by}; whatever was saved of its work stays in its repository.`,
  'agent.started': ({ agent, generation, confirmed }) =>
    `${agent} started, generation ${generation}${confirmed ? '' : ', but nobody could confirm it'}.`,
  'agent.lifecycle-changed': ({ agent, from, to, why }) => `${agent} went from ${from} to ${to}: ${why}.`,
  'agent.health-changed': ({ agent, from, to, reason }) => {
    if (from === to) return `${agent} is ${to}, now ${reason}`
    return from === 'unknown' ? `${agent} is ${to}: ${reason}` : `${agent} went from ${from} to ${to}: ${reason}`
  },
  'agent.finished': ({ agent }) => `${agent} finished: nothing is left for it to do. Look at it.`,
  'agent.finished-seen': ({ agent, by }) => `What ${agent} finished was looked at by ${by}.`,
  'agent.fenced': ({ agent, reported, generation }) =>
    `A report of generation ${reported} of ${agent} was dropped; generation ${generation} lives.`,
  'agent.salvaged': ({ agent, ref, unsaved, gone, plain, incomplete, late, replaced }) => {
    if (gone === true) return `Nothing of ${agent} could be saved: ${unsaved}.`
    if (unsaved !== undefined) return `Nothing of ${agent} could be saved: ${unsaved}. Its files are untouched.`
    if (ref === undefined) return `${agent} had nothing uncommitted to save.`
    if (replaced === true) return `What a restore replaced in the workspace of ${agent} was saved as ${ref}.`
    const what = late === true ? `What ${agent} wrote until its end` : `The work of ${agent}`
    const missing = incomplete === undefined ? '' : ` It is incomplete: ${incomplete}.`
    return `${what} was saved as ${ref}${plain === undefined ? '' : `, as plain files: ${plain}`}.${missing}`
  },
  'agent.kill-incomplete': ({ agent, survivors }) =>
    `The kill of ${agent} is incomplete: ${list(survivors) || 'not confirmed'}.`,
  'agent.session-lost': ({ agent, sessionId, why }) =>
    `The session ${sessionId} of ${agent} could not be gone on with: ${why}. It begins anew with what is known.`,
  'agent.cleared': ({ agent, generation, by }) =>
    `The context of ${agent} was cleared by ${by}; generation ${generation}.`,
  'agent.model-changed': ({ agent, from, to, by }) =>
    `The model of ${agent} was changed from ${from} to ${to} by ${by}.`,
  'message.queued': ({ agent, message }) =>
    `Message ${message.id} to ${agent} by ${message.by}: ${excerpt(message.text)}`,
  'message.held': ({ agent, message, why }) => `Message ${message} to ${agent} waits: ${why}.`,
  'message.typed': ({ agent, message, attempts }) =>
    `Message ${message} was typed to ${agent}${attempts > 1 ? `, attempt ${attempts}` : ''}.`,
  'message.heard': ({ agent, message, evidence }) => `Message ${message} reached ${agent}: ${EVIDENCE[evidence]}.`,
  'message.undelivered': ({ agent, message, why }) => `Message ${message} to ${agent} was not delivered: ${why}.`,
  'message.recalled': ({ agent, message, by }) =>
    `Message ${message} to ${agent} was taken back by ${by}; it is not typed.`,
  'message.retried': ({ agent, message, by }) => `Message ${message} to ${agent} is tried again by ${by}.`,
  'agent.noted': ({ agent, note }) => `When ${agent} is next started it is told: ${note}`,
  'task.kept': ({ agent, text: { name, cut }, why }) =>
    `${name.startsWith('p-') ? `The task of ${agent}` : `Message ${name} to ${agent}`} is kept ${cut === true ? 'up to its limit' : 'whole'}${why === undefined ? '' : `, in the journal, since no file could be written: ${why}`}.`,
  'act.decided': ({ agent, act, n }) =>
    `${act.kind === 'poke' && n !== undefined ? `Poke ${n}` : ACTS[act.kind]} of ${agent} decided by ${act.by}: ${act.reason}.`,
  'act.stepped': ({ agent, act = 'kill', step, attempts }) =>
    `${STEPS[step](agent, act)}${attempts > 1 && step !== 'confirming' ? `, attempt ${attempts}` : ''}.`,
  'act.ended': ({ agent, act, result, detail }) =>
    `The ${act} of ${agent} ended: ${RESULTS[result]}${detail === undefined ? '' : ` (${detail})`}.`,
  'act.held': ({ agent, act, reason }) => `A ${act} of ${agent} is held back: ${reason}.`,
  'episode.opened': ({ agent, reason }) => `${agent} needs attention: ${reason}.`,
  'episode.escalated': ({ agent, model, reason }) =>
    `Nothing helped ${agent} (${model}) by itself; somebody else should take over: ${reason}.`,
  'episode.exhausted': ({ agent, pokes }) =>
    `${agent} got ${count(pokes, 'poke')} without progress; a person is asked.`,
  'episode.closed': ({ agent, pokes, why }) =>
    why === 'progress'
      ? `${agent} makes progress again after ${count(pokes, 'poke')}.`
      : `The trouble of ${agent} ended with its generation, after ${count(pokes, 'poke')}.`,
  'intervention.judged': ({ agent, act, n, result }) =>
    `${n === undefined ? ACTS[act] : `${ACTS[act]} ${n}`} of ${agent}: ${act === 'suspend' ? SLEPT[result] : JUDGED[result]}.`,
  'agent.held': ({ agent, hold: { state, by, reason, untilWallAt } }) =>
    `${agent} is ${state === 'hold' ? 'held' : 'frozen'} by ${by}${untilWallAt === undefined ? '' : ` until ${minuteOf(untilWallAt)}`}: ${reason}.`,
  'agent.released': ({ agent, by, why }) => `${agent} was released by ${by}: ${why}.`,
  'limit.began': ({ agent, limit: { untilWallAt, isRead, round, of } }) =>
    `${of === 'outage' ? 'An outage of its service' : 'A usage limit'} holds ${agent}${round > 1 ? ` again (round ${round})` : ''}; it is told to go on at ${minuteOf(untilWallAt)}${isRead ? '' : ', which is a guess'}.`,
  'limit.ended': ({ agent, why, of }) => `The ${of ?? 'usage limit'} of ${agent} is over: ${why}.`,
  'restart.planned': ({ agent, dueAt, observedAt, why, inARow }) =>
    `${agent} is started again in ${exactly(Math.round((dueAt - observedAt) / 1000) * 1000)} (start ${inARow} in a row): ${why}.`,
  'restart.exhausted': ({ agent, inARow, recent }) =>
    `${agent} is not started again: it ended ${inARow} times in a row, ${recent} of them in a quarter of an hour.`,
  'restart.dropped': ({ agent, why }) => `The planned restart of ${agent} does not happen: ${why}.`,
  'work.assigned': ({ agent, assignment: { what, by } }) => `Work by ${by} waits for ${agent}: ${excerpt(what)}`,
  'work.begun': ({ agent, why }) => `The work that waited for ${agent} is begun: ${why}.`,
  'work.signalled': ({ agent, signal }) => signalInWords(agent, signal),
  'handoff.proposed': ({ agent, handoff: { id, from, to, giver, by, reason, cycle, evidence = [] } }) => {
    const seen = evidence.length === 0 ? '' : ` Seen: ${evidence.join('; ')}.`
    if (cycle !== undefined) return `Context cycle ${id} of ${agent} proposed by ${by}: ${reason}.${seen}`
    return giver === undefined
      ? `Hand-off ${id} of ${agent} from ${from.model} to ${to.specialist ?? to.model} proposed by ${by}: ${reason}.${seen}`
      : `Hand-off ${id} of the work of ${agent} from ${giver} back to it proposed by ${by}: ${reason}.${seen}`
  },
  'handoff.approved': ({ handoff, by }) => `Hand-off ${handoff} was approved by ${by}.`,
  'handoff.stepped': ({ agent, handoff, state, detail }) =>
    `Hand-off ${handoff} of ${agent} is ${state.replaceAll('_', ' ')}${detail === undefined ? '' : ` (${detail})`}.`,
  'handoff.captured': ({ handoff, captured: { parts, bytes } }) =>
    `Hand-off ${handoff}: ${bytes} bytes were written down for the successor${parts.length === 0 ? '' : ` (${list(parts)})`}.`,
  'handoff.lent': ({ agent, to }) => `${to} has the work of ${agent} now, which rests meanwhile.`,
  'handoff.returned': ({ agent, from, why }) => `${agent} has its work again from ${from}: ${why}.`,
  'handoff.ended': ({ agent, handoff, result, by, detail }) =>
    `Hand-off ${handoff} of ${agent} ended: ${ENDINGS[result]}${by === undefined ? '' : ` by ${by}`}: ${detail}.`,
  'handoff.recorded': ({ agent, handoff, status, percent, durationMs, detail }) =>
    `Health record of ${agent}: context cycle ${handoff} is ${status}${percent === undefined ? '' : `, begun at ${percent} %`}, ${duration(durationMs)}: ${detail}.`,
  'handoff.auto-changed': ({ agent, on, by }) =>
    `Rules ${on ? 'may hand the work of' : 'no longer hand the work of'} ${agent} over${on ? ' again' : ''}, said ${by}.`,
  'handoff.judged': ({ agent, handoff, outcome: { recovered, method } }) =>
    `Hand-off ${handoff} of ${agent}: ${HELPED[recovered]} (${method.replaceAll('_', ' ')}).`,
  'handoff.reckoned': ({ agent, handoff, savings }) => `Hand-off ${handoff} of ${agent}: ${savingsInWords(savings)}`,
  'handoff.spared': ({ agent, reason }) => `${agent} goes on itself: ${reason}.`,
}

const ENDINGS: Record<EventOf<'handoff.ended'>['result'], string> = {
  done: 'done, the successor goes on',
  rolled_back: 'undone',
  needs_you: 'a person is asked',
  refused: 'refused',
  lapsed: 'lapsed',
  cancelled: 'cancelled',
}

const HELPED: Record<EventOf<'handoff.judged'>['outcome']['recovered'], string> = {
  yes: 'it helped',
  no: 'it did not help',
  unknown: 'nobody knows whether it helped',
}

/** By the clock of the world; people's own zone is known only where they read. */
function minuteOf(wallAt: number): string {
  return `${isoTime(wallAt).slice(0, 16).replace('T', ' ')} UTC`
}

const ACTS: Record<ActKind, string> = {
  spawn: 'Spawn',
  poke: 'Poke',
  message: 'Message',
  answer: 'Answer',
  kill: 'Kill',
  restore: 'Restore of work',
  resume: 'Resume',
  suspend: 'Suspend',
  switch: 'Switch of the model',
  interrupt: 'Interrupt',
  rest: 'Soft stop',
  clear: 'Clearing',
  continue: 'Continuation',
  nudge: 'Nudge',
}

const STEPS: Record<EventOf<'act.stepped'>['step'], (agent: string, act: ActKind) => string> = {
  salvaging: (agent, act) => `The ${act} of ${agent} goes on: salvaging`,
  ending: (agent, act) => `The ${act} of ${agent} goes on: ending`,
  saving: (agent, act) => `The ${act} of ${agent} goes on: saving what it wrote until its end`,
  doing: (agent) => `${agent} goes on working and is interrupted again`,
  confirming: (agent) => `It was done to ${agent}; Cloister waits for the agent to show that it worked`,
  checking: (agent) => `Cloister looks into what became of it at ${agent}`,
  proving: (agent) => `Cloister waits for ${agent} to report itself`,
}

const EVIDENCE: Record<EventOf<'message.heard'>['evidence'], string> = {
  hook: 'it says so',
  transcript: 'its transcript has it',
  queue: 'it lies in the queue of the agent, which is busy',
  typed: 'it was typed, and more cannot be known',
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}

const RESULTS: Record<EventOf<'act.ended'>['result'], string> = {
  done: 'done and verified',
  not_done: 'not done',
  unknown: 'nobody knows whether it happened; it is not repeated',
  fenced: 'another generation lives, nothing was done',
  timed_out: 'no outcome in time',
  cancelled: 'cancelled',
}

const JUDGED: Record<EventOf<'intervention.judged'>['result'], string> = {
  recovered: 'it helped, it goes on',
  answered: 'it answered, but there is no progress',
  not_recovered: 'it did not help',
  unknown: 'nobody knows whether it helped',
}

const SLEPT: Record<EventOf<'intervention.judged'>['result'], string> = {
  recovered: 'it sleeps',
  answered: 'it is awake',
  not_recovered: 'it is awake',
  unknown: 'nobody knows whether it sleeps',
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function named(agents: readonly string[]): string {
  return agents.length === 0 ? count(0, 'agent') : `${count(agents.length, 'agent')} (${list(agents)})`
}

const LISTED = 5

export function list(names: readonly string[]): string {
  const rest = names.length - LISTED
  return names.slice(0, LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
