/** The real Claude Code under the real daemon: its client in a pane, a scripted model on 127.0.0.1, a temporary user. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'vitest'
import type { Event } from '../../../src/contract/events.ts'
import type { AgentView } from '../../../src/contract/views.ts'
import { LiveHome } from '../daemon/live-home.ts'
import { claudeCodeFor } from '../runtimes/install-claude-code.ts'
import { anthropicMessages } from '../../model-api/anthropic-messages.ts'
import { startModelApi, type ModelApi } from '../../model-api/server.ts'
import { scripted, type Rule, type Turn } from '../../model-api/turn.ts'
import { STUB_KEY, knowUser } from '../runtimes/known-user.ts'

export const ID = 'agent-pan-18'

export interface RealClaude {
  live: LiveHome
  api: ModelApi
  workspace: string
  /** Starts the agent; resolves when it is up. */
  spawn: (prompt: string, turns?: readonly Turn[]) => Promise<void>
  agent: () => Promise<AgentView>
  /** Waits until the agent is seen as this; gives it as it then is. */
  seen: (what: string, holds: (agent: AgentView) => boolean) => Promise<AgentView>
  /** Presses a key, as a person does, until the client is in this state: one that just drew a dialog takes none yet. */
  press: (key: string, status: string) => Promise<void>
  /** Types a line and sends it, as a person does. */
  type: (line: string) => void
  /** Takes away what stands in the input box. */
  clearBox: () => void
  screen: () => string
  /** Waits until this stands on the screen: hooks come before what they tell of is drawn, and takes keys. */
  shows: (text: string) => Promise<void>
  /** What the client says of itself. */
  registry: () => Record<string, unknown> | undefined
  remove: () => Promise<void>
}

export interface RealOptions {
  /** Of the user's settings.json. */
  settings?: object
  env?: Record<string, string>
  config?: string
  /** What its model says to texts that no test wrote. */
  rules?: readonly Rule[]
  /** Instead of `sonnet`. */
  model?: string
}

/** For one test, which is skipped where the client cannot be had; removed when the test has ended. */
export async function clientFor(ctx: TestContext, options?: RealOptions): Promise<RealClaude> {
  const real = await realClaude(claudeCodeFor(ctx), options)
  ctx.onTestFinished(() => real.remove())
  return real
}

/** As `clientFor`, with its agent started and at rest. */
export async function started(ctx: TestContext, options?: RealOptions): Promise<RealClaude> {
  const real = await clientFor(ctx, options)
  await real.spawn('Begin.')
  await rested(real)
  return real
}

export function rested(real: RealClaude): Promise<AgentView> {
  return real.seen('it rests', isAtRest)
}

export function isAtRest({ lifecycle, act }: AgentView): boolean {
  return lifecycle === 'idle' && act === undefined
}

export async function realClaude(
  program: string,
  { settings = {}, env = {}, config, rules = [], model = 'sonnet' }: RealOptions = {},
): Promise<RealClaude> {
  const api = await startModelApi([anthropicMessages], rules)
  const live = new LiveHome({
    PATH: [dirname(program), process.env['PATH']].join(delimiter),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: STUB_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...env,
  })
  const workspace = live.workspace('work')
  knowUser(live.root, workspace, settings)
  if (config !== undefined) {
    mkdirSync(live.home, { recursive: true })
    writeFileSync(join(live.home, 'cloister.yaml'), config)
  }
  await live.up()
  return { live, api, workspace, ...handsOn(live, workspace, model), remove: () => remove(live, api) }
}

async function remove(live: LiveHome, api: ModelApi): Promise<void> {
  try {
    await live.remove()
  } finally {
    await api.close()
  }
}

const PRESS_AGAIN_MS = 1_500

function handsOn(
  live: LiveHome,
  workspace: string,
  model: string,
): Omit<RealClaude, 'live' | 'api' | 'workspace' | 'remove'> {
  const agent = () => live.agent(ID)
  const pane = () => {
    const panes = live.tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}').split('\n')
    return panes.find((line) => line.endsWith(` ${ID}`))?.split(' ')[0] ?? ''
  }
  const screen = () => live.tmux('capture-pane', '-p', '-t', pane())
  const send = (...keys: string[]) => void live.tmux('send-keys', '-t', pane(), ...keys)
  return {
    agent,
    press: async (key, status) => {
      let pressedAt = 0
      const isSo = () => {
        if (registryOf(live)?.['status'] === status) return true
        if (Date.now() - pressedAt > PRESS_AGAIN_MS) {
          send(key)
          pressedAt = Date.now()
        }
        return false
      }
      await live.until(isSo, `the client is ${status} after ${key}`, 50)
    },
    spawn: async (prompt, turns) => {
      const text = turns === undefined ? prompt : scripted(prompt, turns)
      const body = { id: ID, workspace, runtime: 'claude-code', model, prompt: text }
      await live.client.post('/api/agents', body)
      await live.event('agent.started', ID)
    },
    seen: async (what, holds) => {
      let last: AgentView | undefined
      const look = async () => {
        last = await agent()
        return holds(last)
      }
      await live.until(look, what, 50).catch((error: Error) => {
        const { message } = error
        throw new Error(`${message}\n${JSON.stringify(last)}\n${screen()}`, { cause: error })
      })
      return last as AgentView
    },
    type: (line) => {
      live.tmux('set-buffer', '-b', 'line', '--', line)
      live.tmux('paste-buffer', '-p', '-d', '-b', 'line', '-t', pane())
      send('Enter')
    },
    clearBox: () => {
      send('Escape', 'Escape')
    },
    screen,
    shows: (text) => live.until(() => screen().includes(text), `«${text}» is on the screen`, 50),
    registry: () => registryOf(live),
  }
}

function registryOf(live: LiveHome): Record<string, unknown> | undefined {
  const folder = join(live.root, '.claude/sessions')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const file = files.find((name) => name.endsWith('.json'))
  if (file === undefined) return undefined
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>
  } catch {
    // It is being written: somebody is there, and says nothing yet.
    return {}
  }
}

/** The first such change of its lifecycle after a place in the log. */
export function lifecycleTo(live: LiveHome, to: string, since = 0): Event | undefined {
  return live.events.slice(since).find((event) => event.type === 'agent.lifecycle-changed' && event.to === to)
}

/** The daemon is killed, and back; what happens while nobody watches is given. */
export async function killed({ live }: RealClaude, meanwhile: () => unknown = () => undefined): Promise<void> {
  await live.crash()
  await meanwhile()
  await live.up()
}

/** The living clients, by their own registry. */
export function clients({ live }: RealClaude): string[] {
  try {
    return readdirSync(join(live.root, '.claude/sessions')).filter((name) => {
      const pid = /^(\d+)\.json$/.exec(name)?.[1]
      return pid !== undefined && existsSync(`/proc/${pid}`)
    })
  } catch {
    return []
  }
}

/** Whatever reads from `gate` in the workspace runs until it is opened, which may be before the reader is there. */
export function gateIn(ctx: TestContext, { workspace }: RealClaude): { open: () => void } {
  const path = join(workspace, 'gate')
  execFileSync('mkfifo', [path])
  const gate = openSync(path, 'r+')
  ctx.onTestFinished(() => closeSync(gate))
  return { open: () => void writeSync(gate, 'open\n') }
}

/** The records of all its transcripts that hold this text. */
export function transcribed({ live }: RealClaude, holding: string): Record<string, unknown>[] {
  const projects = join(live.root, '.claude/projects')
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const lines = files.flatMap((file) => readFileSync(join(projects, file), 'utf8').split('\n'))
  return lines.flatMap((line) => (line.includes(holding) ? [JSON.parse(line) as Record<string, unknown>] : []))
}

/** Every prompt that the client took, in full, by its own transcripts. */
export function prompts(real: RealClaude): string[] {
  return transcribed(real, '"type":"user"').flatMap(({ type, isMeta, message }) => {
    const { content } = (message ?? {}) as { content?: unknown }
    return type === 'user' && isMeta !== true && typeof content === 'string' ? [content] : []
  })
}
