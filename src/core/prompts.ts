/** What we type to agents. Each costs the user tokens, so each is short and asks for one thing. */
import type { Handoff } from '../contract/handoffs.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Task } from '../contract/tasks.ts'
import { duration } from './durations.ts'
import { causeInWords } from './health/words.ts'
import type { Judgement } from './health/judge.ts'

/** Names what was seen and asks for one next step; in the user's own words where there are any. */
export function pokeText(judgement: Judgement, own: string | null = null): string {
  const seen = seenIn(judgement)
  if (own !== null) return own.replaceAll('{seen}', seen)
  return (
    `Cloister watchdog: ${seen}. ` +
    'If you are blocked, say on what in one sentence. Otherwise name the next single step and do it now.'
  )
}

/** It was asked for its next step, answered in words, and rests. */
export function wordsText(own: string | null = null): string {
  const seen = 'you answered, but nothing was done since'
  if (own !== null) return own.replaceAll('{seen}', seen)
  return (
    `Cloister watchdog: ${seen}. Do the next single step now, with a tool. ` +
    'If nothing is left to do or you are blocked, say which in one sentence.'
  )
}

function seenIn({ cause, silentMs }: Judgement): string {
  return cause.kind === 'looping'
    ? `you seem to repeat yourself (${causeInWords(cause)})`
    : `there has been no sign of work for ${duration(silentMs)}`
}

/** After its turn was cut short. */
export function interruptedText(): string {
  return (
    'Cloister watchdog: your turn was cut short because it did not come forward, and asking did not help. ' +
    'Do not go on with what you were doing. Say in one sentence what held you up, then take another way, in small steps.'
  )
}

/** After a usage limit, or after its service failed. */
export function continueText(of?: 'outage'): string {
  const over = of === 'outage' ? "the model's service failed and may be back" : 'your usage limit should be over'
  return `Cloister: ${over}. Go on with what you were doing.`
}

/** Work waits while it rests. */
export function nudgeText(what: string): string {
  return `Cloister: work waits for you and you rest. Begin with it now, or say in one sentence what keeps you from it: ${what}`
}

/** Tasks of its issue are open while it rests. */
export function tasksText(tasks: string): string {
  return (
    `Cloister: you rest, and tasks of your issue are open: ${tasks}. Go on with the next one now. ` +
    'If one is done, close it; if one is blocked, say by what.'
  )
}

/** After its program failed and its session goes on. */
export function restartText(why: string): string {
  return (
    `Cloister: your program ended (${why}) and was started again. ` +
    'Look at the workspace (git status) to see how far you came, then go on with what you were doing.'
  )
}

/** After an emergency stop, when a person starts it again. */
export function stoppedText(): string {
  return (
    'Cloister: an emergency stop ended your program while you worked, and a person started it again. ' +
    'Look at the workspace (git status) to see how far you came, then go on with what you were doing.'
  )
}

export function plainPokeText(): string {
  return 'Cloister: a person asks how it is going. Say in one sentence what you are doing, then go on with the next step.'
}

export function letterText(path: string): string {
  return `Cloister: a message for you is too long to be typed. Read the whole file ${path} and do what it says.`
}

const SUMMARY_ACTIVITIES = 12
const SUMMARY_TASKS = 8

/** Where an agent stands whose session is lost, for the one that goes on in its place; it is told its task before this. */
export function summaryText(agent: AgentRecord): string {
  const did = agent.activities.slice(-SUMMARY_ACTIVITIES).flatMap(({ action, tool }) => action ?? tool ?? [])
  const about = [agent.title, agent.issue, agent.project].filter((each) => each !== undefined).join(', ')
  const branch = agent.evidence.git?.branch ?? ''
  const left = (agent.tasks?.tasks ?? []).filter(({ state, group }) => state !== 'closed' && group !== true)
  return [
    ...(about === '' ? [] : [`It is about: ${about}.`]),
    ...(branch === '' ? [] : [`You are on the branch ${branch}.`]),
    ...(left.length === 0 ? [] : ['Tasks that are not closed:', ...left.slice(0, SUMMARY_TASKS).map(taskLine)]),
    ...(did.length === 0 ? [] : ['You last did:', ...did.map((each) => `- ${oneLine(each)}`)]),
    'Look at the workspace (git status, git log) to see how far it came, say in one sentence what is left, and go on with it. ' +
      'If nothing is left, say so and do nothing.',
  ].join('\n')
}

function taskLine({ id, title, state }: Task): string {
  return `- ${id} (${state.replace('_', ' ')}): ${oneLine(title)}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}

/** A hand-off that came to nothing. */
export function keptText({ cycle }: Pick<Handoff, 'cycle'> = {}): string {
  if (cycle !== undefined) {
    return (
      'Cloister: your context is not cleared after all. Go on with your work where you were. ' +
      `Should you remember nothing of it, read ${cycle.document}, which you wrote for yourself.`
    )
  }
  return 'Cloister: your work is not handed over after all. Go on with it where you were, with the next single step.'
}

/** A specialist is done, and what it said could not be written down. */
export function returnedText(specialist: string): string {
  return (
    `Cloister: ${specialist} had your work and gives it back. Look at the workspace (git status, git log) for what it ` +
    'changed, then go on with the next single step.'
  )
}

export function softStopReason(by: string): string {
  return `${by} asked you to come to rest`
}

/** The first prompt of an agent to whom nobody gave one. */
export function issueText({ issue, title, branch }: { issue: string; title?: string; branch: string }): string {
  const what = title === undefined ? `issue ${issue.toUpperCase()}` : `issue ${issue.toUpperCase()}: ${title}`
  return (
    `Work on ${what}. You are in a git worktree of your own, on the branch ${branch}: commit there, in small steps. ` +
    'If you do not know what the issue asks for, say what you need to know and wait.'
  )
}
