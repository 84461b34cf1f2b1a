import { expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { CONTEXT_LIMITS, CONTEXT_PARTS, handoffContext, type HandoffTask } from '../contract/handoff-context.ts'
import type { AgentTasks, Task } from '../contract/tasks.ts'
import { keptTasks } from '../core/tasks/own-tasks.ts'
import { captureHandoff, type CapturePorts } from './handoff-capture.ts'

const wallAt = Date.UTC(2026, 0, 22, 14, 30)
const tokens = { input: 10, output: 20, cacheRead: 3000, cacheWrite5m: 400, cacheWrite1h: 0 }
const agent = agentRecord({
  model: 'claude-haiku-4-5',
  runtime: 'claude-code',
  sessionId: 's-1',
  title: 'Refresh tokens',
})

const STATE = `# State
## What was done
- [x] migration 005
## Next steps
1. Write the refresh endpoint
2. Write its tests
## Blockers
- none
## Decisions
- Rotate on every use
`

const TASKS: readonly HandoffTask[] = [
  { id: 'pan-1', title: 'Plan it', state: 'closed', complexity: 'expert' },
  { id: 'pan-2', title: 'Implement the endpoint', state: 'in_progress' },
  { id: 'pan-3', title: 'Write tests', state: 'open', complexity: 'simple' },
  { id: 'pan-4', title: 'Document it', state: 'blocked' },
]

const PLAIN = { tags: [], blockedBy: [] }
const NONE = { counts: { open: 0, in_progress: 0, blocked: 0, closed: 0 }, tasks: [] }
const KEPT = keptTasks(
  'beads',
  TASKS.map(({ complexity, ...each }) => ({
    ...PLAIN,
    ...each,
    ...(complexity === undefined ? {} : { complexity: { value: complexity, from: 'metadata' as const } }),
  })),
)

interface Given extends Partial<CapturePorts> {
  kept?: AgentTasks
  texts?: Readonly<Record<string, string>>
}

function ports({
  texts = { '.planning/STATE.md': STATE, 'CLAUDE.md': 'Use tabs.' },
  ...given
}: Given = {}): CapturePorts {
  return {
    git: {
      describe: async () => ({
        branch: 'feature/pan-18',
        head: { hash: 'abc1234', subject: 'Add the migration', committedWallAt: wallAt },
        dirty: [{ path: 'src/refresh.ts', state: 'modified', staged: false }],
        dirtyTotal: 1,
        upstream: undefined,
      }),
    },
    files: async (_, name, limit) => {
      const text = texts[name]
      return text === undefined ? `there is no ${name}` : { text: text.slice(0, limit), cut: text.length > limit }
    },
    sessions: () => ({ lastWords: async () => ['The migration works.', 'Next: the refresh endpoint.'] }),
    cost: async () => ({ total: { tokens, messages: 4, usd: 1.25, unpriced: [] }, sessions: ['s-1'] }),
    ...given,
  }
}

const capture = async (
  { kept: tasks = KEPT, ...given }: Given = {},
  more: { document?: string; limitMs?: number } = {},
) => {
  const context = await captureHandoff({ ...agent, tasks }, ports(given), { wallAt, handoffCount: 1, ...more })
  expect(handoffContext.parse(context)).toEqual(context)
  return context
}

test('all of it', async () => {
  expect(await capture()).toEqual({
    issueId: 'pan-18',
    title: 'Refresh tokens',
    agentId: 'agent-pan-18',
    generation: 1,
    workspace: '/workspaces/feature-pan-18',
    previousModel: 'claude-haiku-4-5',
    previousRuntime: 'claude-code',
    previousSessionId: 's-1',
    capturedAt: '2026-01-22T14:30:00.000Z',
    stateFile: STATE.trim(),
    stateFilePath: '.planning/STATE.md',
    claudeMd: 'Use tabs.',
    gitBranch: 'feature/pan-18',
    uncommittedFiles: ['src/refresh.ts'],
    uncommittedTotal: 1,
    lastCommit: 'abc1234 Add the migration',
    activeBeadsTasks: [TASKS[1]],
    remainingTasks: [TASKS[2], TASKS[3]],
    completedTasks: [TASKS[0]],
    lastWords: 'Next: the refresh endpoint.\n\nThe migration works.',
    whatWasDone: '- migration 005',
    whatRemains: '- Write the refresh endpoint\n- Write its tests',
    nextStep: 'Write the refresh endpoint',
    blockers: [],
    decisions: ['Rotate on every use'],
    summaryFrom: { whatWasDone: 'STATE.md', whatRemains: 'STATE.md' },
    tokenUsage: tokens,
    costSoFar: 1.25,
    handoffCount: 1,
    missing: [],
    cut: [],
  })
})

test('nothing can be had: every part says why', async () => {
  const context = await capture({
    texts: {},
    git: { describe: async () => undefined },
    sessions: () => undefined,
    kept: { ...NONE, why: 'bd is not installed' },
    cost: async () => Promise.reject(new Error('EIO')),
  })
  expect(context.missing).toEqual([
    { part: 'stateFile', why: 'there is no .planning/STATE.md' },
    { part: 'claudeMd', why: 'there is no CLAUDE.md' },
    { part: 'lastWords', why: 'its program keeps no transcript' },
    { part: 'whatWasDone', why: 'neither its notes nor its last words say it' },
    { part: 'whatRemains', why: 'neither its notes nor its last words say it' },
    { part: 'blockers', why: 'its notes have no such section' },
    { part: 'decisions', why: 'its notes have no such section' },
    { part: 'gitBranch', why: 'its workspace is no git repository' },
    { part: 'uncommittedFiles', why: 'its workspace is no git repository' },
    { part: 'lastCommit', why: 'its workspace is no git repository' },
    { part: 'tasks', why: 'bd is not installed' },
    { part: 'tokenUsage', why: 'what it used could not be read: EIO' },
    { part: 'costSoFar', why: 'what it used could not be read: EIO' },
  ])
  expect(context.missing.map(({ part }) => part).toSorted()).toEqual([...CONTEXT_PARTS].toSorted())
})

test('without notes its last words speak', async () => {
  const { whatWasDone, whatRemains, summaryFrom } = await capture({ texts: {} })
  expect({ whatWasDone, whatRemains, summaryFrom }).toEqual({
    whatWasDone: 'Next: the refresh endpoint.\n\nThe migration works.',
    whatRemains: 'Next: the refresh endpoint.',
    summaryFrom: { whatWasDone: 'transcript', whatRemains: 'transcript' },
  })
})

test('the hand-off document counts before the notes', async () => {
  const texts = { '.planning/STATE.md': STATE, 'doc.md': '## Next Steps\n1. Run the suite' }
  const { whatRemains, whatWasDone, nextStep, summaryFrom } = await capture({ texts }, { document: 'doc.md' })
  expect({ whatRemains, whatWasDone, nextStep, summaryFrom }).toEqual({
    whatRemains: '- Run the suite',
    whatWasDone: '- migration 005',
    nextStep: 'Run the suite',
    summaryFrom: { whatWasDone: 'STATE.md', whatRemains: 'hand-off document' },
  })
})

test('a part that never answers is missing; the others are there', async () => {
  const context = await capture({ cost: () => new Promise(() => {}) }, { limitMs: 20 })
  const why = 'what it used could not be read within 0.02 s'
  expect(context.missing).toEqual(['tokenUsage', 'costSoFar'].map((part) => ({ part, why })))
  expect(context.gitBranch).toBe('feature/pan-18')
})

test('a detached head, no commit, an unpriced model', async () => {
  const context = await capture({
    git: {
      describe: async () => ({ branch: undefined, head: undefined, dirty: [], dirtyTotal: 0, upstream: undefined }),
    },
    cost: async () => ({ total: { tokens, messages: 4, usd: null, unpriced: ['m'] }, sessions: ['s-1'] }),
  })
  expect(context.missing).toEqual([
    { part: 'gitBranch', why: 'HEAD is detached' },
    { part: 'lastCommit', why: 'there is no commit yet' },
    { part: 'costSoFar', why: 'its model has no known price' },
  ])
  expect([context.uncommittedFiles, context.tokenUsage]).toEqual([[], tokens])
})

test('too much is cut, and says so; secrets and control bytes are out', async () => {
  const dirty = Array.from({ length: 300 }, (_, k) => ({
    path: `f${k}\u001b[31m\n`,
    state: 'added' as const,
    staged: false,
  }))
  const many = Array.from({ length: 150 }, (_, k): Task => ({ ...PLAIN, id: `t-${k}`, title: 'x', state: 'closed' }))
  const context = await capture({
    texts: { '.planning/STATE.md': `password=hunter2hunter2\u0007\n${'y'.repeat(60_000)}` },
    git: {
      describe: async () => ({ branch: 'b', head: undefined, dirty, dirtyTotal: 900, upstream: undefined }),
    },
    kept: keptTasks('beads', many),
  })
  expect(context.stateFile?.slice(0, 20)).toBe('password=«secret»\nyy')
  expect(context.stateFile?.length).toBeLessThanOrEqual(CONTEXT_LIMITS.file)
  expect(context.uncommittedFiles?.length).toBe(200)
  expect(context.uncommittedFiles?.[1]).toBe('f1[31m')
  expect(context.completedTasks?.map(({ id }) => id).slice(-1)).toEqual(['t-59'])
  expect(context.cut).toEqual(['stateFile', 'uncommittedFiles', 'tasks'])
})
