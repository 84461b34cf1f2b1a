/**
 * Joins what was found of an agent's work to what its successor is given. Nothing is thrown away in silence: a part that
 * is missing says why, and one that is too long says that it was cut.
 */
import {
  CONTEXT_LIMITS,
  type ContextPart,
  type HandoffContext,
  type HandoffTask,
} from '../../contract/handoff-context.ts'
import type { TokenSums } from '../../contract/cost-views.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { GitDescription } from '../git-port.ts'
import { isoTime } from '../iso-time.ts'
import { redact } from '../redact.ts'
import { typeable } from '../typeable.ts'
import { cutAt } from './cut-at.ts'
import { withoutOldSummaries } from './old-summaries.ts'
import { readNotes, remainsInWords, type Notes } from './read-state.ts'

/** Found, or why not. */
export type Found<T> = { found: T } | { why: string }

export interface Findings {
  stateFile: Found<{ path: string; text: string; cut: boolean }>
  claudeMd: Found<{ text: string; cut: boolean }>
  git: Found<GitDescription>
  /** `cut`: there are more than these. */
  tasks: Found<readonly HandoffTask[]> & { cut?: boolean }
  lastWords: Found<readonly string[]>
  use: Found<{ tokens: TokenSums; usd: number | undefined }>
  /** The checked hand-off document, where one was written. */
  document?: string
}

type About = Pick<
  AgentRecord,
  'id' | 'generation' | 'issue' | 'project' | 'title' | 'workspace' | 'model' | 'runtime' | 'sessionId'
>

export function makeContext(
  agent: About,
  findings: Findings,
  { wallAt, handoffCount }: { wallAt: number; handoffCount: number },
): HandoffContext {
  const gaps: Gaps = { missing: [], cut: new Set() }
  const state = take(gaps, 'stateFile', findings.stateFile)
  const claude = take(gaps, 'claudeMd', findings.claudeMd)
  const words = take(gaps, 'lastWords', findings.lastWords)
  const clean = {
    state: state && textOf(gaps, 'stateFile', { text: state.text, limit: CONTEXT_LIMITS.file, cut: state.cut }),
    words: words && textOf(gaps, 'lastWords', { text: newestFirst(words), limit: CONTEXT_LIMITS.words }),
  }
  const summary = summaryOf(gaps, {
    state: clean.state === undefined ? undefined : readNotes(clean.state),
    document:
      findings.document === undefined ? undefined : readNotes(withoutOldSummaries(cleaned(findings.document), '')),
    words: clean.words,
  })
  return {
    ...identityOf(agent),
    capturedAt: isoTime(wallAt),
    ...defined({
      stateFile: clean.state,
      stateFilePath: state?.path,
      claudeMd: claude && textOf(gaps, 'claudeMd', { text: claude.text, limit: CONTEXT_LIMITS.file, cut: claude.cut }),
      lastWords: clean.words,
    }),
    ...gitParts(gaps, findings.git),
    ...taskParts(gaps, findings.tasks),
    ...summary,
    ...useParts(gaps, findings.use),
    handoffCount,
    missing: gaps.missing,
    cut: [...gaps.cut],
  }
}

/** What is not whole: why a part is missing, and which ones were cut. */
interface Gaps {
  missing: HandoffContext['missing']
  cut: Set<ContextPart>
}

function miss({ missing }: Gaps, part: ContextPart, why: string): void {
  missing.push({ part, why: oneLine(why) || 'nobody can tell' })
}

function take<T>(gaps: Gaps, part: ContextPart, found: Found<T>): T | undefined {
  if ('found' in found) return found.found
  miss(gaps, part, found.why)
  return undefined
}

function textOf({ cut }: Gaps, part: ContextPart, given: { text: string; limit: number; cut?: boolean }): string {
  const clean = cleaned(given.text)
  if (given.cut === true || clean.length > given.limit) cut.add(part)
  return cutAt(clean, given.limit)
}

function listOf<T>({ cut }: Gaps, part: ContextPart, given: { list: readonly T[]; limit: number }): T[] {
  if (given.list.length > given.limit) cut.add(part)
  return given.list.slice(0, given.limit)
}

function identityOf(agent: About) {
  const { id, generation, issue, project, title, workspace, model, runtime, sessionId } = agent
  return {
    ...defined({ issueId: issue, project, title, previousSessionId: sessionId }),
    agentId: id,
    generation,
    workspace,
    previousModel: model,
    previousRuntime: runtime,
  }
}

function gitParts(gaps: Gaps, git: Findings['git']): Partial<HandoffContext> {
  if (!('found' in git)) {
    for (const part of ['gitBranch', 'uncommittedFiles', 'lastCommit'] as const) miss(gaps, part, git.why)
    return {}
  }
  const { branch, head, dirty, dirtyTotal } = git.found
  if (branch === undefined) miss(gaps, 'gitBranch', 'HEAD is detached')
  if (head === undefined) miss(gaps, 'lastCommit', 'there is no commit yet')
  const files = listOf(gaps, 'uncommittedFiles', { list: dirty, limit: CONTEXT_LIMITS.uncommittedFiles })
  if (files.length < dirtyTotal) gaps.cut.add('uncommittedFiles')
  return {
    ...defined({
      gitBranch: branch && oneLine(branch, 250),
      lastCommit: head && oneLine(`${head.hash} ${head.subject}`),
    }),
    uncommittedFiles: files.map(({ path }) => oneLine(path, CONTEXT_LIMITS.path)),
    uncommittedTotal: dirtyTotal,
  }
}

function taskParts(gaps: Gaps, tasks: Findings['tasks']): Partial<HandoffContext> {
  const all = take(gaps, 'tasks', tasks)
  if (all === undefined) return {}
  if (tasks.cut === true) gaps.cut.add('tasks')
  const of = (isOf: (state: HandoffTask['state']) => boolean) =>
    all
      .filter(({ state }) => isOf(state))
      .map((task) => ({ ...task, id: oneLine(task.id, 100) || '?', title: oneLine(task.title) }))
  const done = of((state) => state === 'closed').toReversed()
  return {
    activeBeadsTasks: listOf(gaps, 'tasks', {
      list: of((state) => state === 'in_progress'),
      limit: CONTEXT_LIMITS.tasks,
    }),
    remainingTasks: listOf(gaps, 'tasks', {
      list: of((state) => state === 'open' || state === 'blocked'),
      limit: CONTEXT_LIMITS.tasks,
    }),
    completedTasks: listOf(gaps, 'tasks', { list: done, limit: CONTEXT_LIMITS.tasks }).toReversed(),
  }
}

interface Sources {
  state: Notes | undefined
  document: Notes | undefined
  words: string | undefined
}

/** The document was written for this very hand-off, notes some time ago, and words say least of the whole. */
function summaryOf(gaps: Gaps, { state, document, words }: Sources) {
  const pick = (part: 'whatWasDone' | 'whatRemains', own: string | undefined) => {
    const key = part === 'whatWasDone' ? 'done' : 'remains'
    const from =
      document?.[key] !== undefined ? 'hand-off document' : state?.[key] !== undefined ? 'STATE.md' : 'transcript'
    const text = document?.[key] ?? state?.[key] ?? own
    if (text === undefined || text === '') {
      miss(gaps, part, 'neither its notes nor its last words say it')
      return undefined
    }
    return { text: textOf(gaps, part, { text: text, limit: CONTEXT_LIMITS.summary }), from } as const
  }
  const done = pick('whatWasDone', words)
  const remains = pick('whatRemains', words === undefined ? undefined : remainsInWords(words))
  const next = document?.nextStep ?? state?.nextStep
  const noted = (part: 'blockers' | 'decisions') => {
    const list = document?.[part] ?? state?.[part]
    if (list === undefined) miss(gaps, part, 'its notes have no such section')
    return list && listOf(gaps, part, { list: list, limit: CONTEXT_LIMITS.notes }).map((each) => oneLine(each))
  }
  return {
    ...defined({
      whatWasDone: done?.text,
      whatRemains: remains?.text,
      nextStep: next && oneLine(next),
      blockers: noted('blockers'),
      decisions: noted('decisions'),
    }),
    summaryFrom: defined({ whatWasDone: done?.from, whatRemains: remains?.from }),
  }
}

function useParts(gaps: Gaps, use: Findings['use']): Partial<HandoffContext> {
  if (!('found' in use)) {
    miss(gaps, 'tokenUsage', use.why)
    miss(gaps, 'costSoFar', use.why)
    return {}
  }
  const { tokens, usd } = use.found
  if (usd === undefined) miss(gaps, 'costSoFar', 'its model has no known price')
  return { tokenUsage: tokens, ...defined({ costSoFar: usd }) }
}

/** Where not all has room, the newest is kept. */
function newestFirst(words: readonly string[]): string {
  return words.toReversed().join('\n\n')
}

function cleaned(text: string): string {
  return redact(typeable(text)).trim()
}

function oneLine(text: string, limit: number = CONTEXT_LIMITS.line): string {
  return cutAt(cleaned(text.slice(0, limit * 8)).replaceAll(/\s+/g, ' '), limit)
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(fields: T): Defined<T> {
  // What is left of it has no undefined, which the compiler cannot see through the filter.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
