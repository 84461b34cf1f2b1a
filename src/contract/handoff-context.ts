/**
 * What one generation leaves to the next, under the documents' own names. A part that could not be had is left out and
 * stands in `missing` with the reason; an empty text or list says that there is nothing. All of it is foreign text: it is
 * cut, and secrets are out.
 */
import * as z from 'zod'
import { complexity } from './config/values.ts'
import { tokenSums } from './cost-views.ts'
import { agentId, generation, issueId, projectId, sessionId } from './ids.ts'

/** Characters, and entries of lists. */
export const CONTEXT_LIMITS = {
  file: 40_000,
  summary: 6_000,
  words: 6_000,
  path: 1_000,
  line: 300,
  uncommittedFiles: 200,
  tasks: 100,
  notes: 20,
} as const

const { file, summary, words, path, line, uncommittedFiles, tasks, notes } = CONTEXT_LIMITS

/** A task as far as a hand-off needs it. */
export const handoffTask = z.object({
  id: z.string().min(1).max(100),
  title: z.string().max(line),
  state: z.enum(['open', 'in_progress', 'blocked', 'closed']),
  complexity: complexity.optional(),
})
export type HandoffTask = z.infer<typeof handoffTask>

export const CONTEXT_PARTS = [
  'stateFile',
  'claudeMd',
  'gitBranch',
  'uncommittedFiles',
  'lastCommit',
  'tasks',
  'lastWords',
  'whatWasDone',
  'whatRemains',
  'blockers',
  'decisions',
  'tokenUsage',
  'costSoFar',
] as const
export const contextPart = z.enum(CONTEXT_PARTS)
export type ContextPart = z.infer<typeof contextPart>

const taskList = z.array(handoffTask).max(tasks)
const lines = z.array(z.string().max(line)).max(notes)

export const handoffContext = z.object({
  issueId: issueId.optional(),
  project: projectId.optional(),
  title: z.string().max(200).optional(),
  agentId,
  generation,
  workspace: z.string().min(1).max(4096),
  previousModel: z.string().min(1).max(100),
  previousRuntime: z.string().min(1).max(64),
  previousSessionId: sessionId.optional(),
  capturedAt: z.string(),

  stateFile: z.string().max(file).optional(),
  /** Where it was found in the workspace. */
  stateFilePath: z.string().max(path).optional(),
  claudeMd: z.string().max(file).optional(),

  gitBranch: z.string().max(250).optional(),
  /** The first of `uncommittedTotal`. */
  uncommittedFiles: z.array(z.string().max(path)).max(uncommittedFiles).optional(),
  uncommittedTotal: z.int().nonnegative().optional(),
  /** Its hash and its subject. */
  lastCommit: z.string().max(line).optional(),

  activeBeadsTasks: taskList.optional(),
  /** Open ones and those that wait for another. */
  remainingTasks: taskList.optional(),
  /** The newest of them. */
  completedTasks: taskList.optional(),

  /** What its model last said, in its own words. */
  lastWords: z.string().max(words).optional(),
  whatWasDone: z.string().max(summary).optional(),
  whatRemains: z.string().max(summary).optional(),
  /** The very next one of what remains. */
  nextStep: z.string().max(line).optional(),
  blockers: lines.optional(),
  decisions: lines.optional(),
  /** Whose words the summaries are; no model was asked for them. */
  summaryFrom: z.partialRecord(
    z.enum(['whatWasDone', 'whatRemains']),
    z.enum(['STATE.md', 'hand-off document', 'transcript']),
  ),

  tokenUsage: tokenSums.optional(),
  /** US dollars. */
  costSoFar: z.number().nonnegative().optional(),
  handoffCount: z.int().nonnegative(),

  missing: z.array(z.object({ part: contextPart, why: z.string().max(line) })).max(CONTEXT_PARTS.length),
  /** Parts of which only the beginning is here. */
  cut: z.array(contextPart).max(CONTEXT_PARTS.length),
})
export type HandoffContext = z.infer<typeof handoffContext>
