/**
 * `node tests/corpus/record.ts [name…]`: records the sessions under recorded/ anew, from the real Claude Code on the
 * scripted model API and from understudies. A session is stretched, so that seconds of it become the minutes that it
 * stands for; the labels come from the scenario, not from anything that judges.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import { ID, realClaude, type RealClaude } from '../e2e/claude-code/real-claude.ts'
import { makeHome } from '../e2e/runtimes/home.ts'
import { installClaudeCode } from '../e2e/runtimes/install-claude-code.ts'
import { SPEED, startUnderstudy } from '../e2e/runtimes/understudy-process.ts'
import type { Turn } from '../model-api/turn.ts'
import { labelsOf, type Plot } from './label-recorded.ts'
import { readLabels, writeLabels } from './recorded.ts'
import type { Item } from './timeline.ts'

const FOLDER = join(import.meta.dirname, 'recorded')

interface Scenario extends Plot {
  turns: readonly Turn[]
  /** How long it is recorded, in real seconds, and how often slower it is played. */
  seconds: number
  stretch: number
  settings?: object
  env?: Record<string, string>
  /** What is done to it after so many seconds. */
  after?: { seconds: number; deed: (real: RealClaude) => void }
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

const REAL: Record<string, Scenario> = {
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

async function keep(name: string, items: readonly Item[], plot: Plot & { lengthMs: number }): Promise<void> {
  const kept = items.filter(({ at }) => at <= plot.lengthMs)
  writeFileSync(join(FOLDER, `${name}.jsonl`), kept.map((item) => `${JSON.stringify(item)}\n`).join(''))
  writeLabels(readLabels().set(name, labelsOf(kept, plot)))
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

async function recordReal({ turns, seconds, stretch, settings = {}, env = {}, after }: Scenario): Promise<Item[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-recording-'))
  const hooks = Object.fromEntries(
    EVENTS.map((kind) => [kind, [{ hooks: [{ type: 'command', command: `cat >${folder}/$(date +%s%N).${kind}` }] }]]),
  )
  const client = installClaudeCode()
  if ('missing' in client) throw new Error(client.missing)
  const real = await realClaude(client.program, {
    settings: { permissions: { allow: ['Bash'] }, ...settings, hooks },
    env,
    config: CONFIG,
  })
  try {
    const startedAt = Date.now()
    await real.spawn('begin', turns)
    const items: Item[] = []
    let screenBefore = ''
    let isDue = after !== undefined
    while (Date.now() - startedAt < seconds * SECOND) {
      await sleep(250)
      const at = Date.now() - startedAt
      if (isDue && after !== undefined && Date.now() - startedAt >= after.seconds * SECOND) {
        isDue = false
        after.deed(real)
      }
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
    .map((item) => ({ ...item, at: Math.round(item.at <= prompt ? item.at : prompt + (item.at - prompt) * stretch) }))
    .toSorted((a, b) => a.at - b.at)
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
for (const [name, scenario] of Object.entries(REAL)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await keep(name, await recordReal(scenario), { ...scenario, lengthMs: scenario.seconds * scenario.stretch * SECOND })
}
for (const [name, script] of Object.entries(UNDERSTUDIES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await keep(name, await recordUnderstudy(script), { ...script, lengthMs: script.seconds * SPEED * SECOND })
}
