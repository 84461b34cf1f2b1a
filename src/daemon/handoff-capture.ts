/**
 * Captures what an agent leaves to its successor: its notes, its repository, its tasks, its last words and what it cost.
 * Every part is read asynchronously and within bounds, all at once; one that fails or takes too long is missing with its
 * reason, and the others are kept.
 */
import { CONTEXT_LIMITS, type HandoffContext, type HandoffTask } from '../contract/handoff-context.ts'
import type { CostView } from '../contract/cost-views.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Task } from '../contract/tasks.ts'
import type { Git } from '../core/git-port.ts'
import { SECOND } from '../core/durations.ts'
import { makeContext, type Findings, type Found } from '../core/handoffs/make-context.ts'
import { redactTo } from '../core/redact.ts'
import { STATE_PATH } from '../core/handoffs/orders.ts'
import { ownOf } from '../core/own-repository.ts'
import type { Sessions } from '../core/runtime-port.ts'
import type { WorkspaceFiles } from './workspace-file.ts'

export interface CapturePorts {
  git: Pick<Git, 'describe'>
  files: WorkspaceFiles
  /** Undefined where its program keeps no sessions. */
  sessions: (agent: AgentRecord) => Pick<Sessions, 'lastWords'> | undefined
  cost: (agent: AgentRecord) => Promise<Pick<CostView, 'total' | 'sessions'>>
}

export interface Capture {
  wallAt: number
  /** How often this work was handed on before. */
  handoffCount: number
  /** The hand-off document that was written for it, in the workspace. */
  document?: string
  /** For each part. */
  limitMs?: number
}

/** Where agents keep their notes, the documents' place first. */
const STATE_FILES = [STATE_PATH, 'STATE.md'] as const
const CLAUDE_FILES = ['CLAUDE.md', '.claude/CLAUDE.md'] as const

export async function captureHandoff(
  agent: AgentRecord,
  ports: CapturePorts,
  { wallAt, handoffCount, document, limitMs = 20 * SECOND }: Capture,
): Promise<HandoffContext> {
  const within = <T>(what: string, work: () => Promise<Found<T>>) => inTime(what, work, limitMs)
  const [stateFile, claudeMd, git, lastWords, use, written] = await Promise.all([
    within('its notes', () => firstFile(agent, ports, STATE_FILES)),
    within('CLAUDE.md', () => firstFile(agent, ports, CLAUDE_FILES)),
    within('its repository', () => repositoryOf(agent, ports)),
    within('its transcript', () => wordsOf(agent, ports)),
    within('what it used', () => useOf(agent, ports)),
    within('its hand-off document', () => firstFile(agent, ports, document === undefined ? [] : [document])),
  ])
  const findings: Findings = { stateFile, claudeMd, git, tasks: tasksOf(agent), lastWords, use }
  if ('found' in written) findings.document = written.found.text
  return makeContext(agent, findings, { wallAt, handoffCount })
}

async function inTime<T>(what: string, work: () => Promise<Found<T>>, limitMs: number): Promise<Found<T>> {
  const { promise, resolve } = Promise.withResolvers<Found<T>>()
  const timer = setTimeout(() => resolve({ why: `${what} could not be read within ${limitMs / SECOND} s` }), limitMs)
  const failed = (error: unknown) => ({
    why: `${what} could not be read: ${error instanceof Error ? error.message : String(error)}`,
  })
  try {
    return await Promise.race([work().catch(failed), promise])
  } finally {
    clearTimeout(timer)
  }
}

async function firstFile(
  { workspace }: AgentRecord,
  { files }: CapturePorts,
  names: readonly string[],
): Promise<Found<{ path: string; text: string; cut: boolean }>> {
  let why = 'there is none'
  for (const [k, path] of names.entries()) {
    const read = await files(workspace, path, CONTEXT_LIMITS.file)
    if (typeof read !== 'string') return { found: { path, ...read } }
    if (k === 0) why = read
  }
  return { why }
}

async function repositoryOf(agent: AgentRecord, { git }: CapturePorts): Promise<Findings['git']> {
  const found = await git.describe(agent.workspace, ownOf(agent))
  return found === undefined ? { why: 'its workspace is no git repository' } : { found }
}

/** As they were last seen: a list is looked at again whenever an agent comes to rest. */
function tasksOf({ tasks }: AgentRecord): Findings['tasks'] {
  if (tasks?.source === undefined) return { why: tasks?.why ?? 'no list of tasks was looked at yet' }
  const found = tasks.tasks.filter(({ group }) => group !== true).map(handoffTaskOf)
  const total = Object.values(tasks.counts).reduce((sum, count) => sum + count, 0)
  return { found, cut: found.length < total }
}

function handoffTaskOf({ id, title, state, complexity }: Task): HandoffTask {
  return { id, title, state, ...(complexity === undefined ? {} : { complexity: complexity.value }) }
}

/** The newest of what a specialist said, which is what it has to report; undefined when nobody knows. */
export async function lastWordsOf(agent: AgentRecord, ports: CapturePorts): Promise<string | undefined> {
  const words = await inTime('its transcript', () => wordsOf(agent, ports), 20 * SECOND)
  const last = 'found' in words ? words.found.at(-1) : undefined
  return last === undefined ? undefined : redactTo(last, CONTEXT_LIMITS.words)
}

async function wordsOf(agent: AgentRecord, ports: CapturePorts): Promise<Findings['lastWords']> {
  const { sessionId } = agent
  const sessions = ports.sessions(agent)
  if (sessions === undefined) return { why: 'its program keeps no transcript' }
  if (sessionId === undefined) return { why: 'its session is not known' }
  const found = await sessions.lastWords(sessionId)
  return found === undefined ? { why: 'its transcript is gone' } : { found }
}

async function useOf(agent: AgentRecord, { cost }: CapturePorts): Promise<Findings['use']> {
  const { total, sessions } = await cost(agent)
  if (sessions.length === 0) return { why: 'none of its sessions has a transcript' }
  return { found: { tokens: total.tokens, usd: total.usd ?? undefined } }
}
