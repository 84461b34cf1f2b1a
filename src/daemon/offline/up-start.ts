/** Brings the daemon of a home up in the background: answers when it answers, or when it has died. */
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDetached } from '../../adapters/process/start-detached.ts'
import { prepareHome } from '../../adapters/sqlite/home.ts'
import { answers, holderOf } from './up-probe.ts'

const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 25
const LAST_LINES = 15
/** A log longer than this is put aside at the next start; one old one is kept. */
const LOG_LIMIT = 10 * 1024 * 1024

export interface UpOptions {
  home: string
  /** The daemon's command line. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

export type UpResult =
  | { running: true; already: boolean; home: string; pid?: number }
  | { running: false; home: string; why: string; lastLines: string[] }

export async function bringUp({ home, argv, env }: UpOptions): Promise<UpResult> {
  if (await answers(home)) return { running: true, already: true, home, ...pidOf(holderOf(home)) }
  try {
    prepareHome(home)
  } catch (error) {
    return { running: false, home, why: (error as Error).message, lastLines: [] }
  }
  const log = openLog(home)
  const begunAt = sizeOf(log)
  const { pid, ended } = await startDetached({ argv, env: daemonEnvironment(env), cwd: home, log })
  const raced = new AbortController()
  const end = await Promise.race([ended, untilItAnswers(home, raced.signal)])
  raced.abort()
  if (end === 'answers') return { running: true, already: false, home, pid }
  // Two at once: the other one won, and that is what was asked for.
  if (end !== 'late' && (await answers(home))) return { running: true, already: true, home, ...pidOf(holderOf(home)) }
  const why =
    end === 'late'
      ? `The daemon (process ${pid}) was started and does not answer. See ${log}; the end of it:`
      : `The daemon could not be started: it ended with ${end.signal ?? `code ${end.code}`}. The end of ${log}:`
  return { running: false, home, why, lastLines: lastLines(log, begunAt) }
}

function pidOf(pid: number | undefined): { pid?: number } {
  return pid === undefined ? {} : { pid }
}

/** Started by an agent, it must not carry the agent's tag: what ends that agent would end the daemon too. */
function daemonEnvironment(env: UpOptions['env']): Record<string, string> {
  const { CLOISTER_RUN: _, PANOPTICON_AGENT_ID: __, ...rest } = env
  return Object.fromEntries(Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function openLog(home: string): string {
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
  const log = join(home, 'logs/daemon.log')
  if (sizeOf(log) > LOG_LIMIT) renameSync(log, `${log}.1`)
  return log
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function untilItAnswers(home: string, signal: AbortSignal): Promise<'answers' | 'late'> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS)
    if (await answers(home)) return 'answers'
  }
  return 'late'
}

/** What this start added to the log, as far as it helps. */
function lastLines(log: string, begunAt: number): string[] {
  const text = readFileSync(log).subarray(begunAt).toString('utf8').trimEnd()
  return text.split('\n').slice(-LAST_LINES)
}
