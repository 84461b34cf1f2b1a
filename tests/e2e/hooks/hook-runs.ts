/** Runs the installed hook programs as an agent's program would, each in a home of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installHooks } from '../../../src/adapters/spool/install.ts'

export interface HookHome {
  home: string
  /** Reports by their names, drafts that belong to none, orders and asks. */
  files: () => Record<'fresh' | 'tmp' | 'orders' | 'asks', string[]>
  bodyOf: (name: string) => Buffer
  remove: () => void
}

export function makeHookHome(): HookHome {
  const home = mkdtempSync(join(tmpdir(), 'cloister-hooks-'))
  installHooks(home)
  const list = (folder: string) => readdirSync(join(home, folder)).toSorted()
  return {
    home,
    files: () => {
      const fresh = list('spool/new')
      const tmp = list('spool/tmp').filter((name) => !fresh.includes(name))
      return { fresh, tmp, orders: list('orders'), asks: list('asks') }
    },
    bodyOf: (name) => {
      const apart = join(home, 'spool/tmp', name)
      return readFileSync(existsSync(apart) ? apart : join(home, 'spool/new', name))
    },
    remove: () => {
      for (const child of running) if (child.spawnargs.some((arg) => arg.startsWith(home))) child.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Those that still live when their home is removed, after a failed test, are ended. */
const running = new Set<ChildProcess>()

export interface HookRun {
  home: string
  program?: 'heartbeat-hook' | 'ask-hook' | 'status-line'
  args?: readonly string[]
  /** Null leaves stdin open. */
  input?: string | Buffer | null
  env?: Record<string, string>
  /** Instead of the shell that the program names. */
  under?: readonly string[]
}

export interface HookEnd {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
  /** Why not all of stdin was taken. */
  stdin?: string
}

export const RUN = { CLOISTER_RUN: 'h1.run-1', CLOISTER_GENERATION: '3', PANOPTICON_AGENT_ID: 'pan-1' }

/** With nothing in the environment but what the agent's session sets. */
export function startHook(run: HookRun): { child: ChildProcess; ended: Promise<HookEnd> } {
  const { home, program = 'heartbeat-hook', args = [], input = '', env = RUN, under = [] } = run
  const [first = '', ...rest] = [...under, join(home, 'bin', program), ...args]
  const child = spawn(first, rest, { env: { PATH: '/usr/bin:/bin', CLOISTER_SPOOL: home, ...env } })
  running.add(child)
  const end: HookEnd = { code: null, signal: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (end.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (end.stderr += text))
  child.stdin.on('error', (error) => (end.stdin = error.message))
  if (input !== null) child.stdin.end(input)
  const ended = new Promise<HookEnd>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ ...end, code, signal })
    })
  })
  return { child, ended }
}

export function runHook(run: HookRun): Promise<HookEnd> {
  return startHook(run).ended
}

export const SHELLS: { name: string; under: [string, ...string[]] }[] = [
  { name: 'dash', under: ['dash'] },
  { name: 'bash', under: ['bash'] },
  { name: 'bash --posix', under: ['bash', '--posix'] },
  { name: 'busybox sh', under: ['busybox', 'sh'] },
]

export const QUIET: HookEnd = { code: 0, signal: null, stdout: '', stderr: '' }

/** Resolves with the ask id when the hook's report is there, that is when it waits for its answer. */
export async function startAsk(run: HookRun) {
  const { child, ended } = startHook({ input: '{"tool_name":"Bash"}', ...run, program: 'ask-hook' })
  const ask = await reported(run.home, `-${child.pid}-${process.pid}`)
  return { child, ended, ask }
}

function reported(home: string, ending: string): Promise<string> {
  const folder = join(home, 'spool/new')
  return new Promise((resolve) => {
    const look = () => {
      const name = readdirSync(folder).find((file) => file.includes('.PermissionRequest.') && file.endsWith(ending))
      if (name === undefined) return
      watcher.close()
      resolve(name.slice(name.lastIndexOf('.') + 1))
    }
    const watcher = watch(folder, look)
    look()
  })
}

const INSTALLED = (process.env['PATH'] ?? '').split(delimiter)

export function installed(program: string): boolean {
  return INSTALLED.some((folder) => existsSync(join(folder, program)))
}
