import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer, rowsOf, type Printed } from './read-answer.ts'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')
const idsIn = (printed: Partial<Printed>) => {
  const answer = readAnswer({ code: 0, stdout: '', stderr: '', ...printed })
  return 'error' in answer ? answer : rowsOf(answer.payload).map((row) => row['id'])
}

test.each([
  ['bare, as 1.0.5 prints it', fixture('list-1.0.5'), ['pan-l5l.1', 'pan-l5l', 'pan-l5l.3', 'pan-l5l.2']],
  ['bare, as 1.3 prints it', fixture('ready-1.3'), ['pan-bf2.1']],
  ['in the envelope', fixture('enveloped-1.0.5'), ['pan-l5l']],
  ['one single issue', '{"id":"a-1","schema_version":1}', ['a-1']],
  ['wrapped in another way', '{"issues":[{"id":"a-1"},7,null,{"id":2}],"total":4}', ['a-1']],
  ['an empty list', '[]', []],
  ['an empty list in the envelope', '{"schema_version":1,"data":[]}', []],
])('reads a list %s', (_, stdout, ids) => {
  expect(idsIn({ stdout })).toEqual(ids)
})

test.each<[string, Partial<Printed>, string]>([
  ['JSON on stdout', { code: 1, stdout: '{"error":"no such issue","schema_version":1}' }, 'no such issue'],
  [
    'JSON in the envelope',
    { code: 1, stdout: fixture('enveloped-error-1.0.5') },
    'no issues found matching the provided IDs',
  ],
  ['JSON on stderr', { code: 1, stderr: '{"error":"not in read-only mode"}' }, 'not in read-only mode'],
  ['plain text on stderr', { code: 1, stderr: 'Error: no beads\ndatabase found\n' }, 'Error: no beads database found'],
  ['plain text on stdout', { code: 1, stdout: 'usage: bd' }, 'usage: bd'],
  ['an error with code 0', { stdout: '{"error":"locked"}' }, 'locked'],
  ['nothing at all', { code: 3 }, 'it ended with code 3'],
  ['a signal', { code: null }, 'it ended with a signal'],
  ['half a document', { stdout: '[{"id":' }, 'it printed no JSON'],
])('an error as %s', (_, printed, error) => {
  expect(idsIn(printed)).toEqual({ error })
})

test('takes whatever is printed; an error is one short line', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant(fixture('enveloped-1.0.5').slice(0, 99)))
  fc.assert(
    fc.property(fc.constantFrom(0, 1, null), text, text, (code, stdout, stderr) => {
      const answer = readAnswer({ code, stdout, stderr })
      if ('error' in answer) expect(answer.error).toMatch(/^[^\n\p{Cc}]{1,300}$/u)
      else expect(rowsOf(answer.payload).every((row) => typeof row['id'] === 'string')).toBe(true)
    }),
  )
})
