/** The Anthropic Messages API, streaming: as much of it as Claude Code needs. */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { list, type ApiDialect, type Json } from './dialect.ts'
import type { Turn } from './turn.ts'

export const anthropicMessages: ApiDialect = {
  path: '/v1/messages',
  read(body) {
    const messages = list(body['messages'])
    const said = messages.flatMap((message, index) => {
      if (message['role'] !== 'user') return []
      const answersAfter = messages.slice(index + 1).filter(({ role }) => role === 'assistant').length
      return textsOf(message['content']).map((text) => ({ text, answersAfter }))
    })
    const isCompaction = COMPACTION.test(said.at(-1)?.text ?? '')
    return { said, isMain: list(body['tools']).length > 0, isCompaction }
  },
  answer,
  fail(response, status, headers) {
    const error = { type: ERRORS[status] ?? 'api_error', message: `scripted error ${status}` }
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req'), ...headers })
    response.end(JSON.stringify({ type: 'error', error }))
  },
}

const COMPACTION = /create a detailed summary of the (conversation|recent)/i

const ERRORS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return list(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
}

function answer(response: ServerResponse, turn: Turn, body: Json): void {
  const content = blocksOf(turn)
  const usage = usageOf(turn)
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const message = {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model: body['model'],
    stop_sequence: null,
    usage,
  }
  if (body['stream'] !== true) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': id('req') })
    response.end(JSON.stringify({ ...message, content, stop_reason }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': id('req') })
  const send = (type: string, data: Json) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  if (turn.hangs === true) return
  for (const [index, block] of content.entries()) {
    send('content_block_start', { index, content_block: emptied(block) })
    send('content_block_delta', { index, delta: deltaOf(block) })
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
  send('message_stop', {})
  response.end()
}

function blocksOf({ text, tools = [] }: Turn): readonly Json[] {
  const said = text === undefined ? [] : [{ type: 'text', text }]
  return [...said, ...tools.map(({ name, input }) => ({ type: 'tool_use', id: id('toolu'), name, input }))]
}

function emptied(block: Json): Json {
  return block['type'] === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function deltaOf(block: Json): Json {
  if (block['type'] === 'text') return { type: 'text_delta', text: block['text'] }
  return { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
}

function usageOf({ usage: { input = 10, output = 20, cacheRead = 1000, cacheWrite = 100 } = {} }: Turn): Json {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  }
}

function id(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
