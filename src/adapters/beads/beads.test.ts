import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BeadsProject } from '../../../tests/e2e/beads/project.ts'
import { beads, type BeadsOptions } from './beads.ts'

let project: BeadsProject

beforeEach(() => {
  project = BeadsProject.fake('1.0.5')
})

afterEach(() => project.remove())

async function read(options: Partial<BeadsOptions> = {}) {
  const { program, env, folder: workspace } = project
  const found = await beads({ program, env, ...options }).find({ workspace })
  return 'missing' in found ? found : found.read()
}

test('no bd: it is said, and nothing crashes', async () => {
  await expect(read({ program: ['/nowhere/bd'] })).rejects.toThrow(/^bd is not there: .*Install beads/)
  const { program: _, ...own } = { program: 0, env: { ...project.env, PATH: '/nowhere' } }
  const found = await beads(own).find({ workspace: project.folder })
  await expect('read' in found && found.read()).rejects.toThrow(/^bd is not there/)
})

test('BD_BIN names the program', async () => {
  const found = await beads({ env: { ...project.env, BD_BIN: '/nowhere/other-bd' } }).find({
    workspace: project.folder,
  })
  await expect('read' in found && found.read()).rejects.toThrow(/^bd is not there/)
})

test.each([
  ['text on stderr', /^bd list failed in .*: cannot open the store: it is locked$/],
  ['JSON on stderr', /^bd list failed in .*: operation is not allowed in read-only mode$/],
  ['JSON on stdout', /^bd list failed in .*: no issues found matching the provided IDs$/],
  ['garbage', /^bd list failed in .*: it printed no JSON$/],
  ['flood', /wrote more than 16777216 bytes$/],
])('%s', async (fault, error) => {
  project.break(fault)
  await expect(read()).rejects.toThrow(error)
})

test('one that hangs is ended', async () => {
  project.break('hang')
  await expect(read({ timeoutMs: 500 })).rejects.toThrow(/did not end within 500 ms/)
})

test('more than the 50 that it shows by itself, and the closed ones', async () => {
  const file = join(project.folder, '.beads/fake.json')
  const rows = Array.from({ length: 120 }, (_, n) => ({
    id: `t-${n}`,
    title: 'x',
    status: n % 2 === 0 ? 'open' : 'closed',
  }))
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), rows }))
  expect(await read()).toHaveLength(120)
})

test('in a folder of the project, and of two who ask together each gets an answer, failed or not', async () => {
  project.bd('create', 'Plan', '--json')
  mkdirSync(join(project.folder, 'src'))
  const { program, env } = project
  const source = beads({ program, env })
  const found = await source.find({ workspace: join(project.folder, 'src') })
  if ('missing' in found) throw new Error(found.missing)
  const [first, second] = await Promise.all([found.read(), found.read()])
  expect(first).toEqual(second)
  expect(first?.map(({ title }) => title)).toEqual(['Plan'])
  project.break('garbage')
  await expect(found.read()).rejects.toThrow()
})
