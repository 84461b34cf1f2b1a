/** Verdicts that people called wrong are counted, and what shows nothing is left out with its reason. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wrongDeps } from '../../src/daemon/wrong-verdicts.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'
import { fieldIn } from './field.ts'

let home: string
let folder: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-field-'))
  folder = join(home, 'wrong')
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

async function calledWrong(): Promise<string> {
  const house = new House()
  await house.boot()
  for (const line of ['spawn agent-1', 'agent-1 hangs', 'wait 16m']) await perform(house, line)
  const { world, lately } = house.loop
  const { file } = wrongDeps({ world, lately, home, clock: house.clock })('agent-1', 'it compiles') as { file: string }
  const named = join(folder, 'a.jsonl')
  renameSync(file, named)
  return named
}

function change(file: string, as: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  writeFileSync(join(folder, as), changed)
}

test('a verdict that is given again is still wrong, and one that is not is mended', async () => {
  const file = await calledWrong()
  expect(fieldIn(folder)).toMatchObject({
    cases: [{ file: 'a.jsonl', words: 'it compiles', said: 'warning hung', now: 'warning hung', isStillWrong: true }],
    leftOut: [],
  })
  change(file, 'b.jsonl', /"cause":"hung","reason"/, '"cause":"looping","reason"')
  expect(fieldIn(folder).cases.map(({ isStillWrong }) => isStillWrong)).toEqual([true, false])
})

test('what has no label, never led there, or is damaged is left out and said', async () => {
  const file = await calledWrong()
  change(file, 'unlabelled.jsonl', /"label":\{[^}]*\},/, '')
  change(file, 'elsewhere.jsonl', /"reproduced":true/, '"reproduced":false')
  change(file, 'damaged.jsonl', /\n\{/, '\n{{')
  cpSync(file, join(folder, 'no-recording.txt'))
  const { cases, leftOut } = fieldIn(folder)
  expect(cases).toHaveLength(1)
  expect(leftOut).toEqual([
    expect.stringMatching(/^Line 2 of .*damaged\.jsonl is damaged/),
    expect.stringMatching(/^elsewhere\.jsonl did not lead/),
    expect.stringMatching(/^unlabelled\.jsonl has no label/),
  ])
})

test('a folder that is none is wrong usage', () => {
  mkdirSync(folder)
  const script = join(import.meta.dirname, '../../scripts/corpus.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--with', join(folder, 'none')], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('--with takes a folder of labelled recordings')])
})
