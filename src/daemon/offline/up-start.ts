/** Brings the daemon of a home up in the background: answers when it answers, or when it has died. */
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDetached } from '../../adapters/process/start-detached.ts'
import { leaveNewerAlone } from '../../adapters/sqlite/database.ts'
import { prepareHome } from '../../adapters/sqlite/home.ts'
import { holderOf } from '../../adapters/sqlite/lock.ts'
import { TAKEN_CODE } from './up-flags.ts'
import { isStopped, unanswered } from './up-holder.ts'
import { answers } from './up-probe.ts'

const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 25
/** A daemon that has the lock says so at once; when nobody living has said so for this long, nobody has it. */
const UNSIGNED_MS = 2_000
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
  if (await answers(home)) return runs(home)
  try {
    leaveNewerAlone(home)
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
  // Two at once: whoever has the home is the one that answers, and that is what was asked for.
  if (end === 'answers') return runs(home, pid)
  if (end !== 'late' && end.code === TAKEN_CODE) return otherOne(home, pid)
  if (end !== 'late' && (await answers(home))) return runs(home, pid)
  const why =
    end === 'late'
      ? `The daemon (process ${pid}) was started and does not answer. See ${log}; the end of it:`
      : `The daemon could not be started: it ended with ${end.signal ?? `code ${end.code}`}. The end of ${log}:`
  return { running: false, home, why, lastLines: lastLines(log, begunAt) }
}

/** The one that answers signed the lock before it did. */
function runs(home: string, started?: number): UpResult {
  const { holder: { pid } = {} } = holderOf(home)
  return { running: true, already: pid !== started, home, ...(pid === undefined ? {} : { pid }) }
}

/** Another daemon was faster: it may still be on its way up, or it hangs. */
async function otherOne(home: string, started: number): Promise<UpResult> {
  let unsignedMs = 0
  const isWorthIt = () => {
    const { holder } = holderOf(home)
    unsignedMs = holder === undefined ? unsignedMs + LOOK_EVERY_MS : 0
    return unsignedMs < UNSIGNED_MS && !(holder !== undefined && isStopped(holder))
  }
  if ((await untilItAnswers(home, new AbortController().signal, isWorthIt)) === 'answers') return runs(home, started)
  const { holder } = holderOf(home)
  const { found, fix } =
    holder === undefined ? { found: 'another one had the home and died', fix: 'Try again.' } : unanswered(home, holder)
  return { running: false, home, why: `The daemon could not be started: ${found}. ${fix}`, lastLines: [] }
}

const AGENT_TAGS = ['CLOISTER_RUN', 'CLOISTER_GENERATION', 'CLOISTER_TOKEN', 'CLOISTER_SPOOL', 'PANOPTICON_AGENT_ID']

/** Started by an agent, it must not carry the agent's tag: what ends that agent would end the daemon too. */
function daemonEnvironment(env: UpOptions['env']): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !AGENT_TAGS.includes(name))
  return Object.fromEntries(own.filter((entry): entry is [string, string] => entry[1] !== undefined))
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

async function untilItAnswers(
  home: string,
  signal: AbortSignal,
  isWorthIt: () => boolean = () => true,
): Promise<'answers' | 'late'> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline && !signal.aborted && isWorthIt()) {
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
