/**
 * What an agent's program reports of its own work, as facts, and what the core keeps of them: the calls and waits that
 * are open, and what it does beside them. Calls run side by side and subagents report under the same run, so that the
 * end of one call says nothing of the others.
 */
import * as z from 'zod'
import { doing } from './doing.ts'
import { callTrace } from './trace.ts'

/** Who reports: a subagent's id, or the empty text for the main conversation. */
const actor = z.string().max(100)
const callId = z.string().max(200)
const print = z.string().max(32)

const call = z.object({
  id: callId,
  actor,
  tool: z.string().max(100),
  /** How long its program lets it run; left out where nobody knows. */
  boundMs: z.number().nonnegative().optional(),
  /** Of the tool with its input: a request to allow it names no id. */
  identity: print,
  /** It says the line of a successor, which is no work yet. */
  says: z.literal(true).optional(),
  /** Others work for it, and report by themselves. */
  delegates: z.literal(true).optional(),
})

const wait = z.object({ key: z.string().max(200), actor, doing })

export const REJECTED_MOST = 10

export const fact = z.discriminatedUnion('fact', [
  call.extend({ fact: z.literal('call_opened') }),
  z.object({ fact: z.literal('call_closed'), id: callId, actor }),
  /**
   * Every call of one answer of its model is over, also those that ended without a word. `rejected`: calls that its
   * program refused before they began, of which nothing else tells.
   */
  z.object({ fact: z.literal('calls_closed'), actor, rejected: z.array(callTrace).max(REJECTED_MOST).optional() }),
  /** `reminds`: said of a wait that may be known already. */
  wait.extend({ fact: z.literal('wait_opened'), identity: print.optional(), reminds: z.literal(true).optional() }),
  z.object({ fact: z.literal('wait_closed'), key: z.string().max(200) }),
  /** A session begins, empty or gone on with: nothing is open. */
  z.object({ fact: z.literal('session_began') }),
  /** A text was taken, be it only into a queue: that closes nothing. */
  z.object({ fact: z.literal('prompt_heard') }),
  /** The turn of the main conversation is over, and this is what it comes to. */
  z.object({ fact: z.literal('turn_ended'), rest: doing }),
  /** Between its calls it does this. */
  z.object({ fact: z.literal('between_calls'), rest: doing }),
  /** It says that it waits for a text, a while after it began to. */
  z.object({ fact: z.literal('rest_noticed') }),
])
export type Fact = z.infer<typeof fact>

export const FACTS_MOST = 10

/** What its program says of itself in files of its own, as it stands there now. */
export const seen = z.object({
  /** The word that it has for what it does, and since when. */
  status: z
    .object({
      says: z.enum(['rest', 'work', 'background', 'permission', 'question']),
      /** Of the last two: what it waits for. */
      what: z.string().max(400).optional(),
      wallAt: z.number(),
    })
    .optional(),
  /** The end of its transcript. */
  tail: z
    .object({
      promptWallAt: z.number().optional(),
      answerWallAt: z.number().optional(),
      interruptWallAt: z.number().optional(),
      /** The request that it waits for an answer to, and how often it was sent. */
      asked: z.object({ times: z.int().positive(), firstWallAt: z.number().optional(), wallAt: z.number() }).optional(),
      /** Its service refused a request, and it tries again: with which status, and when, where that is known. */
      refused: z
        .object({ status: z.int().optional(), untilWallAt: z.number().optional(), wallAt: z.number() })
        .optional(),
      /** Words of its own in the place of an answer: it gave up, and is left with this. */
      failed: z.object({ doing, wallAt: z.number() }).optional(),
    })
    .optional(),
})
export type Seen = z.infer<typeof seen>

export const CALLS_KEPT = 200
export const WAITS_KEPT = 20

const openCall = call.extend({ at: z.number(), wallAt: z.number() })
export type OpenCall = z.infer<typeof openCall>

const openWait = wait.extend({
  /** The call that waits, where it is known. */
  call: callId.optional(),
  at: z.number(),
})
export type OpenWait = z.infer<typeof openWait>

/** Of the present generation. */
export const openWork = z.object({
  calls: z.array(openCall).max(CALLS_KEPT),
  waits: z.array(openWait).max(WAITS_KEPT),
  /** Between calls: thinking, idle, in the background, limited … */
  rest: doing.optional(),
  /** A first prompt was given at the start and has not been heard yet. */
  promptDue: z.literal(true).optional(),
  /** When its program last took a text, be it only into a queue. */
  promptedWallAt: z.number().optional(),
  /** When its newest report was made. */
  heardWallAt: z.number().optional(),
  /** By then it had verifiably come to rest: what is told later of an earlier moment opens nothing. */
  restedWallAt: z.number().optional(),
  seen: seen.optional(),
})
export type OpenWork = z.infer<typeof openWork>

/** How long an agent's program lets its calls run, by its own settings at its start. */
export const callBounds = z.object({
  /** Of a command that names no time, and the most that one may name. */
  shellMs: z.number().positive(),
  shellMostMs: z.number().positive(),
  /** Of a tool of another server; by the server's name where it has its own. */
  serverMs: z.number().positive().optional(),
  servers: z.record(z.string().max(100), z.number().positive()).optional(),
})
export type CallBounds = z.infer<typeof callBounds>
