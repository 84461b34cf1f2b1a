/** What we type to agents. Each costs the user tokens, so each is short and asks for one thing. */
import type { AgentRecord } from '../contract/records.ts'
import { duration } from './durations.ts'
import { causeInWords } from './health/words.ts'
import type { Judgement } from './health/judge.ts'

/** Names what was seen and asks for one next step. */
export function pokeText(agent: AgentRecord, judgement: Judgement): string {
  const seen =
    judgement.cause.kind === 'looping'
      ? `you seem to repeat yourself (${causeInWords(judgement.cause)})`
      : `there has been no sign of work for ${duration(judgement.silentMs)}`
  return (
    `Cloister watchdog: ${seen}. ` +
    'If you are blocked, say on what in one sentence. Otherwise name the next single step and do it now.'
  )
}

export function plainPokeText(): string {
  return 'Cloister: a person asks how it is going. Say in one sentence what you are doing, then go on with the next step.'
}

export function letterText(path: string): string {
  return `Cloister: a message for you is too long to be typed. Read the whole file ${path} and do what it says.`
}

const SUMMARY_ACTIVITIES = 12
const SUMMARY_MESSAGES = 3

/** What is known of an agent whose session is lost, for the one that goes on in its place. */
export function summaryText(agent: AgentRecord): string {
  const did = agent.activities.slice(-SUMMARY_ACTIVITIES).flatMap(({ action, tool }) => action ?? tool ?? [])
  const told = (agent.messages ?? []).filter(({ state }) => state === 'heard').slice(-SUMMARY_MESSAGES)
  const about = [agent.title, agent.issue, agent.project].filter((each) => each !== undefined).join(', ')
  return [
    'Cloister: your earlier session could not be gone on with, so you begin anew. This is what is known of your work.',
    ...(about === '' ? [] : [`It is about: ${about}.`]),
    ...(told.length === 0 ? [] : ['You were last told:', ...told.map(({ text }) => `- ${oneLine(text)}`)]),
    ...(did.length === 0 ? [] : ['You last did:', ...did.map((each) => `- ${oneLine(each)}`)]),
    'Look at the workspace (git status, git log) to see how far it came, say in one sentence what is left, and wait.',
  ].join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
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
