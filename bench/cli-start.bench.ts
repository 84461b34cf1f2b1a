/**
 * How long a person waits for `pan`: `pan --version`, and `pan status` answered by a daemon on a unix socket, both
 * from dist, against the limit: starting Node to do nothing (`node -e 0`). The daemon here is the real API over a
 * house on a virtual clock with 50 agents, in a thread of its own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { inTurns, rounded } from './measure.ts'

const ROUNDS = 21
const AGENTS = 50
const MAIN = join(import.meta.dirname, '../dist/cli/main.js')

if (!isMainThread) await serveHouse(workerData as string)

export async function run(): Promise<object> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing. Build with \`npm run build\` first.`)
  const home = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  const worker = new Worker(new URL(import.meta.url), { workerData: home })
  try {
    await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    const times = inTurns(
      {
        node: { run: () => start(['-e', '0'], home) },
        version: { run: () => start([MAIN, '--version'], home) },
        status: { run: () => start([MAIN, 'status'], home) },
      },
      ROUNDS,
    )
    const worst = Math.max(times.version, times.status)
    return {
      bench: 'cli-start',
      ours: rounded(times.status),
      peer: rounded(times.node),
      limit: rounded(times.node),
      unit: 'ms, pan status (peer and limit: node -e 0)',
      ratio: rounded(times.node / worst),
      version: rounded(times.version),
      timesOfNode: { version: rounded(times.version / times.node), status: rounded(times.status / times.node) },
    }
  } finally {
    await worker.terminate()
    rmSync(home, { recursive: true, force: true })
  }
}

function start(args: readonly string[], home: string): void {
  const env = { PATH: process.env['PATH'], HOME: home, PANOPTICON_HOME: home }
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
}

async function serveHouse(home: string): Promise<void> {
  const { serve } = await import('../src/daemon/serve.ts')
  const { openConfigDesk } = await import('../src/adapters/config-file/config-desk.ts')
  const { configSchema } = await import('../src/contract/config/schema.ts')
  const { House } = await import('../tests/nights/house.ts')
  const desk = openConfigDesk({ PANOPTICON_HOME: home }, configSchema.parse({}))
  const house = new House()
  await house.boot()
  for (let n = 0; n < AGENTS; n += 1) await house.spawn(`agent-${n}`)
  await house.wait(60_000)
  await serve({
    loop: house.loop,
    journal: house.journal,
    clock: house.clock,
    git: house.fleet,
    terminal: house.fleet,
    costs: { runtimes: new Map(), prices: { ratesOf: () => undefined } },
    config: desk.view,
    changeConfig: desk.change,
    home,
    lives: () => Promise.resolve(false),
    attach: async () => ['true'],
    spawnDefaults: () => ({ model: 'sonnet', runtimeOf: () => 'virtual', specialists: [], choose }),
    stop: () => undefined,
    problem: (error) => console.error(error),
  })
  parentPort?.postMessage('ready')
}

async function choose() {
  return { model: 'sonnet', why: 'it is the only one here.' }
}
