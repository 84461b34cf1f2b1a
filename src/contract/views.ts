/** What is shown and published: the shapes of the API, the CLI's --json and the files under agents/. */
import * as z from 'zod'
import { adoptedView } from './adopted.ts'
import { refusal } from './commands.ts'
import { cycleView } from './cycle-view.ts'
import { event } from './events.ts'
import { activity, context, DOING_KINDS, limit, witness } from './evidence.ts'
import { finishedBrief } from './finished.ts'
import { lentView, openHandoffView } from './handoff-panel-views.ts'
import { identity } from './identity.ts'
import { agentId, generation, handoffId } from './ids.ts'
import { needsYou } from './needs-you.ts'
import { messageRecord } from './messages.ts'
import { actKind } from './acts.ts'
import { SHOWN } from './shown.ts'
import { desiredView, resumeView } from './standing.ts'
import { taskProgressView } from './tasks.ts'
import { cause, causeClass, citation, health, lifecycle } from './verdict.ts'

/** What an agent's runtime can do beyond being started, told something and ended. */
export const capability = z.enum(['resume', 'interrupt', 'clear', 'softStop', 'ask', 'confirmsText', 'usage'])
export type Capability = z.infer<typeof capability>

/** What an agent is doing now, who says so, and since when. */
export const doingView = z.object({
  kind: z.enum(DOING_KINDS),
  /** The open tool, or what is asked, or what went wrong. */
  what: z.string().optional(),
  witness,
  ageMs: z.number().nonnegative(),
})
export type DoingView = z.infer<typeof doingView>

/** The newest sign of life: by the agent's own reports where they come, else by what is seen of it from outside. */
export const heartbeatView = z.object({
  source: z.enum(['active', 'passive']),
  confidence: z.enum(['high', 'medium']),
  witness,
  ageMs: z.number().nonnegative(),
  /** What it last reported; nothing of that is seen from outside. */
  tool: z.string().nullable(),
  action: z.string().nullable(),
  /** Every source that was ever heard, the newest first. */
  sources: z.array(z.object({ witness, source: z.enum(['active', 'passive']), ageMs: z.number().nonnegative() })),
})
export type HeartbeatView = z.infer<typeof heartbeatView>

/** How full its context is; the share is known where the window is. */
export const contextView = context.extend({
  share: z.number().nonnegative().optional(),
  ageMs: z.number().nonnegative(),
})
export type ContextView = z.infer<typeof contextView>

export const agentView = z.object({
  id: agentId,
  ...identity.shape,
  lifecycle,
  /** A person started it; it is only watched, but for what is allowed. */
  adopted: adoptedView.optional(),
  /** Health, cause and reason are there only while the lifecycle is active. */
  health: health.optional(),
  cause: cause.optional(),
  reason: z.string().optional(),
  /** One word for what it is: `waiting` for a person and `limited` from the first second, else health or lifecycle. */
  shown: z.enum(SHOWN),
  citations: z.array(citation),
  generation,
  sessionId: z.string().optional(),
  silentMs: z.number(),
  unprogressedMs: z.number(),
  pokes: z.int(),
  doing: doingView.optional(),
  heartbeat: heartbeatView.optional(),
  context: contextView.optional(),
  cycle: cycleView.optional(),
  /** Of its account, where the program tells them. */
  limits: z.array(limit).optional(),
  permissionMode: z.string().optional(),
  /** What its runtime can do. */
  can: z.array(capability),
  act: z.object({ kind: actKind, reason: z.string(), by: z.string() }).optional(),
  /** Left out when it is simply to run. */
  desired: desiredView.optional(),
  /** Of one that rests or sleeps, where its context is known. */
  resume: resumeView.optional(),
  /** Work that was given to it and that it has not begun. */
  waitingWork: z.string().optional(),
  /** It finished; as long as nobody has looked since, it is on the list. */
  finished: finishedBrief.pick({ wallAt: true, finishedAt: true, seen: true }).optional(),
  /** How far it is with its tasks; left out until they were looked at. */
  tasks: taskProgressView.optional(),
  /** The hand-off of its work that is open now. */
  handoff: openHandoffView.optional(),
  /** Its work is with a specialist. */
  lent: lentView.optional(),
  /** Rules hand its work to nobody; left out where they may. */
  autoHandoff: z.literal('off').optional(),
  /** What HEAD of its workspace points at; absent when detached, outside a repository, or not looked at yet. */
  branch: z.string().optional(),
  /** Its newest activity. */
  lastAction: z.object({ at: z.string(), what: z.string() }).optional(),
  /** When it last gave a sign of its own, ISO 8601. */
  lastActive: z.string(),
  /** How many messages to it wait, and how many were not delivered; left out where there are none. */
  messages: z.object({ waiting: z.int(), undelivered: z.int() }).optional(),
  /** How many items that need you are about it, with those that it shares; left out where there are none. */
  needsYou: z.int().positive().optional(),
})
export type AgentView = z.infer<typeof agentView>

/** Agents without an issue stand beside the two lists of the documents. */
export const agentsView = z.object({
  specialists: z.array(agentView),
  issueAgents: z.array(agentView),
  projectAgents: z.array(agentView),
})
export type AgentsView = z.infer<typeof agentsView>

/** What happened, with the sentence that people read. */
export const eventsView = z.object({
  events: z.array(
    z.intersection(event, z.object({ sentence: z.string() })).meta({ title: 'an event with its sentence' }),
  ),
  /** Ask with `after` set to this for what came later. */
  lastSeq: z.int().nonnegative(),
})
export type EventsView = z.infer<typeof eventsView>
export type ShownEvent = EventsView['events'][number]

export const healthView = z.object({
  agent: agentId,
  /** Oldest first. */
  history: z.array(
    z.object({
      seq: z.int(),
      timestamp: z.string(),
      state: health,
      cause: causeClass,
      shown: z.enum(SHOWN),
      reason: z.string(),
      /** What it was doing then, as far as its last 100 activities tell. */
      activity: z.string().optional(),
      generation,
    }),
  ),
})
export type HealthView = z.infer<typeof healthView>

export const activityView = z.object({ agent: agentId, activities: z.array(activity) })
export type ActivityView = z.infer<typeof activityView>

/** One row of the delivery ledger as it is shown: the text may be only its beginning. */
export const messageView = messageRecord
  .pick({ id: true, by: true, state: true, generation: true, attempts: true, why: true, evidence: true })
  .extend({ text: z.string(), queuedWallAt: z.number(), settledWallAt: z.number().optional() })
export type MessageView = z.infer<typeof messageView>

/** Oldest first; the newest 50 are kept. */
export const messagesView = z.object({ agent: agentId, messages: z.array(messageView) })
export type MessagesView = z.infer<typeof messagesView>

export const inboxView = z.object({ items: z.array(needsYou) })
export type InboxView = z.infer<typeof inboxView>

/** Why the verdict is what it is, what would change it, and what comes next. */
export const explainView = z.object({
  agent: agentId,
  generation,
  lifecycle,
  /** Judged only while the lifecycle is active. */
  health: health.optional(),
  cause: cause.optional(),
  shown: z.enum(SHOWN),
  reason: z.string(),
  /** How long what is shown has lasted, in observed time, and how long its cause, which may be younger. */
  forMs: z.number().nonnegative(),
  causeMs: z.number().nonnegative().optional(),
  /** The three clocks: since it was last seen alive, gave a sign of work, made progress. The first is missing when nobody knows. */
  aliveMs: z.number().nonnegative().optional(),
  silentMs: z.number(),
  unprogressedMs: z.number(),
  /** Every witness: what it said and how long ago, or why it says nothing. */
  witnesses: z.array(
    z.object({
      witness,
      state: z.enum(['heard', 'silent', 'off']),
      value: z.string(),
      ageMs: z.number().nonnegative().optional(),
    }),
  ),
  rule: z.string(),
  wouldChange: z.array(z.string()),
  next: z.array(z.object({ inMs: z.number().nonnegative(), what: z.string() })),
  desired: desiredView,
  resume: resumeView.optional(),
  /** Why Cloister does nothing by itself now. */
  held: z.string().optional(),
  pokes: z.int().nonnegative(),
  needsYou: z.array(needsYou),
})
export type ExplainView = z.infer<typeof explainView>

/** A command was taken and is durable; what became of it are events after this seq. */
export const acceptedView = z.object({
  seq: z.int().nonnegative(),
  agent: agentId.optional(),
  /** The model that was chosen for it, and why. */
  chosen: z.object({ model: z.string(), why: z.string() }).optional(),
  /** The hand-off that began, or waits. */
  handoff: handoffId.optional(),
})
export type AcceptedView = z.infer<typeof acceptedView>

/** An emergency stop was taken; `ended` tells whether what it killed is known for sure by now. */
export const emergencyView = acceptedView.extend({
  killed: z.array(agentId),
  /** Adopted agents, which go on unless it was asked for to end them, too. */
  leftAlone: z.array(agentId),
  survivors: z.array(z.string()),
  ended: z.boolean(),
})
export type EmergencyView = z.infer<typeof emergencyView>

/** What a person runs to see an agent's terminal. */
export const attachView = z.object({ command: z.array(z.string()).min(1) })
export type AttachView = z.infer<typeof attachView>

/** The daemon goes down; it is gone when this process is. */
export const stoppingView = z.object({ pid: z.int().positive() })
export type StoppingView = z.infer<typeof stoppingView>

/** The one shape of an answer that is no success: the refusals of commands, and those of the API itself. */
export const apiError = refusal.extend({
  code: z.enum([
    ...refusal.shape.code.options,
    'unauthorized',
    'forbidden',
    'not_allowed',
    'too_large',
    'too_many',
    'failed',
  ]),
  /** Every single thing that is wrong, where there are several. */
  problems: z.array(z.string()).optional(),
})
export type ApiError = z.infer<typeof apiError>
