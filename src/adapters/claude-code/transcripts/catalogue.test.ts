import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Catalogue } from './catalogue.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-catalogue-'))
  mkdirSync(join(folder, 'project/session/subagents'), { recursive: true })
  for (const name of ['a.jsonl', 'b.jsonl', 'notes.txt', 'file']) writeFileSync(join(folder, 'project', name), '')
  writeFileSync(join(folder, 'project/session/subagents/agent-1.jsonl'), '')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** To a clock that is ahead every folder is old. */
const AHEAD_MS = 60_000
const later = () => Date.now() + AHEAD_MS

function pathsIn(catalogue: Catalogue): string[] {
  return catalogue
    .transcriptsIn(folder)
    .map((number) => (catalogue.paths[number] ?? '').slice(folder.length + 1))
    .toSorted()
}

const ALL = ['project/a.jsonl', 'project/b.jsonl', 'project/session/subagents/agent-1.jsonl']

test.each([
  ['young', Date.now, 0],
  // The root, the project, the session and its subagents.
  ['old', later, 4],
])('folders that are %s: what is new and what is gone is found', (_age, now, listed) => {
  const catalogue = new Catalogue(undefined, now)
  expect(pathsIn(catalogue)).toEqual(ALL)
  expect(catalogue.listings.size).toBe(listed)
  expect(pathsIn(catalogue)).toEqual(ALL)
  rmSync(join(folder, 'project/a.jsonl'))
  mkdirSync(join(folder, 'other'))
  writeFileSync(join(folder, 'other/c.jsonl'), '')
  expect(pathsIn(catalogue)).toEqual(['other/c.jsonl', ...ALL.slice(1)])
  rmSync(join(folder, 'project'), { recursive: true })
  expect(pathsIn(catalogue)).toEqual(['other/c.jsonl'])
})

test('an old folder that has not changed is not listed again', () => {
  const catalogue = new Catalogue(undefined, later)
  catalogue.transcriptsIn(folder)
  const [project] = [...catalogue.listings].filter(([path]) => path.endsWith('/project'))
  if (project === undefined) throw new Error('The project was not listed.')
  const invented = { ...project[1], files: [project[1].files[0] ?? 0] }
  catalogue.put([], [[project[0], invented]])
  expect(catalogue.transcriptsIn(folder)).toHaveLength(2)
})

test('numbers stay, new files get the next ones, and a folder that is none has none', () => {
  const catalogue = new Catalogue()
  const before = catalogue.transcriptsIn(folder)
  writeFileSync(join(folder, 'project/0.jsonl'), '')
  expect(new Set(catalogue.transcriptsIn(folder))).toEqual(new Set([...before, 3]))
  expect(catalogue.paths[3]).toBe(join(folder, 'project/0.jsonl'))
  expect(catalogue.transcriptsIn(join(folder, 'none'))).toEqual([])
  expect(catalogue.transcriptsIn(join(folder, 'project/file'))).toEqual([])
})

test('links that lead back, or to themselves, lead to nothing', () => {
  for (const name of ['up', 'again']) symlinkSync('..', join(folder, 'project', name))
  symlinkSync('itself', join(folder, 'project/itself'))
  symlinkSync('itself.jsonl', join(folder, 'project/itself.jsonl'))
  expect(pathsIn(new Catalogue())).toEqual([...ALL.slice(0, 2), 'project/itself.jsonl', ...ALL.slice(2)])
})
