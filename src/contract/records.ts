/**
 * Current state as the journal keeps it: one record per agent and one for the house.
 * Observed time: a clock of the daemon's own that advances only while it runs and the machine is awake, so
 * that a sleeping laptop or a stopped daemon ages nobody. It is stored and continues after a restart.
 */
import * as z from 'zod'
import { act, episode, experiment, EXPERIMENTS_KEPT } from './acts.ts'
import { adopted } from './adopted.ts'
import { activity, echo, evidenceSet, gauges, trail } from './evidence.ts'
import { documentLook } from './context-cycle.ts'
import { errand, handoff, HANDOFFS_KEPT, loan } from './handoffs.ts'
import { finished, taskReminders } from './finished.ts'
import { identity } from './identity.ts'
import { agentId, generation, runId, sessionId } from './ids.ts'
import { messageRecord, MESSAGES_KEPT } from './messages.ts'
import { needsYou } from './needs-you.ts'
import { callBounds, openWork } from './open-work.ts'
import { ground } from './repository.ts'
import { assignment, hold, limitHold, restarts } from './standing.ts'
import { lifecycle, verdict } from './verdict.ts'
import { TASK_TEXTS_KEPT, taskText } from './task-texts.ts'
import { agentTasks } from './tasks.ts'
import { workSignals } from './work-signals.ts'

export const ACTIVITY_LIMIT = 100
/** Occasions that were settled, per agent; more than its evidence can have at once. */
export const OCCASIONS_KEPT = 100
/** Sessions that are known of an agent. */
export const SESSIONS_KEPT = 200
/** Measures of its context that are kept per agent. */
export const FILLS_KEPT = 48
/** Texts of our own by which an agent's hearing them is known. */
export const OWN_WORDS_KEPT = 8
/** What waits to be told to an agent that does not run. */
export const NOTES_KEPT = 5
const fill = z.object({ at: z.number(), tokens: z.int().nonnegative() })

export const agentRecord = z.object({
  id: agentId,
  ...identity.shape,
  lifecycle,
  lifecycleAt: z.number(),
  lifecycleWhy: z.string().optional(),
  /** When it was last put to sleep, and last woken from it. */
  suspendedWallAt: z.number().optional(),
  resumedWallAt: z.number().optional(),
  /** What a person last asked for; a stop is never undone by a rule. */
  wanted: z.enum(['run', 'stop']),
  /** Who asked for the stop, and why. */
  stopped: z.object({ by: z.string(), reason: z.string(), wallAt: z.number() }).optional(),
  hold: hold.optional(),
  limit: limitHold.optional(),
  restarts: restarts.optional(),
  assignment: assignment.optional(),
  /** It rests, and nothing is left for it to do. */
  finished: finished.optional(),
  taskReminders: taskReminders.optional(),
  experiments: z.array(experiment).max(EXPERIMENTS_KEPT).optional(),
  /** Why an automatic act was last held back outside of an episode, so that it is recorded once. */
  heldFor: z.string().optional(),
  generation,
  /** The generation that its processes were started as, when its context was cleared since: they know no other. */
  bornGeneration: generation.optional(),
  /** When its context was last cleared: what it does is its progress from there on. */
  clearedAt: z.number().optional(),
  ...ground.shape,
  startedAt: z.number().optional(),
  run: runId.optional(),
  /** A person started it; what Cloister may do to it is said here. */
  adopted: adopted.optional(),
  /** Judged only while the lifecycle is active. */
  verdict: verdict.optional(),
  episode: episode.optional(),
  act: act.optional(),
  needsYou: z.array(needsYou),
  salvages: z.array(z.string()).max(20),
  /** Level state: newest evidence, not journaled as events. */
  evidence: evidenceSet,
  /** Level state: what it has open, by what its program reports. */
  open: openWork.optional(),
  /** How long its program lets its calls run; of the present processes. */
  bounds: callBounds.optional(),
  producedAt: z.number(),
  progressedAt: z.number(),
  /** Until when its terminal may show the echo of what we last typed. */
  echoUntilAt: z.number().optional(),
  /** That no rule helps it, as a person has seen it: not asked again while that is so. */
  unhelpedSeen: z.string().optional(),
  /** When Cloister last drove it on or began to hand its work over: what it does then is not its own recovery. */
  steeredAt: z.number().optional(),
  /** Fingerprints of what our rules last typed to it, oldest first. */
  ownWords: z.array(z.string().max(32)).max(OWN_WORDS_KEPT).optional(),
  fencedGeneration: generation.optional(),
  sessionId: sessionId.optional(),
  /** All it had, oldest first, the present one last: what it used stands in their transcripts. */
  sessions: z.array(sessionId).max(SESSIONS_KEPT).optional(),
  /** The last session whose transcript was seen: only what was seen can be called deleted. */
  transcribed: sessionId.optional(),
  /** The session before its context was cleared: what is still reported of it is of an earlier generation. */
  pastSession: sessionId.optional(),
  pid: z.int().positive().optional(),
  activities: z.array(activity).max(ACTIVITY_LIMIT),
  /** Its newest calls by fingerprint; of the present generation. */
  trail: trail.optional(),
  /** The newest word on each; of the present session. */
  gauges: gauges.extend({ contextAt: z.number().optional(), costAt: z.number().optional() }).optional(),
  /** How full its context was, oldest first; of the present session. */
  fills: z.array(fill).max(FILLS_KEPT).optional(),
  /** As they were last seen in the list that they stand in. */
  tasks: agentTasks.optional(),
  /** What may call for other hands, and the occasions of which nobody is asked again. */
  signals: workSignals.optional(),
  occasions: z.array(z.string().max(32)).max(OCCASIONS_KEPT).optional(),
  /** The delivery ledger, oldest first. */
  messages: z.array(messageRecord).max(MESSAGES_KEPT).optional(),
  /** What it has to be told when it is next started, oldest first. */
  notes: z.array(z.string().max(1000)).max(NOTES_KEPT).optional(),
  /** What it was told to do, oldest first; the texts lie in files of their own. */
  task: z
    .array(taskText)
    .max(TASK_TEXTS_KEPT + 1)
    .optional(),
  /** The one that is open, and the last ones, oldest first. */
  handoff: handoff.optional(),
  handoffs: z.array(handoff).max(HANDOFFS_KEPT).optional(),
  /** Level state: the last look at the document of the open one. */
  documentLook: documentLook.optional(),
  /** Its work is with a specialist, and it rests meanwhile. */
  lent: loan.optional(),
  /** As a specialist: what the hand-off of another agent's work last asked of it. */
  errand: errand.optional(),
  /** Rules hand its work to nobody; left out where they may. */
  autoHandoff: z.literal('off').optional(),
  /** What it said to be its next step, and to whom; of the present generation. */
  echo: echo.optional(),
})
export type AgentRecord = z.infer<typeof agentRecord>
