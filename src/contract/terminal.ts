/**
 * The live terminal: a WebSocket at /api/agents/:id/terminal with the subprotocols `cloister.terminal` and
 * `token.<token>`. Binary frames from the daemon are what the pane prints; text frames are these messages as JSON.
 */
import * as z from 'zod'

export const terminalFromServer = z.discriminatedUnion('type', [
  /** First of all, and when the pane's size changes. What is printed after `reset` draws the whole screen anew. */
  z.object({ type: z.literal('screen'), cols: z.int(), rows: z.int(), reset: z.boolean() }),
  z.object({ type: z.literal('writer'), you: z.boolean(), taken: z.boolean() }),
  z.object({ type: z.literal('refused'), sentence: z.string(), hint: z.string() }),
  z.object({ type: z.literal('gone'), sentence: z.string(), hint: z.string() }),
])
export type TerminalFromServer = z.infer<typeof terminalFromServer>

export const terminalFromClient = z.discriminatedUnion('type', [
  /** Who takes over may type until he gives back or leaves; one at a time. */
  z.object({ type: z.literal('take-over') }),
  z.object({ type: z.literal('give-back') }),
  z.object({ type: z.literal('keys'), data: z.string().min(1).max(65_536) }),
  /** Apart from keys: the terminal knows whether the program wants to be told that a text was pasted. */
  z.object({ type: z.literal('paste'), data: z.string().min(1).max(65_536) }),
  z.object({ type: z.literal('resize'), cols: z.int().min(20).max(500), rows: z.int().min(5).max(200) }),
])
export type TerminalFromClient = z.infer<typeof terminalFromClient>
