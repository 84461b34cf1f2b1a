/** Starts the understudy on pipes, as its runtime launches it, with the real hooks of a temporary home. */
import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeDialect } from '../../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../../src/adapters/test-runners/recognise-test-run.ts'
import { understudy } from '../../../src/adapters/understudy/runtime.ts'
import type { Launch } from '../../../src/core/ports.ts'
import type { Runtime } from '../../../src/core/runtime-port.ts'
import { agentRecord } from '../../samples/agents.ts'
import type { TestHome } from './home.ts'
import { COMPILE_CACHE, built } from '../../programs.ts'

const PROGRAM = built('understudy/main')

export const SPEED = 50

export interface Cast {
  prompt?: string
  /** A script's text. */
  script?: string
  run?: string
}

export async function launchOf(home: TestHome, cast: Cast): Promise<{ runtime: Runtime; launch: Launch; run: string }> {
  const { prompt, script, run = 'run-1' } = cast
  const file = join(home.path, `${run}.yaml`)
  if (script !== undefined) writeFileSync(file, script)
  const runtime = understudy({
    home: home.path,
    homeId: 'e2e',
    dialect: claudeDialect(recogniseTestRun),
    usage: async () => ({ models: {}, sessions: [] }),
    program: [process.execPath, PROGRAM],
    scripts: [],
    scriptOf: () => (script === undefined ? undefined : file),
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: home.path, CLOISTER_UNDERSTUDY_SPEED: String(SPEED) },
  })
  const agent = agentRecord({ workspace: home.workspace, runtime: 'understudy' })
  const launch = await runtime.launch(agent, { agent: agent.id, generation: 1, run }, prompt)
  return { runtime, launch, run }
}

export interface Understudy {
  runtime: Runtime
  process: ChildProcess
  /** Everything that it printed so far. */
  printed(): string
  /** The first time that this is printed. */
  prints(text: string): Promise<void>
  type(text: string): void
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string | null>
  /** Closes its input and waits. */
  leave(): Promise<number | string | null>
}

export async function startUnderstudy(home: TestHome, cast: Cast = {}): Promise<Understudy> {
  const { runtime, launch } = await launchOf(home, cast)
  const [program = '', ...args] = launch.argv
  const child = spawn(program, args, { cwd: launch.cwd, env: launch.env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  const listeners = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
    for (const call of listeners) call()
  })
  const ended = new Promise<number | string | null>((done) => {
    child.once('close', (code, signal) => done(code ?? signal))
  })
  return {
    runtime,
    process: child,
    printed: () => printed,
    prints: (text) =>
      new Promise((done, failed) => {
        const search = () => {
          if (!printed.includes(text)) return
          listeners.delete(search)
          done()
        }
        listeners.add(search)
        search()
        void ended.then(() => failed(new Error(`it ended before it printed «${text}»:\n${printed}`)))
      }),
    type: (text) => void child.stdin.write(text),
    ended,
    leave: () => {
      child.stdin.end()
      return ended
    },
  }
}
