/** Tasks as their sources tell them, what is kept of them with an agent, and what is shown: progress, and where work goes. */
import * as z from 'zod'
import { complexity } from './config/values.ts'
import { agentId } from './ids.ts'

export const TASK_STATES = ['open', 'in_progress', 'blocked', 'closed'] as const
export const taskState = z.enum(TASK_STATES)
export type TaskState = z.infer<typeof taskState>

export const taskSourceKind = z.enum(['beads', 'claude-tasks'])
export type TaskSourceKind = z.infer<typeof taskSourceKind>

/** What is kept of a task at most, in characters and in entries. */
export const TASK_LIMITS = { id: 100, title: 200, tag: 60, tags: 20, blockers: 20, name: 100 } as const

const taskId = z.string().min(1).max(TASK_LIMITS.id)

export const task = z.object({
  id: taskId,
  title: z.string().max(TASK_LIMITS.title),
  state: taskState,
  /** It only holds other tasks, as an epic does: nothing to do by itself. */
  group: z.literal(true).optional(),
  tags: z.array(z.string().max(TASK_LIMITS.tag)).max(TASK_LIMITS.tags),
  parent: taskId.optional(),
  /** Those that are not closed. */
  blockedBy: z.array(taskId).max(TASK_LIMITS.blockers),
  /** 0 is the most urgent. */
  priority: z.int().min(0).max(4).optional(),
  assignee: z.string().max(TASK_LIMITS.name).optional(),
  /** As whoever wrote the task said it, and where. */
  complexity: z.object({ value: complexity, from: z.enum(['metadata', 'field']) }).optional(),
  suggestedModel: z.string().max(TASK_LIMITS.name).optional(),
  /** How many files it is about. */
  files: z.int().nonnegative().optional(),
  changedWallAt: z.number().optional(),
})
export type Task = z.infer<typeof task>

/** Tasks that are kept with an agent; what is left to do comes first. */
export const TASKS_KEPT = 60

const counts = z.object({
  open: z.int().nonnegative(),
  in_progress: z.int().nonnegative(),
  blocked: z.int().nonnegative(),
  closed: z.int().nonnegative(),
})
export type TaskCounts = z.infer<typeof counts>

/** The tasks of one agent, as they were last seen. */
export const agentTasks = z.object({
  /** Left out when there is no list of tasks for it; then `why` says what is missing. */
  source: taskSourceKind.optional(),
  why: z.string().max(400).optional(),
  /** Of all of them, without groups. */
  counts,
  /** Of the task that it does, else of the next one. */
  complexity: complexity.optional(),
  tasks: z.array(task).max(TASKS_KEPT),
})
export type AgentTasks = z.infer<typeof agentTasks>

export const SIGNALS = ['explicit', 'parent', 'tags', 'files', 'keywords', 'otherwise'] as const
const signal = z.enum(SIGNALS)
export type Signal = z.infer<typeof signal>

/** What a signal says of a task; without a complexity it says nothing. */
const signalSaid = z.object({ signal, complexity: complexity.optional(), says: z.string() })
export type SignalSaid = z.infer<typeof signalSaid>

/** Where work goes, and why. */
export const workRoute = z.object({
  complexity,
  decidedBy: signal,
  /** All of them, in the order in which they are asked. */
  signals: z.array(signalSaid),
  /** The tier that the model is of, where it is of one. */
  tier: z.string().optional(),
  /** As the agent is started with it: a tier or a model id. */
  model: z.string(),
  /** The id that the settings give to the tier. */
  modelId: z.string(),
  modelBy: z.enum(['complexity', 'task', 'specialist']),
  runtime: z.string(),
  runtimeBy: z.enum(['route', 'specialist', 'model', 'default']),
  /** The runtime is not there yet: what is started instead. */
  instead: z.object({ model: z.string(), runtime: z.string(), why: z.string() }).optional(),
  /** In one sentence. */
  why: z.string(),
})
export type WorkRoute = z.infer<typeof workRoute>

const brief = z.object({ id: taskId, title: z.string() })

/** The next task that nothing blocks, and who should do it. */
const nextTaskView = brief.extend({ complexity, model: z.string(), runtime: z.string() })

export const taskProgressView = agentTasks.pick({ source: true, why: true, counts: true }).extend({
  total: z.int().nonnegative(),
  current: brief.optional(),
  next: nextTaskView.optional(),
})
export type TaskProgressView = z.infer<typeof taskProgressView>

export const tasksView = taskProgressView.extend({
  agent: agentId,
  /** What is left to do first; groups stand with them. At most 60, of `total`. */
  tasks: z.array(
    task.extend({ route: workRoute.pick({ complexity: true, decidedBy: true, model: true, runtime: true }) }),
  ),
})
export type TasksView = z.infer<typeof tasksView>

export const routeView = workRoute.extend({
  /** What was asked about: a task that was found, or only a title. */
  about: z.object({ kind: z.enum(['task', 'title']), id: z.string().optional(), title: z.string() }),
  /** Where the task stands; left out, `noTasks` says why none was looked up. */
  source: taskSourceKind.optional(),
  noTasks: z.string().optional(),
  specialist: z.string().optional(),
  /** Why nobody could be started with it, and what to do. */
  refused: z.string().optional(),
})
export type RouteView = z.infer<typeof routeView>
