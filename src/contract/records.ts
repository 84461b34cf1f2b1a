/**
 * Current state as the journal keeps it: one record per agent and one for the house.
 * Observed time: a clock of the daemon's own that advances only while it runs and the machine is awake, so
 * that a sleeping laptop or a stopped daemon ages nobody. It is stored and continues after a restart.
 */
import * as z from 'zod'
import { adopted } from './adopted.ts'
import { activity, echo, evidenceSet, gauges, question, trail } from './evidence.ts'
import { documentLook } from './context-cycle.ts'
import { errand, handoff, HANDOFFS_KEPT, loan } from './handoffs.ts'
import { identity } from './identity.ts'
import { agentId, askId, effectId, generation, handoffId, messageId, needsYouId, runId, sessionId } from './ids.ts'
import { assignment, hold, interventionTally, limitHold, restarts } from './standing.ts'
import { lifecycle, verdict } from './verdict.ts'
import { agentTasks } from './tasks.ts'
import { workSignals } from './work-signals.ts'
import { TEXT_LIMIT } from './text-limit.ts'

/** Who may interrupt whom: earlier wins. */
export const PRECEDENCE = ['emergency', 'human', 'budget', 'context', 'crash', 'stuck', 'routing', 'idle'] as const
export const precedence = z.enum(PRECEDENCE)
export type Precedence = z.infer<typeof precedence>

export const actKind = z.enum([
  'spawn',
  'poke',
  'message',
  'answer',
  'kill',
  'restore',
  'resume',
  'suspend',
  'switch',
  'interrupt',
  'rest',
  'clear',
  /** A text that a rule types: go on after a usage limit; begin with what waits. */
  'continue',
  'nudge',
])
export type ActKind = z.infer<typeof actKind>

/** The one thing under way on an agent. `step` is the state of its machine (core/procedures). */
export const act = z.object({
  kind: actKind,
  effect: effectId,
  step: z.enum(['salvaging', 'ending', 'doing', 'confirming', 'checking', 'proving']),
  generation,
  /** Spawn: the tag of the process tree, known before it exists, so that it can always be found. */
  run: runId.optional(),
  /** Poke and message: the fingerprint by which the text is known again when the agent heard it. */
  fingerprint: z.string().optional(),
  /** Message, and resume: the row of the delivery ledger that it is about. */
  message: messageId.optional(),
  /** Resume: the session that is gone on with. Clear: the one that is left. */
  session: sessionId.optional(),
  /** Switch: the model that is to be. */
  model: z.string().min(1).max(100).optional(),
  precedence,
  by: z.string(),
  reason: z.string(),
  /** How often the present step was tried. */
  attempts: z.int().positive(),
  /** Kill: the agent is started again afterwards, with this prompt, or goes on with its session. */
  again: z.object({ prompt: z.string().max(TEXT_LIMIT).optional(), resume: z.literal(true).optional() }).optional(),
  /** The hand-off that wants it; what comes after its end is that one's concern. */
  handoff: handoffId.optional(),
  /** What it is told is what was written down for that hand-off. */
  handed: z.literal(true).optional(),
  decidedAt: z.number(),
  deadlineAt: z.number(),
})
export type Act = z.infer<typeof act>

/** An automatic act whose help is yet to be seen. */
export const experiment = z.object({
  act: actKind,
  /** Poke: which one of its episode. */
  n: z.int().optional(),
  decidedAt: z.number(),
  judgeAt: z.number(),
})
export type Experiment = z.infer<typeof experiment>

/** Automatic acts of one agent that may wait for their judgement at once; more of them push the oldest out. */
export const EXPERIMENTS_KEPT = 8

/** From the first sign of trouble to verified progress. The counters live exactly as long. */
export const episode = z.object({
  openedAt: z.number(),
  pokes: z.int().nonnegative(),
  lastPokeAt: z.number().optional(),
  /** The rungs after the pokes, each at most once: its turn was cut short, it was told why, it was to be ended. */
  interruptedAt: z.number().optional(),
  toldAt: z.number().optional(),
  escalatedAt: z.number().optional(),
  killedAt: z.number().optional(),
  exhausted: z.boolean(),
  /** A person has seen that it is exhausted and is not asked again. */
  acknowledged: z.boolean().optional(),
  /** Why an automatic act was last held back, so that it is recorded once. */
  heldFor: z.string().optional(),
})
export type Episode = z.infer<typeof episode>

export const ACTIVITY_LIMIT = 100
/** Occasions that were settled, per agent; more than its evidence can have at once. */
export const OCCASIONS_KEPT = 100
/** Sessions that are known of an agent. */
export const SESSIONS_KEPT = 200
/** Measures of its context that are kept per agent. */
export const FILLS_KEPT = 48
const fill = z.object({ at: z.number(), tokens: z.int().nonnegative() })
/** Rows of the delivery ledger that are kept per agent. */
export const MESSAGES_KEPT = 50

/**
 * One row of the delivery ledger. queued: waits until the way is free. typed: given to the program, which has not
 * said yet that it took it. heard: it has. undelivered: given up, and a person can have it
 * tried again. recalled: a person took it back before it was typed.
 */
export const messageRecord = z.object({
  id: messageId,
  by: z.string(),
  /** Whole until it was heard, then its beginning. */
  text: z.string().max(TEXT_LIMIT),
  /** By which what was typed is known again when it was heard. */
  fingerprint: z.string(),
  state: z.enum(['queued', 'typed', 'heard', 'undelivered', 'recalled']),
  /** The generation that it was last meant for; only that one's word counts. */
  generation,
  /** How often it was typed. */
  attempts: z.int().nonnegative(),
  queuedAt: z.number(),
  queuedWallAt: z.number(),
  /** Not tried before this instant. */
  notBeforeAt: z.number(),
  /** When it was first typed to its generation: what the program took earlier is another text. */
  typedWallAt: z.number().optional(),
  /** Why it waits, or why it was given up. */
  why: z.string().max(1400).optional(),
  /** What says that it was taken: a hook, the program's transcript, its own queue, or only that it was typed. */
  evidence: z.enum(['hook', 'transcript', 'queue', 'typed']).optional(),
  settledWallAt: z.number().optional(),
  /** Only the beginning of its text is left. */
  cut: z.literal(true).optional(),
  /** A person wants it tried again, also where nobody can tell whether it arrived. */
  insisted: z.literal(true).optional(),
})
export type MessageRecord = z.infer<typeof messageRecord>

export const NEEDS_YOU_KINDS = [
  'waiting',
  'quiet',
  'dead',
  'no_terminal',
  'attention',
  'mass',
  'kill_incomplete',
  'salvage_failed',
  'spawn_failed',
  'undelivered',
  'crash_loop',
  'work_waiting',
  'approval',
  'handoff',
  'escalation',
  'context',
  'emergency_survivors',
  'emergency_unconfirmed',
] as const

export const needsYou = z.object({
  id: needsYouId,
  kind: z.enum(NEEDS_YOU_KINDS),
  agent: agentId.optional(),
  sentence: z.string(),
  hint: z.string(),
  /** What the agent offers to choose from, where it asks one thing; free text is taken too where the runtime can. */
  options: z.array(z.string()).optional(),
  /** All that it asks at once, as it wrote it: an answer has a line for each. */
  questions: z.array(question).optional(),
  /** Which of its questions this is: an answer never goes to another one. */
  ask: askId.optional(),
  /** It can be answered from here, without typing. */
  answerable: z.boolean().optional(),
  /** The message that was not delivered, the newest of several: it can be tried again. */
  message: messageId.optional(),
  /** The hand-off that waits for a yes, or that failed. */
  handoff: handoffId.optional(),
  raisedWallAt: z.number(),
})
export type NeedsYou = z.infer<typeof needsYou>
export type NeedsYouKind = NeedsYou['kind']

export const agentRecord = z.object({
  id: agentId,
  ...identity.shape,
  lifecycle,
  lifecycleAt: z.number(),
  lifecycleWhy: z.string().optional(),
  /** What a person last asked for; a stop is never undone by a rule. */
  wanted: z.enum(['run', 'stop']),
  /** Who asked for the stop, and why. */
  stopped: z.object({ by: z.string(), reason: z.string(), wallAt: z.number() }).optional(),
  hold: hold.optional(),
  limit: limitHold.optional(),
  restarts: restarts.optional(),
  assignment: assignment.optional(),
  experiments: z.array(experiment).max(EXPERIMENTS_KEPT).optional(),
  /** Why an automatic act was last held back outside of an episode, so that it is recorded once. */
  heldFor: z.string().optional(),
  generation,
  /** The generation that its processes were started as, when its context was cleared since: they know no other. */
  bornGeneration: generation.optional(),
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
  producedAt: z.number(),
  progressedAt: z.number(),
  /** Until when its terminal may show the echo of what we last typed. */
  echoUntilAt: z.number().optional(),
  /** When Cloister last drove it on or began to hand its work over: what it does then is not its own recovery. */
  steeredAt: z.number().optional(),
  fencedGeneration: generation.optional(),
  sessionId: sessionId.optional(),
  /** All it had, oldest first, the present one last: what it used stands in their transcripts. */
  sessions: z.array(sessionId).max(SESSIONS_KEPT).optional(),
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

export const emergencyState = z.enum(['armed', 'stopping', 'stopped', 'rearming'])
export type EmergencyState = z.infer<typeof emergencyState>

export const houseRecord = z.object({
  seq: z.int().nonnegative(),
  /** Observed time, and the wall clock when it was last advanced. */
  observedAt: z.number(),
  wallAt: z.number(),
  monitoring: z.enum(['running', 'paused']),
  /** Who paused it; a pause by the settings ends with the settings. */
  pausedBy: z.string().optional(),
  emergency: z.object({
    state: emergencyState,
    /** Who asked for it; «sentinel» as long as nobody has said. */
    by: z.string().optional(),
    /** Adopted agents are ended, too. */
    adopted: z.literal(true).optional(),
    effect: effectId.optional(),
    deadlineAt: z.number().optional(),
    attempts: z.int().nonnegative(),
    survivors: z.array(z.string()),
  }),
  mass: z.object({ sinceAt: z.number(), agents: z.array(agentId) }).optional(),
  /** How automatic acts have done, by kind, since the journal began. */
  interventions: z.partialRecord(actKind, interventionTally).optional(),
  /** Items that concern no single agent. */
  needsYou: z.array(needsYou),
})
export type HouseRecord = z.infer<typeof houseRecord>
