/** A task out of what a foreign program wrote: every field may be missing, wrong or far too long. */
import { complexity as levels } from '../../contract/config/values.ts'
import { TASK_LIMITS, type Task } from '../../contract/tasks.ts'
import { redactTo } from '../redact.ts'
import { countFilesNamedIn } from '../routing/files-named.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Taken over as it is, but for the state, which each source words its own way. */
export interface RawTask {
  id: unknown
  title: unknown
  state: Task['state']
  group?: boolean
  tags?: unknown
  parent?: unknown
  blockedBy?: readonly unknown[]
  priority?: unknown
  assignee?: unknown
  /** What whoever wrote it added by himself. */
  metadata?: unknown
  /** The task's own fields, for sources that have a complexity among them. */
  fields?: Fields
  /** The files that it names are counted where nobody counted them. */
  description?: unknown
  changedWallAt?: unknown
}

/** Undefined without an id: such a task can be neither named nor closed. */
export function boundedTask(raw: RawTask): Task | undefined {
  const id = textOf(raw.id, TASK_LIMITS.id)
  if (id === undefined) return undefined
  const metadata = fieldsOf(raw.metadata)
  const parent = textOf(raw.parent, TASK_LIMITS.id)
  const assignee = textOf(raw.assignee, TASK_LIMITS.name)
  const priority = numberOf(raw.priority, 4)
  const suggestedModel = suggested(metadata, raw.fields)
  const complexity = stated(metadata, raw.fields)
  const files = filesOf(metadata, raw.description)
  const changedWallAt = numberOf(raw.changedWallAt, Number.MAX_SAFE_INTEGER)
  return {
    id,
    title: textOf(raw.title, TASK_LIMITS.title) ?? '',
    state: raw.state,
    ...(raw.group === true ? { group: true } : {}),
    tags: textsOf(raw.tags, TASK_LIMITS.tag).slice(0, TASK_LIMITS.tags),
    ...(parent === undefined || parent === id ? {} : { parent }),
    blockedBy: textsOf(raw.blockedBy, TASK_LIMITS.id).slice(0, TASK_LIMITS.blockers),
    ...(priority === undefined ? {} : { priority }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(complexity === undefined ? {} : { complexity }),
    ...(suggestedModel === undefined ? {} : { suggestedModel }),
    ...(files === undefined ? {} : { files }),
    ...(changedWallAt === undefined ? {} : { changedWallAt }),
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function stated(metadata: Fields, fields: Fields = {}): Task['complexity'] {
  for (const [from, value] of [
    ['metadata', metadata['complexity']],
    ['metadata', metadata['cloister.complexity']],
    ['field', fields['complexity']],
  ] as const) {
    const level = levels.safeParse(typeof value === 'string' ? value.trim().toLowerCase() : value).data
    if (level !== undefined) return { value: level, from }
  }
  return undefined
}

function suggested(metadata: Fields, fields: Fields = {}): string | undefined {
  const said = [metadata['execution_suggested_model'], metadata['suggested_model'], fields['suggested_model']]
  return said.map((value) => textOf(value, TASK_LIMITS.name)).find((value) => value !== undefined)
}

function filesOf(metadata: Fields, description: unknown): number | undefined {
  const said = metadata['files'] ?? metadata['file_count']
  if (Array.isArray(said)) return said.length
  const counted = numberOf(typeof said === 'string' ? Number(said) : said, 1_000_000)
  return counted ?? (typeof description === 'string' ? countFilesNamedIn(description) : undefined)
}

function textsOf(value: unknown, limit: number): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, 1000) : []
  return [...new Set(list.flatMap((each) => textOf(each, limit) ?? []))]
}

/** One line, without secrets and what nobody sees, cut at a whole character. */
function textOf(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const line = redactTo(String(value), limit * 4)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const short = line.length <= limit ? line : `${line.slice(0, limit - 1)}…`
  const whole = short.replaceAll(/\p{Cs}/gu, '')
  return whole === '' ? undefined : whole
}

function numberOf(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined
}
