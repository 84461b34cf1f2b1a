import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { beads } from '../../src/adapters/beads/beads.ts'
import { claudeTasks } from '../../src/adapters/claude-tasks/claude-tasks.ts'
import { VirtualTasks } from '../fakes/virtual-tasks.ts'
import { fieldsOf } from '../../src/core/tasks/bounded-task.ts'
import { BeadsProject, findBd } from '../e2e/beads/project.ts'
import { tasksSuite, type NewTask, type TasksPlace } from './tasks-suite.ts'

tasksSuite('in memory', async () => {
  const source = new VirtualTasks()
  const workspace = '/work'
  source.begin(workspace)
  return {
    source,
    place: { workspace },
    elsewhere: { workspace: '/elsewhere' },
    add: async (title, { after = [], complexity, model, tags = [] } = {}) =>
      source.add(
        workspace,
        title
          .replaceAll(/[\s\p{Cc}]+/gu, ' ')
          .trim()
          .slice(0, 200),
        {
          blockedBy: [...after],
          tags: [...tags],
          ...(complexity === undefined ? {} : { complexity: { value: 'expert', from: 'metadata' } }),
          ...(model === undefined ? {} : { suggestedModel: model }),
        },
      ),
    begin: async (id) => source.change(workspace, id, { state: 'in_progress' }),
    close: async (id) => source.change(workspace, id, { state: 'closed' }),
    remove: async () => {},
  }
})

for (const version of ['1.0.5', '1.3.0'] as const) {
  tasksSuite(`beads, a program that speaks like bd ${version}`, async () => placeOf(BeadsProject.fake(version)))
}

const real = findBd()
if ('missing' in real) {
  describe('tasks: beads, the real bd', () => {
    test('as all others', (ctx) => ctx.skip(true, `it cannot be had here: ${real.missing}`))
  })
} else tasksSuite('beads, the real bd', async () => placeOf(BeadsProject.real(real.program)))

function placeOf(project: BeadsProject): TasksPlace {
  const { folder: workspace, home, program, env } = project
  mkdirSync(join(home, 'elsewhere'))
  return {
    source: beads({ program, env }),
    place: { workspace },
    elsewhere: { workspace: join(home, 'elsewhere') },
    add: async (title, given = {}) => {
      const said = JSON.parse(project.bd('create', title, '--json', ...flagsOf(given))) as unknown
      return String(fieldsOf(said)['id'])
    },
    begin: async (id) => void project.bd('update', id, '--claim', '--json'),
    close: async (id) => void project.bd('close', id, '--json'),
    remove: async () => project.remove(),
  }
}

function flagsOf({ after = [], complexity, model, tags = [] }: NewTask): string[] {
  const metadata = metadataOf(complexity, model)
  return [
    ...(after.length === 0 ? [] : ['--deps', after.join(',')]),
    ...(tags.length === 0 ? [] : ['--labels', tags.join(',')]),
    ...(metadata === undefined ? [] : ['--metadata', JSON.stringify(metadata)]),
  ]
}

function metadataOf(complexity: string | undefined, model: string | undefined): object | undefined {
  if (complexity === undefined && model === undefined) return undefined
  return { complexity, execution_suggested_model: model }
}

/** Written as the client writes them. */
tasksSuite('claude-tasks, files as Claude Code writes them', async () => {
  const config = mkdtempSync(join(tmpdir(), 'cloister-tasks-'))
  const folder = join(config, 'tasks', 'pan-18')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.lock'), '')
  const tasks = new Map<string, Record<string, unknown>>()
  const write = (id: string, change: Record<string, unknown>) => {
    tasks.set(id, { ...tasks.get(id), ...change })
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(tasks.get(id), null, 2))
  }
  return {
    source: claudeTasks({ env: { CLAUDE_CONFIG_DIR: config } }),
    place: { workspace: '/work', list: 'pan-18' },
    elsewhere: { workspace: '/work', list: 'pan-19', session: 'none' },
    add: async (subject, { after = [], complexity, model, tags } = {}) => {
      const id = String(tasks.size + 1)
      const metadata = { ...metadataOf(complexity, model), tags }
      write(id, { id, subject, description: '', status: 'pending', blocks: [], blockedBy: after, metadata })
      return id
    },
    begin: async (id) => write(id, { status: 'in_progress' }),
    close: async (id) => write(id, { status: 'completed' }),
    remove: async () => rmSync(config, { recursive: true, force: true }),
  }
})
