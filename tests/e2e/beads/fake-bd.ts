/**
 * A program that speaks like `bd`, in the dialects that were measured: 1.0.5 shows 50 rows unless told otherwise, 1.3.0
 * all of them; both take the envelope. Its issues stand in `.beads/fake.json` of the folder that it is started in.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

interface Row {
  id: string
  title: string
  status: string
  priority: number
  issue_type: string
  labels?: string[]
  metadata?: Record<string, unknown>
  dependencies?: { issue_id: string; depends_on_id: string; type: string; metadata: string }[]
  parent?: string
  [field: string]: unknown
}

interface State {
  version: '1.0.5' | '1.3.0'
  /** What goes wrong on purpose. */
  fault?: 'hang' | 'garbage' | 'text on stderr' | 'JSON on stderr' | 'JSON on stdout' | 'flood'
  rows: Row[]
}

const FILE = '.beads/fake.json'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(
      ['json', 'readonly', 'all', 'claim', 'quiet'].map((name) => [name, { type: 'boolean' } as const]),
    ),
    ...Object.fromEntries(
      ['limit', 'deps', 'metadata', 'labels', 'parent', 'type', 'exclude-type', 'status', 'priority'].map((name) => [
        name,
        { type: 'string' } as const,
      ]),
    ),
  },
})
const [command = '', subject = ''] = positionals
const text = (name: string): string | undefined => values[name] as string | undefined

if (!existsSync(FILE)) {
  process.stderr.write('Error: no beads database found\n')
  process.exit(1)
}
const state = JSON.parse(readFileSync(FILE, 'utf8')) as State
const fail = (error: string, to: NodeJS.WriteStream = process.stdout): never => {
  to.write(`${JSON.stringify(enveloped({ error }))}\n`)
  process.exit(1)
}

const FAULTS: Record<NonNullable<State['fault']>, () => unknown> = {
  hang: () => setInterval(() => undefined, 1e6),
  garbage: () => process.stdout.write('{"data": [{"id": "t-1", '),
  'text on stderr': () => {
    process.stderr.write('cannot open the store: it is locked\n')
    process.exit(1)
  },
  'JSON on stderr': () => fail('operation is not allowed in read-only mode', process.stderr),
  'JSON on stdout': () => fail('no issues found matching the provided IDs'),
  flood: () => process.stdout.write('x'.repeat(40 * 1024 * 1024)),
}

if (state.fault === undefined) answer()
else FAULTS[state.fault]()

function answer(): void {
  const commands: Record<string, () => unknown> = {
    list: () => limited(state.rows.filter(({ status }) => values['all'] === true || status !== 'closed')),
    ready: () => limited(state.rows.filter(isReady)),
    create,
    update,
    close,
  }
  const payload = commands[command]?.()
  if (payload === undefined) fail(`unknown command ${command}`)
  process.stdout.write(`${JSON.stringify(enveloped(payload), null, 2)}\n`)
}

function enveloped(payload: unknown): unknown {
  if (process.env['BD_JSON_ENVELOPE'] === '1') return { schema_version: 1, data: payload }
  return Array.isArray(payload) ? payload : { ...(payload as object), schema_version: 1 }
}

function limited(rows: Row[]): Row[] {
  const limit = Number(text('limit') ?? (state.version === '1.0.5' ? 50 : 0))
  return limit === 0 ? rows : rows.slice(0, limit)
}

/** Epics are ready, too, unless they are excluded. */
function isReady(row: Row): boolean {
  const excluded = text('exclude-type')
  if (row.status !== 'open' || (excluded !== undefined && row.issue_type === excluded)) return false
  return !(row.dependencies ?? []).some(
    ({ type, depends_on_id: id }) =>
      type === 'blocks' && state.rows.find((each) => each.id === id)?.status !== 'closed',
  )
}

function create(): Row {
  const id = `t-${state.rows.length + 1}`
  const parent = state.rows.find((row) => row.id === text('parent'))
  const edge = (on: string, type: string) => ({ issue_id: id, depends_on_id: on, type, metadata: '{}' })
  const edges = [
    ...(text('deps')?.split(',') ?? []).map((on) => edge(on, 'blocks')),
    ...(parent === undefined ? [] : [edge(parent.id, 'parent-child')]),
  ]
  // Children are given the labels of their parent when they are made.
  const labels = [...new Set([...(parent?.labels ?? []), ...(text('labels')?.split(',') ?? [])])]
  const row: Row = {
    id,
    title: subject,
    status: 'open',
    priority: Number(text('priority') ?? 2),
    issue_type: text('type') ?? 'task',
    created_at: '2026-11-15T18:09:20Z',
    updated_at: '2026-11-15T18:09:20Z',
    ...(labels.length === 0 ? {} : { labels }),
    ...(text('metadata') === undefined
      ? {}
      : { metadata: JSON.parse(text('metadata') ?? '{}') as Record<string, unknown> }),
    ...(edges.length === 0 ? {} : { dependencies: edges, dependency_count: edges.length }),
    ...(parent === undefined ? {} : { parent: parent.id }),
  }
  save([...state.rows, row])
  return row
}

function update(): Row[] {
  const claimed = {
    status: 'in_progress',
    assignee: process.env['BEADS_ACTOR'] ?? 'T',
    started_at: '2026-11-15T18:10:00Z',
  }
  return changed(values['claim'] === true ? claimed : { status: text('status') ?? 'open' })
}

function close(): Row[] {
  const row = state.rows.find(({ id }) => id === subject)
  if (row !== undefined && !isReady(row) && row.status === 'open') {
    process.stderr.write(`cannot close ${subject}: blocked by open issues (use --force to override)\n`)
    process.exit(1)
  }
  return changed({ status: 'closed', closed_at: '2026-11-15T18:20:00Z', close_reason: 'Closed' })
}

function changed(change: Partial<Row>): Row[] {
  if (!state.rows.some(({ id }) => id === subject)) fail('no issues found matching the provided IDs')
  save(state.rows.map((row) => (row.id === subject ? { ...row, ...change } : row)))
  return state.rows.filter(({ id }) => id === subject)
}

function save(rows: Row[]): void {
  state.rows = rows
  writeFileSync(FILE, JSON.stringify(state))
}
