/** Random settings made from the schema itself, and random text that looks like YAML. */
import fc from 'fast-check'
import * as z from 'zod'
import { ANY_NAME, leafKeys, type Key } from '../../src/contract/config/keys.ts'
import { setIn, type Path } from '../../src/contract/config/path.ts'
import { SPECIALISTS } from '../../src/contract/config/specialists.ts'

export interface SetKey {
  path: Path
  value: unknown
}

/** One key with a value that its schema takes. */
export const setKey: fc.Arbitrary<SetKey> = fc
  .constantFrom(...leafKeys())
  .chain((key) => fc.record({ path: pathFor(key), value: valueFor(key) }))

/** Settings with any of the keys set, in a valid combination. */
export const validInput: fc.Arbitrary<unknown> = fc
  .tuple(fc.uniqueArray(setKey, { selector: ({ path }) => path.join('\0'), maxLength: 30 }), increasing())
  .map(([keys, thresholds]) => {
    const others = keys.filter(({ path }) => path[0] !== 'thresholds')
    return others.reduce<unknown>((input, { path, value }) => setIn(input, path, value), { thresholds })
  })

function increasing(): fc.Arbitrary<Record<string, number>> {
  return fc
    .uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 3, maxLength: 3 })
    .map((minutes) => minutes.toSorted((a, b) => a - b))
    .map(([stale = 1, warning = 2, stuck = 3]) => ({ stale, warning, stuck }))
}

function pathFor({ path }: Key): fc.Arbitrary<Path> {
  const name = fc.constantFrom('docs-agent', 'lint-agent', 'x1', 'gamma')
  return name.map((chosen) => path.map((part) => (part === ANY_NAME ? chosen : part)))
}

function valueFor({ path, value }: Key): fc.Arbitrary<unknown> {
  if (path.at(-1) === 'environment') return fc.subarray(['AWS_*', 'HTTPS_PROXY', 'no_proxy', '_'])
  if (path.at(-1) === 'keep_awake') return fc.subarray(['agent-pan-18', 'merge-agent'])
  if (path.at(-1) === 'detection') return fc.constant([{ beads_task_closed: 'design' }])
  if (path.at(-1) === 'to_specialist') return fc.constantFrom(...SPECIALISTS)
  return valueOf(value)
}

function valueOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) return fc.option(valueOf(schema.unwrap()))
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodArray) return fc.subarray((schema.element as z.ZodEnum).options)
  if (schema instanceof z.ZodNumber)
    return fc.integer({ min: Math.max(1, schema.minValue ?? 1), max: Math.min(99, schema.maxValue ?? 99) })
  if (schema instanceof z.ZodUnion)
    return fc.oneof(
      model,
      fc.record({ model, runtime: fc.constantFrom('codex', 'opencode') }, { noNullPrototype: true }),
    )
  if (schema instanceof z.ZodURL) return fc.webUrl({ validSchemes: ['http', 'https'] })
  if (schema instanceof z.ZodEmail) return fc.constantFrom('a@example.org', 'b.c@example.com')
  return model
}

const model = fc.constantFrom('opus', 'sonnet', 'haiku', 'cheap', 'claude-opus-5-5', 'gpt-5.5', 'deepseek-v3')

const piece = fc.oneof(
  fc.constantFrom(
    'thresholds',
    'stale',
    'runs',
    'specialists',
    'model_selection',
    '<<',
    '__proto__',
    'constructor',
    'x',
    '5',
    '-1',
    'true',
    'null',
  ),
  fc.constantFrom(
    ':',
    ': ',
    '\n',
    '\r\n',
    '\n  ',
    '\n    ',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '# c\n',
    '&a ',
    '*a',
    '!!str ',
    '!x ',
    '|\n  ',
    '>-\n  ',
  ),
  fc.constantFrom(
    '"',
    "'",
    '\t',
    '---\n',
    '...\n',
    '%YAML 1.1\n---\n',
    '%',
    '@',
    '`',
    '\uFEFF',
    '\0',
    '\u2028',
    '😀',
    '.inf',
    '.nan',
    '0x1F',
    '1e999',
    '~',
  ),
  fc.string({ maxLength: 5, unit: 'binary' }),
)

export const yamlish: fc.Arbitrary<string> = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

/** Objects whose keys are partly ours, so that the checks behind the names are reached. */
export const anyInput: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withNullPrototype: true }),
  fc
    .array(fc.record({ path: fc.constantFrom(...leafKeys()).chain(pathFor), value: fc.anything() }), { maxLength: 6 })
    .map((keys) => keys.reduce<unknown>((input, { path, value }) => setIn(input, path, value) ?? input, {})),
)
