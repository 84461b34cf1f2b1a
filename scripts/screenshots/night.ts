/** The made-up night of the pictures: the real core and daemon on a virtual clock, played in a moment. */
import { tierPrices } from '../../src/adapters/prices/list-prices.ts'
import type { Doing } from '../../src/contract/evidence.ts'
import type { Task } from '../../src/contract/tasks.ts'
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import type { Git, GitDescription, Salvage } from '../../src/core/git-port.ts'
import type { Terminal } from '../../src/core/ports.ts'
import { keptTasks } from '../../src/core/tasks/own-tasks.ts'
import type { CostSources } from '../../src/daemon/cost-view.ts'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { SETTINGS } from '../../tests/samples/agents.ts'
import { furnish, tellCost } from './handoffs.ts'

/** Whom the large page shows. */
export const SHOWN = 'agent-pan-80'

/** Who should be handed over. */
export const STUCK = 'agent-pan-118'

/** Who finished, and waits to be looked at. */
const DONE = 'agent-pan-120'

const AGENTS = [
  { id: SHOWN, model: 'opus', title: 'Watch agents and say why they are stuck' },
  { id: 'agent-pan-97', model: 'sonnet', title: 'Hand over before the context is full' },
  { id: 'agent-pan-101', model: 'haiku', title: 'Tests for the settings parser' },
  { id: 'agent-pan-104', model: 'sonnet', title: 'Migrate the journal' },
  { id: 'agent-pan-110', model: 'sonnet', title: 'Night ribbons for everybody' },
  { id: 'agent-pan-112', model: 'sonnet', title: 'Costs by model and day' },
  { id: STUCK, model: 'haiku', title: 'Read the old configuration' },
  { id: DONE, model: 'sonnet', title: 'Bring back single files of a snapshot' },
  { id: 'merge-agent', model: 'sonnet', title: 'Merges what is approved' },
  { id: 'review-agent', model: 'opus', title: 'Reviews what is done' },
] as const

const NIGHT = `
  wait 20m
  agent-pan-101 runs Bash for 25m bound 30m
  review-agent idles
  wait 40m
  agent-pan-97 falls silent
  agent-pan-112 is limited
  wait 35m
  agent-pan-104 runs Bash for 90m bound 2h
  merge-agent idles
  wait 25m
  agent-pan-118 dies 1
  successors die
  handoff agent-pan-112 opus
  wait 20m
  successors work
  agent-pan-112 works
  poke agent-pan-110
  review-agent works
  agent-pan-80 falls silent
  wait 45m
  agent-pan-110 hangs
  agent-pan-101 loops npm test
  agent-pan-101 ignores pokes
  merge-agent works
  wait 20m
  agent-pan-80 is limited
  wait 30m
  agent-pan-80 works
  agent-pan-101 works
  review-agent idles
  wait 70m
  agent-pan-112 is limited
  merge-agent idles
  agent-pan-104 ignores pokes
  agent-pan-104 hangs
  agent-pan-97 runs Bash for 40m bound 1h
  agent-pan-80 asks Shall a look that failed count?
  wait 40m
  agent-pan-80 runs Bash for 30m bound 1h
  kill agent-pan-110
  handoff review-agent sonnet
  propose agent-pan-97 opus
  wait 2m
  refuse agent-pan-97
  wait 58m
  agent-pan-101 loops npm test -- parser
  review-agent works
  auto agent-pan-118 off
  agent-pan-118 ignores pokes
  agent-pan-118 hangs
  wait 12m
  agent-pan-120 tests vitest passing
  agent-pan-120 idles
  wait 12m
`

export async function playNight(home: string): Promise<House> {
  // Its script speaks to agents that rest, and must find them.
  const lifecycle = { ...SETTINGS.lifecycle, autoSuspend: false }
  const house = new House({ wallAt: Date.UTC(2026, 0, 20, 22, 3), settings: { ...SETTINGS, lifecycle } })
  const look = house.fleet.lookIn.bind(house.fleet)
  house.fleet.lookIn = async (workspace) => {
    const seen = await look(workspace)
    return seen && { ...seen, branch: branchOf(workspace) }
  }
  await house.boot()
  furnish(house, home)
  for (const { id, model, title } of AGENTS) await spawn(house, { id, model, title })
  for (const [at, { id }] of AGENTS.entries()) tellCost(house, id, 0.4 + at * 0.35)
  for (const line of NIGHT.split('\n')) if (line.trim() !== '') await perform(house, line)
  await finish(house)
  return house
}

async function spawn(house: House, { id, model, title }: { id: string; model: string; title: string }): Promise<void> {
  const issue = /^agent-(pan-\d+)$/.exec(id)?.[1]
  await house.submit({
    type: 'agent.spawn',
    agent: id,
    ...(issue === undefined ? { kind: 'specialist' } : { kind: 'issue', issue }),
    title,
    workspace: `/home/me/work/${issue ?? id}`,
    runtime: 'virtual',
    model,
    simulated: true,
  })
}

/** The last minutes: one that should be handed over, two that ask, and one that is seen at work. */
async function finish(house: House): Promise<void> {
  tellCost(house, 'agent-pan-101', 1.35)
  tellCost(house, STUCK, 0.8)
  await perform(house, 'propose agent-pan-101 opus')
  const ask = { id: 'ask-1', request: '{}' }
  become(house, 'agent-pan-97', { kind: 'permission', what: 'Bash: git push --force origin main', ask })
  await house.wait(2 * MINUTE)
  const what = 'The journal has a column that nothing reads. What shall happen to it?'
  const options = [
    { label: 'Keep both columns', about: 'Nothing changes; the old one stays empty from now on.' },
    { label: 'Drop the old one', about: 'Smaller rows, and no way back to the last release.' },
    { label: 'Ask me again after the migration' },
  ]
  const questions = [{ question: what, options }]
  become(house, 'agent-pan-112', { kind: 'question', what, questions, ask: { ...ask, id: 'ask-2' } })
  await house.submit({ type: 'agent.message', agent: SHOWN, text: 'Please say what the second look must show.' })
  for (const [at, { id }] of AGENTS.entries()) {
    tellContext(house, id, (at * 17) % 91)
    // New tasks would be a sign of work, and one that is open keeps nobody who finished.
    if (id !== STUCK && id !== DONE) tellTasks(house, id, at)
  }
  for (const [tool, action] of ACTIONS) {
    act(house, tool, action)
    await house.wait(17 * SECOND)
  }
}

function become(house: House, id: string, doing: Doing): void {
  house.fleet.agent(id)?.becomes(doing, { busy: false })
}

const ACTIONS = [
  ['Read', 'Read: src/core/health/judge.ts'],
  ['Grep', 'Grep: sinceLook'],
  ['Edit', 'Edit: src/core/health/judge.ts'],
  ['Bash', 'Bash: npx vitest run src/core/health'],
  ['Edit', 'Edit: src/core/health/judge.test.ts'],
  ['Bash', 'Bash: npx vitest run src/core/health'],
  ['Bash', 'Bash: git commit -m "Two looks before a verdict"'],
  ['Read', 'Read: src/core/watch.ts'],
  ['Bash', 'Bash: npm test'],
] as const

function act(house: House, tool: string, action: string): void {
  const { generation } = house.loop.world.agents.get(SHOWN) ?? { generation: 1 }
  const ts = new Date(house.clock.now().wallAt).toISOString()
  house.fleet.receive({
    ...{ agent: SHOWN, generation, witness: 'hook', stamp: `hook ${ts}`, ageMs: 0, alive: true },
    doing: { kind: 'tool', name: tool, boundMs: 10 * MINUTE },
    activity: { ts, tool, action, state: 'active' },
  })
}

function tellContext(house: House, agent: string, share: number): void {
  const generation = house.loop.world.agents.get(agent)?.generation ?? 1
  const resetsWallAt = house.clock.now().wallAt + 95 * MINUTE
  house.fleet.receive({
    ...{ agent, generation, witness: 'hook' },
    gauges: {
      context: { tokens: (share || 62) * 10_000, window: 1_000_000, source: 'status_line' },
      limits: [{ name: 'five_hour', share: 0.42, resetsWallAt }],
      permissionMode: 'acceptEdits',
    },
  })
}

const STEPS = ['Plan it', 'Implement the look', 'Implement the verdict', 'Rename the thresholds', 'Write the tests']

/** Each is a step further than the one before; specialists have no tasks of their own. */
function tellTasks(house: House, agent: string, at: number): void {
  const generation = house.loop.world.agents.get(agent)?.generation ?? 1
  const told = { agent, generation, witness: 'tasks' } as const
  const [, issue] = /^agent-(pan-\d+)$/.exec(agent) ?? []
  if (issue === undefined) {
    return house.fleet.receive({
      ...told,
      tasks: { ...keptTasks('beads', []), why: `of 35 tasks there none is of ${agent}` },
    })
  }
  const done = 1 + (at % 3)
  const tasks = STEPS.map((title, n): Task => {
    const state = n < done ? 'closed' : n === done ? 'in_progress' : n === done + 1 ? 'open' : 'blocked'
    const blockedBy = state === 'blocked' ? [`${issue}.${n}`] : []
    return { id: `${issue}.${n + 1}`, title, state, tags: [], blockedBy }
  })
  house.fleet.receive({ ...told, stamp: 'tasks', ageMs: MINUTE, tasks: keptTasks('beads', tasks) })
}

function branchOf(workspace: string): string {
  const name = workspace.slice(workspace.lastIndexOf('/') + 1)
  return name.startsWith('pan-') ? `feature/${name}` : 'main'
}

/** What git would say of the workspace. */
export function nightGit(house: House): Git {
  const ago = (minutes: number): number => house.clock.now().wallAt - minutes * MINUTE
  const saved = (generation: number, minutes: number, files: number): Salvage => ({
    ...{ ref: `refs/cloister/${SHOWN}/${generation}-1`, agent: SHOWN, generation, files, notes: [] },
    ...{ savedWallAt: ago(minutes), commit: '9f2c1e07'.repeat(5), branch: 'feature/pan-80' },
  })
  return Object.assign(Object.create(house.fleet.git) as Git, {
    describe: async (workspace: string): Promise<GitDescription> => ({
      branch: branchOf(workspace),
      head: { hash: '4be1d0c2'.repeat(5), subject: 'Two looks before a verdict', committedWallAt: ago(1) },
      dirty: [
        { path: 'src/core/health/judge.ts', state: 'modified', staged: true },
        { path: 'src/core/health/judge.test.ts', state: 'modified', staged: false },
        { path: 'notes/looks.md', state: 'untracked', staged: false },
      ],
      dirtyTotal: 3,
      upstream: { name: 'origin/main', ahead: 4, behind: 1 },
    }),
    lookIn: (workspace: string) => house.fleet.lookIn(workspace),
    diffStat: async () => ({ files: 7, added: 214, removed: 38, commits: 3, base: 'main' }),
    salvages: async () => [saved(1, 400, 7), saved(2, 190, 2)],
  })
}

const SCREEN = [
  '\u001B[1magent-pan-80\u001B[0m \u001B[2m(simulated agent)\u001B[0m',
  '',
  '\u001B[2m>\u001B[0m A verdict must stand for two looks before anything is done. Begin with judge.ts.',
  '',
  '\u001B[32m●\u001B[0m I read how a verdict is made, then I write the test first.',
  '',
  '\u001B[33m●\u001B[0m \u001B[1mRead\u001B[0m(src/core/health/judge.ts)',
  '  \u001B[2m└  212 lines\u001B[0m',
  '\u001B[33m●\u001B[0m \u001B[1mGrep\u001B[0m(sinceLook)',
  '  \u001B[2m└  6 matches in 3 files\u001B[0m',
  '\u001B[33m●\u001B[0m \u001B[1mEdit\u001B[0m(src/core/health/judge.ts)',
  '  \u001B[31m-  return { health, cause }\u001B[0m',
  '  \u001B[32m+  return stoodFor(2, looks) ? { health, cause } : before\u001B[0m',
  '\u001B[33m●\u001B[0m \u001B[1mBash\u001B[0m(npx vitest run src/core/health)',
  '  \u001B[32m ✓ src/core/health/judge.test.ts (41 tests)\u001B[0m',
  '  \u001B[32m ✓ src/core/health/absorb.test.ts (17 tests)\u001B[0m',
  '  \u001B[2m└  58 passed\u001B[0m',
  '\u001B[33m●\u001B[0m \u001B[1mBash\u001B[0m(git commit -m "Two looks before a verdict")',
  '  \u001B[2m└  [feature/pan-80 4be1d0c2] Two looks before a verdict\u001B[0m',
  '',
  '\u001B[32m●\u001B[0m Now the whole suite, since others rely on the first look.',
  '',
  '\u001B[33m●\u001B[0m \u001B[1mBash\u001B[0m(npm test)',
  '  \u001B[2m└  running… 24 s\u001B[0m',
]

export const nightTerminal: Pick<Terminal, 'view'> = {
  view: async (_handle, viewer) => {
    viewer.screen({ cols: 100, rows: 34 }, new TextEncoder().encode(SCREEN.join('\r\n')))
    const done = async () => ({ result: 'done' as const })
    return { ready: () => {}, keys: done, paste: done, resize: done, close: async () => {} }
  },
}

const USED = {
  input: 1_840,
  output: 96_300,
  cacheRead: 8_410_000,
  cacheWrite5m: 388_000,
  cacheWrite1h: 0,
  messages: 143,
}

export const nightCosts: CostSources = {
  runtimes: new Map([['virtual', { usage: async () => ({ models: { 'claude-opus-4-5': USED }, sessions: [] }) }]]),
  prices: tierPrices(SETTINGS.routing.tiers),
}
