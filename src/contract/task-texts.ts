/**
 * The task of an agent as it was given: its first prompt and every message that it heard. Each lies whole in a file of
 * the home, for its owner alone, until the agent is forgotten; what is stored here says which there are, in their order.
 */
import * as z from 'zod'

/** Of one text; what is longer is cut, and that is said. */
export const TASK_TEXT_BYTES = 64 * 1024
/** Per agent. The first prompt is always among them; of the others the newest are. */
export const TASK_TEXTS_KEPT = 50
/** What is still known of a text whose file is gone. */
export const TASK_BEGINNING = 200

/** `p-…`: a first prompt. `m-…`: the message of the delivery ledger. */
export const taskTextName = z.string().regex(/^[pm]-[A-Za-z0-9_-]{1,100}$/)

export const taskText = z.object({
  name: taskTextName,
  by: z.string(),
  /** When it was given to the agent. */
  wallAt: z.number(),
  /** The same in observed time, which no clock sets back; those of before have none, and come first. */
  at: z.number().optional(),
  beginning: z.string().max(TASK_BEGINNING),
  /** It was longer than may be kept. */
  cut: z.literal(true).optional(),
  /** No file could be written: this is the text. */
  whole: z.string().max(TASK_TEXT_BYTES).optional(),
})
export type TaskText = z.infer<typeof taskText>

/** What an agent that begins anew is told of its task, in this order. */
export const toldTask = z.array(taskText).max(2 * TASK_TEXTS_KEPT + 1)
