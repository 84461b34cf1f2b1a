/** What is stored does not change behind the number of its format. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { judge, type Known } from '../../scripts/formats/judge.ts'
import { HELD_TOGETHER, type SameFields } from '../../scripts/formats/recorded.ts'
import { shapeOf } from '../../scripts/formats/shapes.ts'

test('the fingerprints in the repository are those of the schemas', () => {
  const script = join(import.meta.dirname, '../../scripts/formats.ts')
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('')
})

const before = z.object({
  id: z.string().max(10).meta({ description: 'Who.' }),
  state: z.enum(['on', 'off']),
  note: z.string().optional(),
})

test('order and descriptions are no shape', () => {
  const after = z
    .object({ note: z.string().optional(), state: z.enum(['off', 'on']), id: z.string().max(10) })
    .meta({ description: 'Another word.', title: 'A name' })
  expect(shapeOf(after)).toBe(shapeOf(before))
})

test.each<[string, z.ZodType]>([
  ['a new field', before.extend({ more: z.string().optional() })],
  ['a field that is called like a word of the schema', before.extend({ description: z.string().optional() })],
  ['a field less', before.omit({ note: true })],
  ['a field that must be there now', before.required()],
  ['another choice', before.extend({ state: z.enum(['on', 'off', 'broken']) })],
  ['a narrower limit', before.extend({ id: z.string().max(9) })],
])('%s is another shape', (_, after) => {
  expect(shapeOf(after)).not.toBe(shapeOf(before))
})

const calm: Known = {
  now: {
    journal: { format: 2, shapes: { agents: 'a', events: 'e' } },
    recording: { format: 2, shapes: { state: 's' } },
  },
  kept: { journal: { 2: { agents: 'a', events: 'e' } }, recording: { 2: { state: 's' } } },
  fixtures: { journal: ['1-aaaaaaa.db.gz'], recording: ['1-aaaaaaa.jsonl.gz'] },
}

const changed: Known['now'] = { ...calm.now, journal: { format: 2, shapes: { agents: 'b', events: 'e' } } }
const released = { ...calm.fixtures, journal: ['1-aaaaaaa.db.gz', '2-bbbbbbb.db.gz'] }

test.each<[string, Known, { renewable: boolean; says: RegExp[] }[]]>([
  ['nothing changed', calm, []],
  ['nothing changed in a released format', { ...calm, fixtures: released }, []],
  [
    'a change in a format that is not released',
    { ...calm, now: changed },
    [{ renewable: true, says: [/changed \(agents\)/, /format 2 is not released/, /run `npm run formats` and commit/] }],
  ],
  [
    'a change in a released format',
    { ...calm, now: changed, fixtures: released },
    [
      {
        renewable: false,
        says: [
          /homes\/2-bbbbbbb\.db\.gz was written by it/,
          /Raise the format: add src\/adapters\/sqlite\/formats\/format-3\.ts/,
        ],
      },
    ],
  ],
  [
    'a change with the format raised',
    { ...calm, now: { ...changed, journal: { ...changed.journal, format: 3 } }, fixtures: released },
    [{ renewable: true, says: [/Format 3 of the journal has no fingerprint yet\. Run `npm run formats`/] }],
  ],
  [
    'a format raised that nothing was ever written by',
    {
      ...calm,
      now: { ...calm.now, recording: { format: 3, shapes: {} } },
      kept: { ...calm.kept, recording: { 3: {} } },
    },
    [{ renewable: false, says: [/nothing that format 2 of the recording wrote/, /make\.ts <commit>/] }],
  ],
])('%s', (_, known, findings) => {
  const found = judge(known)
  expect(found.map(({ renewable }) => renewable)).toEqual(findings.map(({ renewable }) => renewable))
  for (const [index, { says }] of findings.entries()) {
    for (const words of says) expect(found[index]?.sentence).toMatch(words)
  }
})

test('types of the core and the schemas of a recording cannot part unseen', () => {
  const optional: SameFields<{ a: 1 }, { a: 1; b?: 2 }> = false
  const nested: SameFields<{ a: readonly { b: string }[] }, { a: { b: string; c?: number }[] }> = false
  const same: SameFields<{ readonly a?: readonly string[] }, { a: string[] | undefined }> = true
  expect({ optional, nested, same, ...HELD_TOGETHER }).toEqual({
    ...{ optional: false, nested: false, same: true },
    ...{ state: true, input: true, rates: true },
  })
})
