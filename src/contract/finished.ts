/** An agent that rests with nothing left to do: what is kept of that until somebody has looked, and what is shown of it. */
import * as z from 'zod'
import { agentId, issueId } from './ids.ts'
import { testRun } from './test-run.ts'
import { lifecycle } from './verdict.ts'

/** Since when; it is kept through its sleep, and goes with its next work. */
export const finished = z.object({
  at: z.number(),
  wallAt: z.number(),
  seen: z.object({ by: z.string(), wallAt: z.number() }).optional(),
})

/** How often it was reminded of tasks that are open while it rests. Only a task that was closed since begins it anew. */
export const taskReminders = z.object({
  times: z.int().nonnegative(),
  lastAt: z.number().optional(),
  /** How many of its tasks were closed then. */
  closed: z.int().nonnegative(),
  /** A person put the item away. */
  acknowledged: z.literal(true).optional(),
})
export type TaskReminders = z.infer<typeof taskReminders>

const count = z.int().nonnegative()

/** How much a workspace differs from where its branch began, with what is not committed. */
export const diffStat = z.object({
  files: count,
  added: count,
  removed: count,
  commits: count,
  /** How many of the files no commit holds as they are; left out when it is none, and without a base. */
  uncommitted: count.optional(),
  /** What it is compared with: a branch, or a commit; left out when that is the newest commit itself. */
  base: z.string().optional(),
})
export type DiffStat = z.infer<typeof diffStat>

/** As the status and the agents' own views have it: cheap, and nothing is looked up for it. */
export const finishedBrief = z.object({
  agent: agentId,
  issue: issueId.optional(),
  title: z.string().optional(),
  wallAt: z.number(),
  /** The same as ISO 8601. */
  finishedAt: z.string(),
  /** Who has looked since, and when; then it is on the list no longer. */
  seen: finished.shape.seen,
  lifecycle,
  model: z.string(),
  branch: z.string().optional(),
  /** The last run of its tests that was seen; left out when none was. */
  tests: testRun.pick({ runner: true, result: true, why: true }).optional(),
})
export type FinishedBrief = z.infer<typeof finishedBrief>

export const finishedView = finishedBrief.extend({
  /** Left out outside a repository, and where it could not be found out. */
  diff: diffStat.optional(),
  /** What it cost so far, by its transcripts; null when something was used and none of it has a price. */
  costUsd: z.number().nonnegative().nullable().optional(),
})
export type FinishedView = z.infer<typeof finishedView>

/** Without it, it has not finished, or works again. */
export const agentFinishedView = z.object({ agent: agentId, finished: finishedView.optional() })
export type AgentFinishedView = z.infer<typeof agentFinishedView>

/** The newest first. */
export const finishedListView = z.object({ finished: z.array(finishedView) })
