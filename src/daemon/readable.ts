/**
 * The one place where foreign text comes in: what adapters say is checked before the core sees it, since what is stored
 * once must be readable for ever, and secrets are taken out of it, since what is stored is shown.
 */
import type { StopNote } from '../core/inputs.ts'
import { outcome as outcomeSchema, type Outcome } from '../contract/effects.ts'
import {
  sighting as sightingSchema,
  type Activity,
  type Doing,
  type Question,
  type Sighting,
  type UnusableRepository,
} from '../contract/evidence.ts'
import type { Fact, Seen } from '../contract/open-work.ts'
import { TASK_LIMITS, type AgentTasks } from '../contract/tasks.ts'
import { redactTo } from '../core/redact.ts'
import type { Look } from './observe.ts'

const LONGEST = 400
/** All that keeps a program from being started, each with its fix. */
const LONGEST_DETAIL = 1200
const LONGEST_NAME = 100
const LONGEST_ACTION = 100
const LONGEST_STAMP = 200
const LONGEST_BRANCH = 250
const LONGEST_OPTION = 200
const LONGEST_REASON = 200
const LONGEST_STEP = 300
const LONGEST_PLACE = 1000

/** Undefined when it says nothing that could be kept. */
export function readableSighting(sighting: Sighting): Sighting | undefined {
  if (!sightingSchema.safeParse(sighting).success) return undefined
  const { activity, doing, facts, seen, stamp, branch, tasks, echo, unusable } = sighting
  return {
    ...sighting,
    // A stamp may hold the name of a branch.
    ...(stamp === undefined ? {} : { stamp: redactTo(stamp, LONGEST_STAMP) }),
    ...(branch === undefined ? {} : { branch: redactTo(branch, LONGEST_BRANCH) }),
    ...(unusable === undefined ? {} : { unusable: cleanUnusable(unusable) }),
    ...(activity === undefined ? {} : { activity: cleanActivity(activity) }),
    ...(doing === undefined ? {} : { doing: cleanDoing(doing) }),
    ...(facts === undefined ? {} : { facts: facts.map(cleanFact) }),
    ...(seen === undefined ? {} : { seen: cleanSeen(seen) }),
    ...(tasks === undefined ? {} : { tasks: cleanTasks(tasks) }),
    ...(echo === undefined
      ? {}
      : { echo: { ...echo, task: redactTo(echo.task, LONGEST_STEP), step: redactTo(echo.step, LONGEST_STEP) } }),
  }
}

function cleanUnusable({ why, instead }: UnusableRepository): UnusableRepository {
  const place = instead === undefined ? {} : { instead: redactTo(instead, LONGEST_PLACE) }
  return { why: redactTo(why, LONGEST_PLACE), ...place }
}

/** Titles are written by agents, too. */
function cleanTasks(tasks: AgentTasks): AgentTasks {
  return {
    ...tasks,
    tasks: tasks.tasks.map((task) => ({ ...task, title: redactTo(task.title, TASK_LIMITS.title) })),
  }
}

export function readableLook({ sightings, blind, sentinel, ...note }: Look): Look {
  const readable = sightings.flatMap((sighting) => readableSighting(sighting) ?? [])
  return {
    sightings: readable,
    sentinel,
    ...(blind === undefined ? {} : { blind: redactTo(blind, LONGEST) }),
    ...readableNote(note),
  }
}

/** Who stopped the fleet, when and why, as the sentinel says it. */
export function readableNote({ reason, person, askedWallAt }: StopNote): StopNote {
  return {
    ...(reason === undefined ? {} : { reason: redactTo(reason, LONGEST_REASON) }),
    ...(person === undefined ? {} : { person: redactTo(person, LONGEST_REASON) }),
    ...(askedWallAt === undefined ? {} : { askedWallAt }),
  }
}

/** An answer that cannot be read is no answer: nobody knows what became of the effect. */
export function readableOutcome(outcome: Outcome): Outcome {
  const { detail } = outcome
  const short = detail === undefined ? outcome : { ...outcome, detail: redactTo(detail, LONGEST_DETAIL) }
  const { success } = outcomeSchema.safeParse(short)
  return success ? short : { result: 'unknown', detail: 'its outcome could not be read' }
}

function cleanActivity(activity: Activity): Activity {
  const { tool, action } = activity
  return {
    ...activity,
    ...(tool === undefined ? {} : { tool: redactTo(tool, LONGEST_NAME) }),
    ...(action === undefined ? {} : { action: redactTo(action, LONGEST_ACTION) }),
  }
}

/** A question's own request stays as it is: its answer goes back inside it, and it is shown to nobody. */
function cleanDoing(doing: Doing): Doing {
  if (doing.kind === 'tool') return { ...doing, name: redactTo(doing.name, LONGEST_NAME) }
  if (!('what' in doing)) return doing
  const what = redactTo(doing.what, LONGEST)
  if (doing.kind !== 'question' || doing.questions === undefined) return { ...doing, what }
  return { ...doing, what, questions: doing.questions.map(cleanQuestion) }
}

function cleanFact(fact: Fact): Fact {
  if (fact.fact === 'call_opened') return { ...fact, tool: redactTo(fact.tool, LONGEST_NAME) }
  if (fact.fact === 'wait_opened') return { ...fact, doing: cleanDoing(fact.doing) }
  return 'rest' in fact ? { ...fact, rest: cleanDoing(fact.rest) } : fact
}

function cleanSeen({ status, tail }: Seen): Seen {
  const what = status?.what === undefined ? {} : { what: redactTo(status.what, LONGEST) }
  const failed = tail?.failed === undefined ? {} : { failed: { ...tail.failed, doing: cleanDoing(tail.failed.doing) } }
  return {
    ...(status === undefined ? {} : { status: { ...status, ...what } }),
    ...(tail === undefined ? {} : { tail: { ...tail, ...failed } }),
  }
}

function cleanQuestion({ question, options, several }: Question): Question {
  return {
    question: redactTo(question, LONGEST),
    options: options.map(({ label, about }) => ({
      label: redactTo(label, LONGEST_OPTION),
      ...(about === undefined ? {} : { about: redactTo(about, LONGEST) }),
    })),
    ...(several === undefined ? {} : { several }),
  }
}
