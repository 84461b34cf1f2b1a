/**
 * What a session used, by its own transcript. A message stands on several lines with the same ids and is counted
 * once, by its largest figures; lines that cannot be read are passed over.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { Tokens } from '../../core/ports.ts'

const count = z.number().nonnegative().catch(0)

const line = z.object({
  requestId: z.string().catch(''),
  message: z.object({
    id: z.string(),
    usage: z.object({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cache_creation: z
        .object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
        .optional()
        .catch(undefined),
    }),
  }),
})

export async function usageOf(transcript: string): Promise<Tokens> {
  const messages = new Map<string, Tokens>()
  for await (const text of createInterface({ input: createReadStream(transcript), crlfDelay: Infinity })) {
    const read = text.includes('"usage"') ? parse(text) : undefined
    if (read === undefined) continue
    const key = `${read.message.id}:${read.requestId}`
    messages.set(key, larger(messages.get(key) ?? NOTHING, tokensOf(read)))
  }
  return [...messages.values()].reduce(sum, NOTHING)
}

const NOTHING: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function parse(text: string): z.infer<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function tokensOf({ message: { usage } }: z.infer<typeof line>): Tokens {
  const split = usage.cache_creation
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite5m: split?.ephemeral_5m_input_tokens ?? usage.cache_creation_input_tokens,
    cacheWrite1h: split?.ephemeral_1h_input_tokens ?? 0,
  }
}

function larger(a: Tokens, b: Tokens): Tokens {
  return join(a, b, Math.max)
}

function sum(a: Tokens, b: Tokens): Tokens {
  return join(a, b, (x, y) => x + y)
}

function join(a: Tokens, b: Tokens, by: (x: number, y: number) => number): Tokens {
  return {
    input: by(a.input, b.input),
    output: by(a.output, b.output),
    cacheRead: by(a.cacheRead, b.cacheRead),
    cacheWrite5m: by(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: by(a.cacheWrite1h, b.cacheWrite1h),
  }
}
