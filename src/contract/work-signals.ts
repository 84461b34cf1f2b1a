/** What was seen of an agent's work that may call for other hands: its tests, its plan, closed tasks, conflicts, reports. */
import * as z from 'zod'
import { TASK_LIMITS } from './tasks.ts'
import { testRun } from './test-run.ts'

/** What is kept of each at most. */
export const SIGNAL_LIMITS = { tests: 10, closed: 20, conflicts: 10, reports: 10 } as const

const path = z.string().min(1).max(300)

const closedTask = z.object({
  id: z.string().min(1).max(TASK_LIMITS.id),
  title: z.string().max(TASK_LIMITS.title),
})

/** What somebody else found of the work: a specialist, a person, or a machine that builds it. */
export const workReport = z.object({
  id: z.string().min(1).max(40),
  from: z.string().min(1).max(100),
  about: z.enum(['tests', 'review', 'merge', 'ci']),
  passed: z.boolean(),
  /** It is about the safety of others. */
  security: z.literal(true).optional(),
  says: z.string().max(300).optional(),
})
export type WorkReport = z.infer<typeof workReport>

export const workSignal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tests'), run: testRun.omit({ counts: true }) }),
  z.object({ kind: z.literal('plan_left') }),
  z.object({ kind: z.literal('plan_file'), path }),
  z.object({ kind: z.literal('tasks_closed'), tasks: z.array(closedTask).min(1).max(SIGNAL_LIMITS.closed) }),
  /** Files that conflict; none when it is over. */
  z.object({ kind: z.literal('conflict'), files: z.array(path).max(SIGNAL_LIMITS.conflicts) }),
  z.object({ kind: z.literal('report'), report: workReport }),
])
export type WorkSignal = z.infer<typeof workSignal>

/** All but the reports are of the present generation, oldest first. */
export const workSignals = z.object({
  tests: z
    .array(testRun.omit({ counts: true }))
    .max(SIGNAL_LIMITS.tests)
    .optional(),
  planLeft: z.literal(true).optional(),
  planFile: path.optional(),
  closed: z.array(closedTask).max(SIGNAL_LIMITS.closed).optional(),
  conflict: z.array(path).max(SIGNAL_LIMITS.conflicts).optional(),
  reports: z.array(workReport).max(SIGNAL_LIMITS.reports).optional(),
})
export type WorkSignals = z.infer<typeof workSignals>
