/**
 * One look at 1,000 panes, against one tmux call per agent, one after the other as watchdogs of the usual kind do
 * it, and against the limit: one tmux call that asks for the least about every pane and throws the answer away.
 * The peer is timed on a sample of agents, taken from all over the fleet, and scaled to all of them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runProgram } from '../src/adapters/process/run.ts'
import { TmuxTerminal } from '../src/adapters/tmux/tmux-terminal.ts'
import type { Handle } from '../src/core/ports.ts'
import { median, rounded } from './measure.ts'
import { IN_PROCESS_FLAGS } from './product.ts'

const PANES = 1_000
const SAMPLE = 50
const ROUNDS = 9
const STARTS_AT_ONCE = 8

export const flags = IN_PROCESS_FLAGS

export async function run(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-patrol-'))
  const homeId = `bench-${randomBytes(6).toString('hex')}`
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm', HOME: folder, TMUX_TMPDIR: folder }
  const terminal = new TmuxTerminal({ homeId, environment: env, timeoutMs: 60_000 })
  const tmux = (...args: string[]) =>
    runProgram(['tmux', '-N', '-L', `cloister-${homeId}`, ...args], { env, timeoutMs: 60_000 })
  try {
    const handles = await startAll(terminal, folder)
    const sample = handles.filter((_, n) => n % (PANES / SAMPLE) === 0)
    const times = await inTurns({
      ours: async () => mustBe((await terminal.list()).length, PANES),
      peer: async () => {
        for (const handle of sample) await tmux('display-message', '-p', '-t', targetOf(terminal, handle), PEER_FORMAT)
      },
      limit: async () => mustBe((await tmux('list-panes', '-a', '-F', '#{pane_id}')).code ?? -1, 0),
    })
    const peer = (times.peer * PANES) / SAMPLE
    return {
      bench: 'patrol',
      ours: rounded(times.ours),
      peer: rounded(peer),
      limit: rounded(times.limit),
      unit: `ms per look at ${PANES} panes`,
      ratio: rounded(peer / times.ours),
      overLimit: rounded(times.ours / times.limit),
      panes: PANES,
      peerMeasuredOn: SAMPLE,
      peerScaledBy: PANES / SAMPLE,
      peerMsPerCall: rounded(times.peer / SAMPLE),
    }
  } finally {
    await terminal.close()
    await tmux('kill-server')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

const PEER_FORMAT = '#{window_activity} #{pane_dead}'

async function startAll(terminal: TmuxTerminal, cwd: string): Promise<Handle[]> {
  const handles = Array.from({ length: PANES }, (_, n) => ({ agent: `agent-${n}`, generation: 1, run: `run-${n}` }))
  for (let from = 0; from < PANES; from += STARTS_AT_ONCE) {
    const some = handles.slice(from, from + STARTS_AT_ONCE)
    const outcomes = await Promise.all(
      some.map((handle) => terminal.start(handle, { argv: ['sleep', 'infinity'], cwd, env: {} })),
    )
    const failed = outcomes.find(({ result }) => result !== 'done')
    if (failed !== undefined) throw new Error(`a pane did not start: ${failed.detail}`)
  }
  return handles
}

function targetOf(terminal: TmuxTerminal, handle: Handle): string {
  return `${terminal.attachCommand(handle).at(-1)}:`
}

/** Median milliseconds of each, taken in turns. */
async function inTurns<Name extends string>(
  candidates: Record<Name, () => Promise<void>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of names) {
      const before = performance.now()
      await candidates[name]()
      // Round -1 warms the machine up.
      if (round >= 0) times[name].push(performance.now() - before)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

function mustBe(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`found ${found} where ${wanted} must be`)
}
