/** Foreign text loses its secrets where it comes in, and nothing else. */
import { expect, test } from 'vitest'
import type { Sighting } from '../contract/evidence.ts'
import { readableLook, readableOutcome, readableSighting } from './readable.ts'

const base: Sighting = { agent: 'agent-1', generation: 1, witness: 'hook' }
const KEY = 'sk-ant-api03-abcdefghijkl'

const asked = (secret: string) => ({
  question: `use ${secret}?`,
  options: [{ label: secret, about: `it is ${secret}` }, { label: 'no' }],
  several: true as const,
})

test('secrets are taken out of what an agent does and asks', () => {
  const request = JSON.stringify({ tool_input: { question: `use ${KEY}?` } })
  const sighting: Sighting = {
    ...base,
    activity: { ts: '2026-01-20T22:00:00Z', tool: 'Bash', action: `Bash: export KEY=${KEY}`, state: 'active' },
    doing: { kind: 'question', what: `use ${KEY}?`, questions: [asked(KEY)], ask: { id: 'a-1', request } },
  }
  expect(readableSighting(sighting)).toEqual({
    ...sighting,
    activity: { ...sighting.activity, action: 'Bash: export KEY=«secret»' },
    // The answer goes back inside the request, so that it must stay as it came.
    doing: { kind: 'question', what: 'use «secret»?', questions: [asked('«secret»')], ask: { id: 'a-1', request } },
  })
})

test('a tool, a branch and what tells them again are clean too', () => {
  const sighting: Sighting = {
    ...base,
    stamp: `refs/heads/${KEY} 1.2.3`,
    branch: `fix/${KEY}`,
    activity: { ts: '2026-01-20T22:00:00Z', tool: KEY, state: 'active' },
    doing: { kind: 'tool', name: KEY, boundMs: 1 },
  }
  expect(readableSighting(sighting)).toEqual({
    ...base,
    stamp: 'refs/heads/«secret» 1.2.3',
    branch: 'fix/«secret»',
    activity: { ts: '2026-01-20T22:00:00Z', tool: '«secret»', state: 'active' },
    doing: { kind: 'tool', name: '«secret»', boundMs: 1 },
  })
})

test('what cannot be read is nothing, and what is clean is not changed', () => {
  expect(readableSighting({ ...base, generation: -1 })).toBeUndefined()
  const clean: Sighting = { ...base, doing: { kind: 'tool', name: 'Bash', boundMs: 1_000 } }
  expect(readableSighting(clean)).toEqual(clean)
})

test('a text that grows by what stands for a secret still fits', () => {
  const what = 'password=abcd '.repeat(28)
  const doing = readableSighting({ ...base, doing: { kind: 'api_error', what } })?.doing
  expect(doing).toMatchObject({ what: expect.stringMatching(/^(password=«secret» )+/) as string })
  expect(doing !== undefined && 'what' in doing && doing.what.length <= 400).toBe(true)
})

test('looks and outcomes too', () => {
  expect(readableLook({ sightings: [], sentinel: false, blind: `failed: ${KEY}` })).toEqual({
    sightings: [],
    sentinel: false,
    blind: 'failed: «secret»',
  })
  expect(readableOutcome({ result: 'not_done', detail: `https://me:${KEY}@host/x` })).toEqual({
    result: 'not_done',
    detail: 'https://«secret»@host/x',
  })
  // The password is known by what stands after the limit.
  const long = `${'x'.repeat(1181)} https://me:${'h'.repeat(1000)}@host/x`
  expect(readableOutcome({ result: 'not_done', detail: long }).detail).toBe(`${'x'.repeat(1181)} https://«secret»@h`)
})
