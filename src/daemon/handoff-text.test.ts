import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handoffText } from './handoff-text.ts'

const TEXT = 'Say <b>nothing</b>, do — the next step.\n'
const captured = { digest: createHash('sha256').update(TEXT).digest('hex'), bytes: 42, parts: [] }
let home: string
let file: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-text-'))
  mkdirSync(join(home, 'handoffs', 'h-1'), { recursive: true })
  file = join(home, 'handoffs', 'h-1', 'prompt.md')
  writeFileSync(file, TEXT, { mode: 0o600 })
})

afterEach(() => rmSync(home, { recursive: true }))

test('what was written down is given as it stands', () => {
  expect(handoffText(home, { id: 'h-1', captured })).toEqual({ id: 'h-1', text: TEXT, bytes: Buffer.byteLength(TEXT) })
})

test('one that was changed says so', () => {
  writeFileSync(file, 'Do something else.')
  expect(handoffText(home, { id: 'h-1', captured })).toMatchObject({ text: 'Do something else.', changed: true })
})

test('nothing is given where nothing was written, it is gone, or others could have written it', () => {
  expect(handoffText(home, { id: 'h-1' })).toBeUndefined()
  expect(handoffText(home, { id: 'h-2', captured })).toBeUndefined()
  chmodSync(file, 0o644)
  expect(handoffText(home, { id: 'h-1', captured })).toBeUndefined()
})
