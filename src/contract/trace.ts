/** One step of an agent, as loops and progress are told by: fingerprints, never contents. */
import * as z from 'zod'
import { testRun } from './test-run.ts'

const print = z.string().max(32)

export const callTrace = z.object({
  kind: z.literal('call'),
  tool: z.string().max(100),
  /** Of the tool with its input, and of what came of it, apart from times and numbers of processes. */
  call: print,
  result: print,
  ok: z.boolean(),
  /** Of a search: what it has in common with other searches of its kind. */
  like: print.optional(),
  /** It waits for something on purpose. */
  waits: z.literal(true).optional(),
  /** It ran tests. */
  test: testRun.optional(),
  /** It ended the planning, and whoever had to agree did. */
  planned: z.literal(true).optional(),
  /** It said the line of a successor, which is no work yet. */
  says: z.literal(true).optional(),
  /** The subagent that made it; the main conversation has none. */
  actor: print.optional(),
  wallAt: z.number(),
})
export type CallTrace = z.infer<typeof callTrace>

export const trace = z.discriminatedUnion('kind', [
  callTrace,
  /** An answer in words; `times` is how often it says the same piece. */
  z.object({ kind: z.literal('text'), text: print, times: z.int().positive(), wallAt: z.number() }),
  /** Its context became too full and was made smaller without anybody asking. */
  z.object({ kind: z.literal('compaction'), wallAt: z.number() }),
])
export type Trace = z.infer<typeof trace>
