import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileLetters } from '../adapters/spool/letters.ts'
import type { TaskText } from '../contract/task-texts.ts'
import { DISK } from './leave-file.ts'
import { actOnTask, FileTaskTexts, firstPrompt } from './task-texts.ts'

let home: string
let texts: FileTaskTexts

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-task-texts-'))
  texts = new FileTaskTexts(home)
})
afterEach(() => rmSync(home, { recursive: true }))

const of = (name: string, given: Partial<TaskText> = {}): TaskText => ({
  ...{ name, by: 'you', wallAt: 0, beginning: `${name} begins` },
  ...given,
})
const base = { id: 'e-1', agent: 'agent-1', generation: 1 }
const file = (name: string) => join(home, 'task-texts/agent-1', `${name}.md`)

test('each is a file for its owner alone, written as often as one likes; what is gone goes, and with the last the folder', async () => {
  const keep = (name: string, whole: string, gone: string[] = []) =>
    actOnTask(texts, { type: 'task.keep', ...base, text: { ...of(name), whole }, gone })
  expect(await keep('p-1', 'Repair it.')).toEqual({ result: 'done' })
  expect(await keep('p-1', 'Repair it.')).toEqual({ result: 'done' })
  expect(await keep('m-2', 'Later.', ['m-1'])).toEqual({ result: 'done' })
  expect([readFileSync(file('p-1'), 'utf8'), statSync(file('p-1')).mode & 0o777]).toEqual(['Repair it.', 0o600])
  expect(statSync(join(home, 'task-texts/agent-1')).mode & 0o777).toBe(0o700)
  await keep('m-3', 'Newer.', ['m-2'])
  expect([await texts.read('agent-1', 'm-2'), await texts.read('agent-1', 'm-3')]).toEqual([undefined, 'Newer.'])
  await actOnTask(texts, { type: 'task.forget', ...base, names: ['p-1', 'm-3'] })
  expect(existsSync(join(home, 'task-texts/agent-1'))).toBe(false)
})

test('a disk that is full is said, and without a place nothing is kept', async () => {
  const full = new FileTaskTexts(home, { ...DISK, write: () => Promise.reject(new Error('no space left')) })
  await expect(full.keep('agent-1', 'p-1', 'text')).rejects.toThrow('no space left')
  const effect = { type: 'task.keep', ...base, text: { ...of('p-1'), whole: 'text' } } as const
  expect(await actOnTask(undefined, effect)).toMatchObject({ result: 'not_done' })
})

test('the first prompt has the files, what the journal holds, and of what others could write only the beginning', async () => {
  await texts.keep('agent-1', 'p-1', 'The whole first prompt.')
  await texts.keep('agent-1', 'm-3', 'Changed by somebody.')
  rmSync(file('m-3'))
  writeFileSync(file('m-3'), 'Changed by somebody.', { mode: 0o644 })
  const task = [of('p-1'), of('m-2', { whole: 'Out of the journal.' }), of('m-3'), of('m-4')]
  const given = { agent: 'agent-1', run: 'r-1', summary: 'Go on.', task }
  const prompt = await firstPrompt({ taskTexts: texts }, given, 'its transcript was deleted')
  expect(prompt).toContain('(its transcript was deleted)')
  for (const part of ['The whole first prompt.', 'Out of the journal.', 'm-3 begins […]', 'm-4 begins […]', 'Go on.']) {
    expect(prompt).toContain(part)
  }
  expect(prompt).not.toContain('Changed by somebody.')
})

test('what is too long to be typed is left as a letter, which has all of it', async () => {
  const letters = new FileLetters(home)
  await texts.keep('agent-1', 'p-1', 'a'.repeat(64 * 1024))
  await texts.keep('agent-1', 'm-2', 'b'.repeat(64 * 1024))
  const given = { agent: 'agent-1', run: 'r-1', summary: 'Go on.', task: [of('p-1'), of('m-2')] }
  const prompt = await firstPrompt({ taskTexts: texts, letters }, given)
  const path = join(home, 'letters/agent-1/r-1.md')
  expect(prompt).toContain(path)
  expect(prompt.length).toBeLessThan(1000)
  const letter = readFileSync(path, 'utf8')
  expect([letter.includes('a'.repeat(64 * 1024)), letter.includes('b'.repeat(64 * 1024))]).toEqual([true, true])
})
