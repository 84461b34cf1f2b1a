/**
 * From the death of an agent's program to the moment when the daemon is told: our one control client, against a
 * watchdog of the usual kind that asks tmux at every interval, and against the limit, the parent of the process, whom
 * the kernel tells. Each waits for one death after the other, in turns; a death that nobody told of is a broken promise.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run as runProgram } from '../src/adapters/process/run.ts'
import { TmuxTerminal } from '../src/adapters/tmux/tmux-terminal.ts'
import { brokenOf, median, quantile, rounded } from './measure.ts'
import { IN_PROCESS_FLAGS } from './product.ts'

const DEATHS = 100
/** Many look only every 30 or 60 seconds; this is a diligent one. */
const PEER_EVERY_MS = 1_000
/** The peer needs half its interval for each. */
const PEER_DEATHS = 20
const PATIENCE_MS = 5_000
/** For the echoes of the last death to be over. */
const REST_MS = 50

export const flags = IN_PROCESS_FLAGS

export async function run(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-death-'))
  const homeId = `bench-${randomBytes(6).toString('hex')}`
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm', HOME: folder, TMUX_TMPDIR: folder }
  const terminal = new TmuxTerminal({ homeId, environment: env })
  const tmux = async (...args: string[]) =>
    (await runProgram(['tmux', '-N', '-L', `cloister-${homeId}`, ...args], { env })).stdout
  let told: () => void = () => {}
  const unwatch = terminal.watch(() => told())
  const panes = { terminal, tmux, folder }
  try {
    const times = { ours: [] as number[], peer: [] as number[], limit: [] as number[] }
    for (let n = 0; n < DEATHS; n += 1) {
      times.ours.push(await timed(await startPane(panes, `ours-${n}`), (heard) => (told = heard)))
      times.limit.push(await ofChild())
      if (n % (DEATHS / PEER_DEATHS) === 0) {
        const run = `peer-${n}`
        times.peer.push(await timed(await startPane(panes, run), (heard) => void poll(panes, run, heard)))
      }
    }
    const missed = times.ours.filter((ms) => ms === Infinity).length
    return {
      bench: 'death',
      ours: rounded(median(times.ours)),
      peer: rounded(median(times.peer)),
      limit: rounded(median(times.limit)),
      unit: `ms from SIGKILL to the hint (peer: looks every ${PEER_EVERY_MS} ms)`,
      ratio: rounded(median(times.peer) / median(times.ours)),
      p99: rounded(quantile(times.ours, 0.99)),
      peerP99: rounded(quantile(times.peer, 0.99)),
      limitP99: rounded(quantile(times.limit, 0.99)),
      deaths: DEATHS,
      peerDeaths: PEER_DEATHS,
      missed,
      ...brokenOf({ 'every death is told of': missed === 0 }),
    }
  } finally {
    unwatch()
    await terminal.close()
    await tmux('kill-server')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

interface Panes {
  terminal: TmuxTerminal
  tmux: (...args: string[]) => Promise<string>
  folder: string
}

/** The pid of the program in a new pane. */
async function startPane({ terminal, tmux, folder }: Panes, run: string): Promise<number> {
  const launch = { argv: ['sleep', 'infinity'], cwd: folder, env: {} }
  const { result, detail } = await terminal.start({ agent: `agent-${run}`, generation: 1, run }, launch)
  if (result !== 'done') throw new Error(`a pane did not start: ${detail}`)
  const lines = (await tmux('list-panes', '-a', '-F', '#{@cloister_run} #{pane_pid}')).split('\n')
  const pid = Number(lines.find((line) => line.startsWith(`${run} `))?.split(' ')[1])
  if (!(pid > 0)) throw new Error(`there is no pane of ${run}`)
  return pid
}

/** Milliseconds until `listen` hears of it; for ever when it does not in time. */
async function timed(pid: number, listen: (heard: () => void) => void): Promise<number> {
  await sleep(REST_MS)
  const { promise, resolve } = Promise.withResolvers<number>()
  const killedAt = performance.now()
  listen(() => resolve(performance.now() - killedAt))
  process.kill(pid, 'SIGKILL')
  const late = new AbortController()
  const ms = await Promise.race([promise, sleep(PATIENCE_MS, Infinity, { signal: late.signal })])
  late.abort()
  return ms
}

/** Where in its interval the death falls is chance. */
async function poll({ tmux }: Panes, run: string, heard: () => void): Promise<void> {
  await sleep(Math.random() * PEER_EVERY_MS)
  for (let n = 0; n * PEER_EVERY_MS < PATIENCE_MS; n += 1) {
    const lines = (await tmux('list-panes', '-a', '-F', '#{@cloister_run} #{pane_dead}')).split('\n')
    if (!lines.includes(`${run} 0`)) return heard()
    await sleep(PEER_EVERY_MS)
  }
}

async function ofChild(): Promise<number> {
  const child = spawn('sleep', ['infinity'], { stdio: 'ignore' })
  await once(child, 'spawn')
  return timed(child.pid ?? -1, (heard) => child.once('exit', heard))
}
