import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { planFiles } from './plan-file.ts'

const WHOLE = '# Plan\n\n## Steps\n\n1. One\n2. Two\n'
const PATH = 'docs/prds/active/pan-18-plan.md'
const NOW = Date.UTC(2026, 0, 20, 22)

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-plan-'))
  folders.push(folder)
  mkdirSync(join(folder, 'docs/prds/active'), { recursive: true })
  return folder
}

function write(folder: string, text: string, ageMs: number): void {
  const file = join(folder, PATH)
  writeFileSync(file, text)
  utimesSync(file, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000)
}

const clock = { now: () => ({ wallAt: NOW, monoAt: 0 }), wakeAt: () => () => {} }

test.each<[string, (folder: string) => void, number | undefined]>([
  ['there is none', () => {}, undefined],
  ['whole, and left alone', (folder) => write(folder, WHOLE, 60_000), 60_000],
  ['just written', (folder) => write(folder, WHOLE, 5000), undefined],
  ['half of it', (folder) => write(folder, '# Plan\n\n## Steps\n', 60_000), undefined],
  [
    'it leads out of the workspace',
    (folder) => {
      const outside = workspace()
      write(outside, WHOLE, 60_000)
      symlinkSync(join(outside, PATH), join(folder, PATH))
    },
    undefined,
  ],
])('%s', async (_, make, ageMs) => {
  const folder = workspace()
  make(folder)
  const plan = await planFiles(clock)(agentRecord({ workspace: folder }))
  expect(plan).toEqual(ageMs === undefined ? undefined : { path: PATH, stamp: expect.any(String), ageMs })
})

test('it is read again when it changed, and of no issue there is no plan', async () => {
  const folder = workspace()
  const planOf = planFiles(clock)
  const agent = agentRecord({ workspace: folder })
  write(folder, '# Plan\n', 90_000)
  expect(await planOf(agent)).toBe(undefined)
  write(folder, WHOLE, 60_000)
  expect(await planOf(agent)).toMatchObject({ path: PATH })
  const { issue: _, ...nobodys } = agent
  expect(await planOf(nobodys)).toBe(undefined)
})
