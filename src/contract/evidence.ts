/**
 * What witnesses say of an agent, and what we conclude.
 * A sighting is what one look or report brings in; evidence is the newest one kept per witness.
 * Instants named …At are milliseconds of observed time (see records.ts) unless they say «wall».
 */
import * as z from 'zod'
import { doing, DOING_KINDS, question, type Doing, type Question } from './doing.ts'
import { agentId, generation, sessionId } from './ids.ts'
import { fact, FACTS_MOST, seen } from './open-work.ts'
import { agentTasks } from './tasks.ts'
import { trace, type Trace } from './trace.ts'

export { doing, DOING_KINDS, question, trace }
export type { Doing, Question, Trace }

export const WITNESSES = ['process', 'hook', 'registry', 'transcript', 'terminal', 'git', 'tasks'] as const
export const witness = z.enum(WITNESSES).meta({ description: 'A source of observation' })
export type Witness = z.infer<typeof witness>

export const activity = z
  .object({
    ts: z.string(),
    tool: z.string().max(100).optional(),
    action: z.string().max(100).optional(),
    state: z.enum(['active', 'idle']),
  })
  .meta({ description: 'One line of activity.jsonl' })
export type Activity = z.infer<typeof activity>

/** How much the model was last given to read, of how much it can. */
export const context = z.object({
  tokens: z.int().nonnegative(),
  /** Unknown until the program says it, or the model is a known one. */
  window: z.int().positive().optional(),
  source: z.enum(['status_line', 'transcript']),
})
export type Context = z.infer<typeof context>

/** One of the account's limits, as the program tells it: how much of it is used, and when it begins anew. */
export const limit = z.object({
  name: z.string().max(40),
  share: z.number().nonnegative(),
  resetsWallAt: z.number().optional(),
})
export type Limit = z.infer<typeof limit>

/** What the agent's program says of itself beside what it does. */
export const gauges = z.object({
  context: context.optional(),
  limits: z.array(limit).max(10).optional(),
  /** The program's own total for its present session. */
  sessionCostUsd: z.number().nonnegative().optional(),
  /** What it may do without asking, in the program's own word. */
  permissionMode: z.string().max(40).optional(),
})
export type Gauges = z.infer<typeof gauges>

export const TRAIL_LIMIT = 48

/** The newest steps of an agent, oldest first, with the instant at which each was told. */
export const trail = z.object({
  steps: z.array(z.object({ at: z.number(), trace })).max(TRAIL_LIMIT),
  /** When somebody other than our rules last told it to do something. */
  turnAt: z.number().optional(),
  /** What its session had cost when it last made progress. */
  progressUsd: z.number().optional(),
})
export type Trail = z.infer<typeof trail>

/** The line by which a successor shows that it read what it was given: whose it is, and what it does in its own words. */
export const echo = z.object({
  nonce: z.string().min(4).max(32),
  task: z.string().min(1).max(300),
  step: z.string().min(1).max(300),
})
export type Echo = z.infer<typeof echo>

/** Why the repository that an agent was started in cannot be used, and which one git takes there instead. */
export const unusableRepository = z.object({
  why: z.string().min(1).max(1000),
  instead: z.string().min(1).max(1000).optional(),
})
export type UnusableRepository = z.infer<typeof unusableRepository>

export const sighting = z.object({
  agent: agentId,
  generation,
  witness,
  /** Identity of the newest thing this witness saw; an unchanged stamp is no new activity. */
  stamp: z.string().max(200).optional(),
  /** How old that thing was when it was seen. */
  ageMs: z.number().nonnegative().optional(),
  doing: doing.optional(),
  /** What happened with its calls, waits and turns; what it does is told from that by the core. */
  facts: z.array(fact).max(FACTS_MOST).optional(),
  /** Registry and transcript: how they stand now; whether that is believed is weighed by the core. */
  seen: seen.optional(),
  /** It was said against what is believed, and so is younger than that, whatever the clocks say. */
  objects: z.literal(true).optional(),
  /** Positive evidence only: leave out when the witness could not tell. */
  alive: z.boolean().optional(),
  exitCode: z.int().optional(),
  /** Terminal: the pane is not there any more, and nobody saw its process end. Says nothing about the process. */
  lost: z.literal(true).optional(),
  /** Child processes of the agent used CPU since the last look. */
  busy: z.boolean().optional(),
  /** Identity of the newest piece of progress: commit, diff, closed task, novel call. */
  progress: z.string().max(200).optional(),
  activity: activity.optional(),
  trace: trace.optional(),
  /** Git: the workspace itself is not there. */
  missing: z.literal(true).optional(),
  /** Git: the workspace is there, and the repository that it was started in is not. */
  unusable: unusableRepository.optional(),
  /** Git: what HEAD points at; empty when it is detached. */
  branch: z.string().max(250).optional(),
  /** Git: the files that conflict, while a merge or the like is under way; none when it is not. */
  conflicts: z.array(z.string().min(1).max(300)).max(10).optional(),
  /** Git: the plan of its issue as it lies in the workspace, whole and left alone for a while. */
  plan: z
    .object({ path: z.string().min(1).max(300), stamp: z.string().max(200), ageMs: z.number().nonnegative() })
    .optional(),
  /** Fingerprint (core/fingerprint.ts) of a text that the agent's program took as its input. */
  heard: z.string().max(32).optional(),
  echo: echo.optional(),
  sessionId: sessionId.optional(),
  pid: z.int().positive().optional(),
  gauges: gauges.optional(),
  /** Tasks: all that is kept of the agent's. */
  tasks: agentTasks.optional(),
})
export type Sighting = z.infer<typeof sighting>

export const evidence = z.object({
  seenAt: z.number(),
  changedAt: z.number(),
  stamp: z.string().optional(),
  doing: doing.optional(),
  doingAt: z.number().optional(),
  /** When that began, where it was said of something that had begun before. */
  beganAt: z.number().optional(),
  alive: z.boolean().optional(),
  exitCode: z.int().optional(),
  lost: z.literal(true).optional(),
  /** Since when, and by how many looks in a row (at most two are told), it was seen to be gone or lost. */
  goneAt: z.number().optional(),
  goneLooks: z.int().positive().optional(),
  /** Whether the process tree used CPU when last seen, and when it last did. */
  busy: z.boolean().optional(),
  busyAt: z.number().optional(),
  progress: z.string().optional(),
  progressAt: z.number().optional(),
  branch: z.string().optional(),
  missing: z.literal(true).optional(),
  unusable: unusableRepository.optional(),
})
export type Evidence = z.infer<typeof evidence>

export const evidenceSet = z.partialRecord(witness, evidence)
