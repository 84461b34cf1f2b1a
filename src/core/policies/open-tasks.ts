/**
 * An agent that rests while its issue has open, unblocked tasks is not finished: it is reminded of them, at most
 * MAX_REMINDERS times and COOLDOWN_MS apart, and then a person is asked. Only a closed task begins the count anew: that
 * it answers a reminder is none. One that was never told anything, or was cut short, is left to whoever did that.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Task } from '../../contract/tasks.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { isBetweenTurns } from '../finished.ts'
import { citationsOf } from '../health/words.ts'
import { tasksText } from '../prompts.ts'
import { NO_ADVICE, type Advice, type Situation } from '../proposals.ts'
import { MAX_REMINDERS, openTasksOf, REMINDER, remindersOf, tasksInWords } from '../tasks/open-tasks.ts'

export const COOLDOWN_MS = 15 * MINUTE
/** It may be about to begin by itself, and its list may be about to be read. */
export const PATIENCE_MS = 2 * MINUTE

export function openTasks(given: Situation): Advice {
  const { agent, now, settings } = given
  const tasks = openTasksOf(agent)
  if (tasks.length === 0 || agent.lifecycle !== 'idle' || !isBetweenTurns(agent)) return NO_ADVICE
  const readyAt = askAt(agent, given.graceAt)
  if (now < readyAt) return { ...NO_ADVICE, wakeAt: readyAt }
  if (!settings.nudgeAssigned || remindersOf(agent).times >= MAX_REMINDERS) return NO_ADVICE
  return {
    ...NO_ADVICE,
    wakeAt: now + 30 * SECOND,
    proposal: {
      kind: 'nudge',
      precedence: 'routing',
      by: REMINDER,
      reason: reasonFor(tasks),
      citations: citationsOf(agent, now),
      text: tasksText(tasksInWords(tasks)),
      experiment: { judgeAt: now + COOLDOWN_MS },
    },
  }
}

function reasonFor(tasks: readonly Task[]): string {
  const [only, more] = tasks
  if (only !== undefined && more === undefined)
    return `it rests and a task of its issue is open: ${tasksInWords(tasks)}`
  return `it rests and ${tasks.length} tasks of its issue are open: ${tasksInWords(tasks)}`
}

/** Told of them as often as it may be, or not at all where reminders are off, and a person has not put it away. */
export function isRemindedOut(agent: AgentRecord, { now, graceAt, isOff }: Asked): boolean {
  if (agent.lifecycle === 'active' || openTasksOf(agent).length === 0) return false
  const { times, acknowledged } = remindersOf(agent)
  if (acknowledged === true || (agent.lifecycle === 'idle' && now < askAt(agent, graceAt))) return false
  return times >= MAX_REMINDERS || (isOff && agent.lifecycle === 'idle' && isBetweenTurns(agent))
}

interface Asked {
  now: number
  graceAt: number
  /** Agents are reminded of nothing, by the settings. */
  isOff: boolean
}

function askAt(agent: AgentRecord, graceAt: number): number {
  const { lastAt = -Infinity } = remindersOf(agent)
  return Math.max(Math.max(agent.lifecycleAt, graceAt) + PATIENCE_MS, lastAt + COOLDOWN_MS)
}
