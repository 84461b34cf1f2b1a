/** Transcripts as they are, as they may become after a crash, and as nobody would write them. */
import * as fc from 'fast-check'

const count = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 2_000_000 }) },
  fc.constantFrom<unknown>(-1, 1.5, 1e3, '7', null, 4_294_967_295, 4_294_967_296, 123_456_789_012, 0),
)

const usage = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        input_tokens: count,
        cache_creation_input_tokens: count,
        cache_read_input_tokens: count,
        output_tokens: count,
        server_tool_use: fc.constant({ web_search_requests: 0, input_tokens: 5 }),
        cache_creation: fc.oneof(
          { weight: 4, arbitrary: fc.record({ ephemeral_1h_input_tokens: count, ephemeral_5m_input_tokens: count }) },
          fc.constantFrom<unknown>(null, 5, [], {}, [{ ephemeral_1h_input_tokens: 5 }]),
        ),
        service_tier: fc.constant('standard'),
        speed: fc.constantFrom<unknown>('fast', 'standard', 'fast', null, '', 'slow', 'gigantic', 'f"st', 7, 1.5, {}, [
          'fast',
        ]),
      },
      { requiredKeys: [] },
    ),
  },
  fc.constantFrom<unknown>(null, 3, 'usage', [], [{ input_tokens: 9 }], true),
)

const id = fc.constantFrom<unknown>('msg_1', 'msg_2', 'msg_3', 'msg_é', 'msg_"\\', '', 5, null)
const model = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('claude-opus-5-5', 'claude-haiku-5-5') },
  fc.constantFrom<unknown>('<synthetic>', 'm "x"', 7, null),
)

/** Few, so that some are equal and some in the same second; some that no clock shows. */
const timestamp = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 12 }).map((n) => new Date(Date.UTC(2026, 10, 15) + n * 400).toISOString()) },
  fc.constantFrom<unknown>(
    '2026-11-15T00:00:00Z',
    '2026-11-15T01:00:01.2+01:00',
    '2026-11-15T00:00:01.2345Z',
    undefined,
  ),
  fc.constantFrom<unknown>('', 'yesterday', 5, null, '1969-12-31T23:59:59.999Z', '2399-01-01T00:00:00.000Z'),
)

const decoy = {
  type: 'assistant',
  requestId: 'req_9',
  message: { id: 'msg_9', model: 'decoy', usage: { input_tokens: 999_999, output_tokens: 9 } },
}

const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme', maxLength: 60 }) }),
    fc.constant({ type: 'text', text: `he said ${JSON.stringify(decoy)}\n\t"usage":{"input_tokens":5}` }),
    fc.constant({ type: 'tool_use', id: 'toolu_1', name: 'Write', input: decoy }),
    fc.constant({ type: 'tool_use', input: { usage: { input_tokens: 3 }, requestId: 'x', nested: [[[decoy]]] } }),
    fc.record({ type: fc.constant('tool_use'), input: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> }),
    fc.constantFrom<unknown>('usage', { usage: [1.5e-3, -0, true, false, null, 'a\\'] }),
  ),
  { maxLength: 3 },
)

const assistant: fc.Arbitrary<unknown> = fc
  .record({
    id,
    model,
    usage,
    content,
    timestamp,
    request: fc.constantFrom<unknown>('req_1', 'req_2', undefined, 6, 'req_ü'),
  })
  .chain(({ id: message, model: name, usage: used, content: said, timestamp: at, request }) => {
    const fields: [string, unknown][] = [
      ['parentUuid', null],
      ['isSidechain', false],
      ['message', { model: name, id: message, type: 'message', role: 'assistant', content: said, usage: used }],
      ...(request === undefined ? [] : [['requestId', request] as [string, unknown]]),
      ['type', 'assistant'],
      ['timestamp', at],
    ]
    return fc
      .shuffledSubarray(fields, { minLength: fields.length })
      .map((shuffled) => Object.fromEntries(shuffled) as unknown)
  })

/** An answer of a subagent, told by the session that started it. */
const progress = fc
  .record({ message: fc.oneof({ weight: 4, arbitrary: assistant }, usage), timestamp, content })
  .chain(({ message, timestamp: at, content: said }) => {
    const own: [string, unknown][] = [
      ['message', message],
      ['type', 'agent_progress'],
      ['normalizedMessages', [decoy, ...said]],
      ['data', { message: decoy }],
      ['usage', decoy.message.usage],
    ]
    const fields: [string, unknown][] = [
      ['type', 'progress'],
      ['timestamp', at],
      ['requestId', 'req_1'],
      ['message', decoy.message],
    ]
    return fc
      .tuple(fc.shuffledSubarray(own, { minLength: own.length }), fc.nat({ max: fields.length }))
      .map(
        ([data, place]) =>
          Object.fromEntries(fields.toSpliced(place, 0, ['data', Object.fromEntries(data)])) as unknown,
      )
  })

/** A record that counts, mostly. */
export const answer: fc.Arbitrary<unknown> = fc.oneof({ weight: 3, arbitrary: assistant }, progress)

const other = fc.oneof(
  content.map(
    (said) => ({ type: 'user', message: { role: 'user', content: said }, toolUseResult: decoy.message }) as unknown,
  ),
  fc.constantFrom<unknown>(
    { type: 'api-request-blob', message: decoy.message, requestId: 'req_1' },
    { type: 'user', data: { message: decoy } },
    { type: 'progress', data: [{ message: decoy }] },
    { type: 'progress', data: { message: { type: 'progress', data: { message: decoy } } } },
    { type: 'progress', data: { message: { ...decoy, type: 'user' } }, message: decoy.message },
    { type: 'progress', data: { message: decoy.message, data: { message: decoy } } },
    [decoy],
    'usage',
    null,
    7,
    { type: 'assistant' },
    { type: 'assistant', message: null },
    { usage: { input_tokens: 5 } },
    { type: ['assistant'], message: decoy.message },
    { type: 'queue-operation', operation: 'enqueue', content: '"usage"' },
  ),
)

const record = fc.oneof({ weight: 3, arbitrary: answer }, other)

/** One line as text; a bad one is a record that was hurt. */
const line = record.chain((value) => {
  const text = JSON.stringify(value)
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(text) },
    fc.constant(` ${text}\t\r`),
    fc.constant(JSON.stringify(value, null, 1).replaceAll('\n', ' ')),
    // Keys that stand twice: the last one counts.
    fc.constant(text.replace('"data":', '"data":{"message":5},"data":')),
    fc.constant(text.replace('{"message":', '{"message":5,"message":')),
    fc.constant(text.replace('"type":', '"type":"user","requestId":"req_0","type":')),
    fc.constant(text.replace('"usage":', '"usage":{"input_tokens":77},"usage":')),
    fc.constant(text.replace('"usage":{', '"usage":{"input_tokens":01,')),
    fc.constant(text.replace('"usage":{', '"usage":{,')),
    fc.constant(text.replace('"id":"', '"id":"\\u0061')),
    fc.constant(text.replace(':null', ':nul')),
    fc.constant(text.replace('"role":', "'role':")),
    fc.nat({ max: text.length }).map((at) => text.slice(0, at)),
    fc.nat({ max: text.length }).map((at) => text.slice(at)),
    fc.nat({ max: text.length }).map((at) => `${text.slice(0, at)}\0${text.slice(at)}`),
    fc.nat({ max: text.length }).map((at) => `${text.slice(0, at)}\0${text.slice(at)}`),
    fc
      .tuple(fc.nat({ max: text.length }), fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'x', '0'))
      .map(([at, mark]) => `${text.slice(0, at)}${mark}${text.slice(at + 1)}`),
    fc.tuple(fc.nat({ max: text.length }), assistant).map(([at, next]) => text.slice(0, at) + JSON.stringify(next)),
    assistant.map((next) => text + JSON.stringify(next)),
    fc.constantFrom('', '\0\0\0\0', '{"usage"', '"usage":{', '{}{"usage":1}'),
  )
})

/** A file's bytes; the last line may lack its end, and bytes need not be UTF-8. */
export const transcript: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean(), fc.option(fc.nat({ max: 2000 }), { freq: 6 }))
  .map(([lines, isEnded, wrongAt]) => {
    const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
    if (wrongAt !== null && wrongAt < bytes.length) bytes[wrongAt] = 0xff
    return bytes
  })
