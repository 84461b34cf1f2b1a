/**
 * `node tests/corpus/record.ts [name…]`: records the sessions under recorded/ anew, from the real Claude Code on the
 * scripted model API and from understudies. A session is stretched, so that seconds of it become the minutes that it
 * stands for; the labels come from the scenario, not from anything that judges.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClaudeInsight } from '../../src/adapters/claude-code/insight.ts'
import type { CallBounds } from '../../src/contract/open-work.ts'
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import { agentRecord } from '../samples/agents.ts'
import { ID, realClaude, type RealClaude } from '../e2e/claude-code/real-claude.ts'
import { makeHome } from '../e2e/runtimes/home.ts'
import { installClaudeCode } from '../e2e/runtimes/install-claude-code.ts'
import { SPEED, startUnderstudy } from '../e2e/runtimes/understudy-process.ts'
import type { Rule, ToolUse, Turn } from '../model-api/turn.ts'
import { labelsOf, type Plot } from './label-recorded.ts'
import { readLabels, writeAfter, writeLabels } from './recorded.ts'
import type { After, Item } from './timeline.ts'

const FOLDER = join(import.meta.dirname, 'recorded')

interface Scenario extends Plot {
  turns: readonly Turn[]
  /** How long it is recorded, in real seconds, and how often slower it is played. */
  seconds: number
  stretch: number
  settings?: object
  env?: Record<string, string>
  /** Before it is started. */
  prepare?: (real: RealClaude) => void
  /** What is done to it after so many seconds. */
  after?: { seconds: number; deed: (real: RealClaude) => void }
  /** What its model says to what is typed to it. */
  rules?: readonly Rule[]
  /** What comes of that. */
  cameOf?: After
  /** After so many seconds the daemon that plays it is down for a moment. */
  down?: number
  /** How long its program lets its calls run, in the time that it stands for. */
  bounds?: CallBounds
}

function bash(command: string): Turn {
  return { tools: [{ name: 'Bash', input: { command, description: 'a step' } }] }
}

const repeated = (turn: Turn, times: number) => Array.from({ length: times }, () => turn)
const ASKS = { permissions: { allow: ['Bash'], ask: ['Bash(head:*)'] } }
const QUESTION = {
  questions: [
    {
      question: 'Which?',
      header: 'x',
      options: [
        { label: 'a', description: 'a' },
        { label: 'b', description: 'b' },
      ],
      multiSelect: false,
    },
  ],
}

const asks = (command: string, timeout = 600_000): ToolUse => ({
  name: 'Bash',
  input: { command, description: 'a step', timeout },
})
const both = { tools: [asks('sleep 6; echo a'), asks('sleep 15; echo b')] }
const done = { text: 'done' }
const SERVER = fileURLToPath(new URL('slow-server.mjs', import.meta.url))
const retry = (seconds: number, times: number): Turn[] => [
  bash('ls'),
  { status: 429, times, headers: { 'retry-after': String(seconds) }, after: { text: 'recovered' } },
]

/** What is open stays known, whatever is typed and however often the daemon is restarted. */
const OPEN_CALLS: Record<string, Scenario> = {
  'real-text-in-tool': {
    turns: [{ tools: [asks('sleep 14')] }, done],
    ...{ seconds: 22, stretch: 30 },
    after: { seconds: 8, deed: (real) => real.type('Note this.') },
  },
  'real-text-and-restart-in-tool': {
    turns: [{ tools: [asks('sleep 16')] }, done],
    ...{ seconds: 24, stretch: 30, down: 12 },
    after: { seconds: 9, deed: (real) => real.type('Are you stuck? What is your next step?') },
  },
  'real-two-calls': { turns: [both, done], seconds: 24, stretch: 30 },
  'real-two-calls-and-restart': { turns: [both, done], seconds: 24, stretch: 30, down: 7 },
}

/** Bounds are the client's own. */
const BOUNDS: Record<string, Scenario> = {
  'real-default-of-thirty-minutes': {
    turns: [bash('sleep 16'), done],
    ...{ seconds: 24, stretch: 60 },
    env: { BASH_DEFAULT_TIMEOUT_MS: '1800000' },
    bounds: { shellMs: 30 * MINUTE, shellMostMs: 30 * MINUTE },
  },
  'real-asks-for-an-hour': {
    turns: [{ tools: [asks('sleep 16', 3_600_000)] }, done],
    ...{ seconds: 24, stretch: 120 },
    env: { BASH_MAX_TIMEOUT_MS: '7200000' },
    bounds: { shellMs: 2 * MINUTE, shellMostMs: 120 * MINUTE },
  },
  'real-tool-of-a-server': {
    turns: [{ tools: [{ name: 'mcp__slow__wait', input: { seconds: 16 } }] }, done],
    ...{ seconds: 26, stretch: 150 },
    settings: { permissions: { allow: ['mcp__slow'] }, enableAllProjectMcpServers: true },
    prepare: ({ workspace }) => {
      const slow = { command: process.execPath, args: [SERVER] }
      writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { slow } }))
    },
  },
  'real-goes-to-the-background': {
    turns: [bash('sleep 14'), { text: 'it runs on' }, done],
    ...{ seconds: 26, stretch: 60 },
    env: { BASH_DEFAULT_TIMEOUT_MS: '4000' },
    bounds: { shellMs: 4 * MINUTE, shellMostMs: 10 * MINUTE },
  },
}

const WATCHDOG = { env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' }, permissions: { allow: ['Bash'] } }

/** A limit that is waited out, and one that a notice does not end. */
const LIMITS: Record<string, Scenario> = {
  'real-waits-out-a-long-limit': {
    turns: retry(1200, 1),
    ...{ seconds: 24, stretch: 100, settings: WATCHDOG, waitsOut: true },
  },
  'real-waits-out-a-limit': { turns: retry(15, 1), seconds: 30, stretch: 60, waitsOut: true },
  'real-waits-out-two-limits': { turns: retry(8, 2), seconds: 32, stretch: 60, waitsOut: true },
  'real-limit-and-notice': {
    turns: [bash('ls'), { status: 429, headers: { 'retry-after': '3600' } }],
    ...{ seconds: 22, stretch: 100 },
    prepare: ({ live }) => {
      const file = join(live.root, '.claude.json')
      const state = JSON.parse(readFileSync(file, 'utf8')) as object
      writeFileSync(file, JSON.stringify({ ...state, messageIdleNotifThresholdMs: 3_000 }))
    },
  },
}

const REAL: Record<string, Scenario> = {
  ...OPEN_CALLS,
  ...BOUNDS,
  ...LIMITS,
  'real-works': {
    turns: [...['ls', 'cat README.md', 'git log', 'echo 1 >a', 'cat a', 'git add a'].map(bash), { text: 'done' }],
    seconds: 12,
    stretch: 20,
  },
  'real-fails-again': { turns: repeated(bash('ls /nowhere'), 14), seconds: 40, stretch: 10, loopFrom: 1 },
  'real-in-turns': {
    turns: Array.from({ length: 16 }, (_, n) => bash(n % 2 === 0 ? 'cat README.md' : 'git status')),
    seconds: 40,
    stretch: 10,
    loopFrom: 2,
  },
  'real-polls-what-changes': {
    turns: [...repeated(bash('echo x >>log; wc -l log'), 14), { text: 'done' }],
    seconds: 40,
    stretch: 10,
  },
  'real-permission': {
    turns: [bash('head -n 1 README.md'), { text: 'done' }],
    seconds: 15,
    stretch: 120,
    settings: ASKS,
  },
  'real-question': {
    turns: [{ tools: [{ name: 'AskUserQuestion', input: QUESTION }] }, { text: 'done' }],
    seconds: 15,
    stretch: 120,
  },
  'real-hung-tool': {
    turns: [bash('tail -f /dev/null --pid=1'), { text: 'done' }],
    seconds: 25,
    stretch: 60,
    hangAfterMs: 5 * MINUTE,
  },
  'real-silent-stream': {
    turns: [bash('ls'), { text: 'begin', hangs: true }],
    seconds: 30,
    stretch: 100,
    hangAfterMs: 30 * MINUTE,
  },
  'real-limited': {
    turns: [bash('ls'), { status: 429 }],
    seconds: 12,
    stretch: 120,
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  'real-service-fails': {
    turns: [bash('ls'), { status: 500 }],
    seconds: 12,
    stretch: 60,
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  'real-killed': {
    turns: [bash('tail -f /dev/null --pid=1')],
    seconds: 14,
    stretch: 20,
    after: { seconds: 8, deed: (real) => process.kill(Number(real.registry()?.['pid']), 'SIGKILL') },
    dies: true,
  },
}

const POKE =
  'Cloister watchdog: there has been no sign of work for 30 min. ' +
  'If you are blocked, say on what in one sentence. Otherwise name the next single step and do it now.'

/** A stream that says nothing is poked after half an hour of its time, and comes back a little later. */
function poked(cameOf: After, turns: readonly Turn[]): Scenario {
  const deed = (real: RealClaude) => {
    real.type(POKE)
    setTimeout(() => writeFileSync(join(real.workspace, '.git/comes-back'), ''), 1500)
  }
  return {
    turns: [bash('ls'), { text: 'Let me think.', onceThere: '.git/comes-back' }],
    rules: [{ when: /^Cloister watchdog/m, turns: () => turns }],
    ...{ seconds: 45, stretch: 150, after: { seconds: 21, deed } },
    ...{ hangAfterMs: 30 * MINUTE, isWoken: true, cameOf },
  }
}

const WOKEN: Record<string, Scenario> = {
  'real-poked-on-it': poked('words', [{ text: 'I am on it.' }]),
  'real-poked-blocked': poked('words', [{ text: 'I am blocked: the key of the API is missing.' }]),
  'real-poked-hangs-again': poked('words', [{ text: 'I am on', hangs: true }]),
  'real-poked-same-call': poked('words', [bash('ls'), { text: 'I looked.' }]),
  'real-poked-works': poked('work', [bash('git log'), bash('echo 1 >a'), bash('cat a'), { text: 'done' }]),
}

interface Script extends Plot {
  steps: string
  seconds: number
}

const UNDERSTUDIES: Record<string, Script> = {
  'understudy-steady': { steps: '- work: 3m\n- edit: { file: a.ts, text: "x" }\n- work: 2m', seconds: 8 },
  'understudy-long-tool': {
    steps: '- tool: { name: Bash, command: npm run all, takes: 9m, cpu: true, timeout: 600000 }\n- work: 60s',
    seconds: 15,
  },
  'understudy-loops': {
    steps: '- work: 60s\n- loop: { call: npm test, times: 14, every: 8s }',
    seconds: 12,
    loopFrom: 1,
    loopTool: 'npm test',
  },
  'understudy-hangs': { steps: '- work: 60s\n- hang', seconds: 40, hangAfterMs: 15 * MINUTE },
  'understudy-asks': { steps: '- work: 20s\n- permission: rm -rf build', seconds: 20 },
  'understudy-limited': { steps: '- work: 20s\n- limit: { for: 20m }\n- work: 60s', seconds: 20 },
}

async function keep(
  name: string,
  items: readonly Item[],
  plot: Plot & { lengthMs: number; bounds?: CallBounds },
): Promise<void> {
  const kept = items.filter(({ at }) => at <= plot.lengthMs)
  writeFileSync(join(FOLDER, `${name}.jsonl`), kept.map((item) => `${JSON.stringify(item)}\n`).join(''))
  const bounds = plot.bounds === undefined ? {} : { bounds: plot.bounds }
  writeLabels(readLabels().set(name, { labels: labelsOf(kept, plot), ...bounds }))
  console.log(name, kept.length, 'items')
}

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  ...[
    'PermissionRequest',
    'Notification',
    'Stop',
    'StopFailure',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
]

async function recordReal(scenario: Scenario): Promise<Item[]> {
  const { seconds, stretch, settings = {}, env = {}, after, rules = [], prepare, down } = scenario
  const folder = mkdtempSync(join(tmpdir(), 'cloister-recording-'))
  const hooks = Object.fromEntries(
    EVENTS.map((kind) => [kind, [{ hooks: [{ type: 'command', command: `cat >${folder}/$(date +%s%N).${kind}` }] }]]),
  )
  const client = installClaudeCode()
  if ('missing' in client) throw new Error(client.missing)
  const real = await realClaude(client.program, {
    settings: { permissions: { allow: ['Bash'] }, ...settings, hooks },
    env,
    rules,
    config: `${CONFIG}${allowed(env)}`,
  })
  const turns = scenario.turns.map(({ onceThere, ...turn }) =>
    onceThere === undefined ? turn : { ...turn, onceThere: join(real.workspace, onceThere) },
  )
  try {
    prepare?.(real)
    const startedAt = Date.now()
    await real.spawn('begin', turns)
    const items: Item[] = down === undefined ? [] : [{ at: down * SECOND, house: 'down', ms: SECOND }]
    const own = ownFiles(real, startedAt)
    let screenBefore = ''
    let isDue = after !== undefined
    while (Date.now() - startedAt < seconds * SECOND) {
      await sleep(250)
      const at = Date.now() - startedAt
      if (isDue && after !== undefined && Date.now() - startedAt >= after.seconds * SECOND) {
        isDue = false
        after.deed(real)
      }
      items.push(...own(at))
      const screen = activityOf(real)
      const { citations } = await real.agent()
      const isGone = citations.some(({ value }) => value === 'gone' || value.startsWith('ended with code'))
      const busy = citations.some(({ witness, value }) => witness === 'process' && value.includes('CPU'))
      if (screen !== screenBefore) items.push({ at, agent: 0, see: { drawn: true } })
      screenBefore = screen
      // CPU was used since the look before; whether it is still used, the next one tells.
      if (busy) items.push({ at, agent: 0, see: { busy: true } }, { at, agent: 0, see: { busy: false } })
      if (isGone) {
        items.push({ at, agent: 0, see: { alive: false, busy: false } })
        break
      }
    }
    return stretched([...items, ...hookItems(folder, startedAt)], stretch)
  } finally {
    await real.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The daemon that looks after it looks often, and keeps its hands off. */
const CONFIG = 'monitoring:\n  check_interval: 1\nauto_actions:\n  poke_on_warning: false\n'

/** What the client keeps of itself, whenever it changes; in the session's own time. */
function ownFiles({ live, workspace }: RealClaude, startedAt: number): (at: number) => Item[] {
  const [run = ''] = readdirSync(join(live.home, 'runs'))
  const notesOf = () => join(live.home, 'runs', run, 'diagnostics.jsonl')
  const insight = new ClaudeInsight({ config: join(live.root, '.claude'), homeId: live.id, notesOf })
  let before = ''
  return (at) => {
    const own = Object.assign({}, ...insight.look(agentRecord({ run, workspace })).map(({ seen }) => seen)) as object
    const text = JSON.stringify(own, (key, part: unknown) =>
      typeof part === 'number' && /wallAt$/i.test(key) ? part - startedAt : part,
    )
    if (text === before) return []
    before = text
    return [{ at, agent: 0, see: { own: JSON.parse(text) as object } }]
  }
}

/** What the scenario sets in the environment shall reach the client. */
function allowed(env: Record<string, string>): string {
  const names = [
    ...Object.keys(env),
    'ANTHROPIC_*',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_MAX_RETRIES',
  ]
  return `runtimes:\n  claude-code:\n    environment: [${names.map((name) => JSON.stringify(name)).join(', ')}]\n`
}

function activityOf({ live }: RealClaude): string {
  const format = '#{@cloister_agent} #{window_activity}.#{cursor_x}.#{cursor_y}'
  return (
    live
      .tmux('list-panes', '-a', '-F', format)
      .split('\n')
      .find((line) => line.startsWith(`${ID} `)) ?? ''
  )
}

/** The client starts as fast as it starts; what it does then stands for more. */
function stretched(items: readonly Item[], stretch: number): Item[] {
  const prompt = items.find((item) => 'hook' in item && item.hook === 'UserPromptSubmit')?.at ?? 0
  return items
    .map((item) => later(item, (at) => Math.round(at <= prompt ? at : prompt + (at - prompt) * stretch)))
    .toSorted((a, b) => a.at - b.at)
}

/** With every instant in it moved. */
function later(item: Item, moved: (at: number) => number): Item {
  const text = JSON.stringify({ ...item, at: moved(item.at) }, (key, part: unknown) =>
    typeof part === 'number' && /wallAt$/i.test(key) ? moved(part) : part,
  )
  return JSON.parse(text) as Item
}

function hookItems(folder: string, startedAt: number): Item[] {
  return readdirSync(folder).flatMap((file) => {
    const [nanoseconds = '', hook = ''] = file.split('.')
    const at = Number(BigInt(nanoseconds) / 1_000_000n) - startedAt
    const body = readFileSync(join(folder, file), 'utf8')
    return body === '' ? [] : [{ at, agent: 0, hook, body: trimmed(JSON.parse(body) as object) }]
  })
}

async function recordUnderstudy({ steps, seconds }: Script): Promise<Item[]> {
  const home = makeHome()
  try {
    const startedAt = Date.now()
    const script = `name: recorded\nabout: recorded\nsteps:\n${steps.replaceAll(/^/gm, '  ')}\n`
    const player = await startUnderstudy(home, { script, prompt: 'begin' })
    const items: Item[] = []
    const known = new Set<string>()
    while (Date.now() - startedAt < seconds * SECOND) {
      await sleep(20)
      for (const { id, kind, body } of home.reports()) {
        if (known.has(id)) continue
        known.add(id)
        const at = Math.round((Date.now() - startedAt) * SPEED)
        items.push({ at, agent: 0, see: { drawn: true } })
        items.push({ at, agent: 0, hook: kind, body: trimmed(JSON.parse(body) as object) })
      }
    }
    player.process.kill('SIGKILL')
    return items
  } finally {
    home.remove()
  }
}

const LEFT_OUT = [
  'transcript_path',
  'cwd',
  'hook_event_name',
  'permission_mode',
  'model',
  'prompt_id',
  'effort',
  'agent_transcript_path',
  'permission_suggestions',
]
const TEXT_LIMIT = 300

/** Without what names this machine, and with long texts cut. */
function trimmed(body: object): object {
  const kept = Object.entries(body).filter(([key]) => !LEFT_OUT.includes(key))
  const text = JSON.stringify(Object.fromEntries(kept), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    if (key === 'session_id') return 's-1'
    return value.replaceAll(/\/tmp\/[\w./-]+/g, '/work').slice(0, TEXT_LIMIT)
  })
  return JSON.parse(text) as object
}

const wanted = process.argv.slice(2)
mkdirSync(FOLDER, { recursive: true })
for (const [name, scenario] of Object.entries({ ...REAL, ...WOKEN })) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  if (scenario.cameOf !== undefined) writeAfter(name, scenario.cameOf)
  await keep(name, await recordReal(scenario), { ...scenario, lengthMs: scenario.seconds * scenario.stretch * SECOND })
}
for (const [name, script] of Object.entries(UNDERSTUDIES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await keep(name, await recordUnderstudy(script), { ...script, lengthMs: script.seconds * SPEED * SECOND })
}
