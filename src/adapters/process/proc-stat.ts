/** What `/proc/<pid>/stat` says of one process. A pid alone is not an identity: pid and start time together are. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

export interface ProcStat {
  pid: number
  /** In clock ticks since boot. */
  startedAt: number
  parent: number
  /** Its process group, and the one that is in front in its terminal. */
  group: number
  frontGroup: number
  session: number
  command: string
  /** One letter, as `ps` shows it; T is stopped. */
  state: string
  kernelThread: boolean
  /** Where its environment lies in its memory: another place whenever it starts another program. */
  environ: string
  /** CPU time of its own, in clock ticks of 10 ms. */
  cpuTicks: number
  /** CPU time of its children that have ended and that it has waited for. */
  reapedTicks: number
}

export function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch (error) {
    throw new Error(`Cannot see processes: ${reasonOf(error)}. Mount /proc and try again.`, { cause: error })
  }
}

/** Undefined once the process has ended, also while its parent has not yet taken notice. */
export function readStat(pid: number): ProcStat | undefined {
  const bytes = readProcFile(`/proc/${pid}/stat`)
  return bytes === undefined ? undefined : parseStat(bytes.toString())
}

/** Whether it is still the very same process, and lives. */
export function lives({ pid, startedAt }: { pid: number; startedAt: number }): boolean {
  return readStat(pid)?.startedAt === startedAt
}

export function parseStat(text: string): ProcStat | undefined {
  // The command stands in brackets and may itself contain brackets and spaces.
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  const fields = text.slice(close + 2).split(' ')
  const number = (field: number) => Number(fields[field - FIRST_FIELD])
  const state = fields[0] ?? ''
  const isOver = state === 'X' || (state === 'Z' && number(FIELD.threads) < 2)
  if (open < 0 || fields.length < FIELD.startedAt - FIRST_FIELD + 1 || isOver) return undefined
  return {
    pid: Number(text.slice(0, open)),
    startedAt: number(FIELD.startedAt),
    parent: number(FIELD.parent),
    group: number(FIELD.group),
    frontGroup: number(FIELD.frontGroup),
    session: number(FIELD.session),
    command: text.slice(open + 1, close),
    state,
    kernelThread: (number(FIELD.flags) & KERNEL_THREAD) !== 0,
    environ: `${fields[FIELD.environStart - FIRST_FIELD]}-${fields[FIELD.environEnd - FIRST_FIELD]}`,
    cpuTicks: number(FIELD.userTicks) + number(FIELD.systemTicks),
    reapedTicks: number(FIELD.reapedUserTicks) + number(FIELD.reapedSystemTicks),
  }
}

/** Numbers as in proc_pid_stat(5); the command is field 2 and the state field 3. */
const FIRST_FIELD = 3
const FIELD = {
  parent: 4,
  group: 5,
  session: 6,
  frontGroup: 8,
  flags: 9,
  userTicks: 14,
  systemTicks: 15,
  reapedUserTicks: 16,
  reapedSystemTicks: 17,
  threads: 20,
  startedAt: 22,
  environStart: 50,
  environEnd: 51,
}
const KERNEL_THREAD = 0x00200000

let buffer = Buffer.allocUnsafe(64 * 1024)
const MOST_BYTES = 8 * 1024 * 1024

/**
 * The whole file, or undefined when the process is gone or keeps it from us. The bytes are valid until the next
 * call. Anything else that goes wrong is thrown: a process that cannot be seen must not count as dead.
 */
export function readProcFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    let length = 0
    for (;;) {
      if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
      const got = readSync(file, buffer, length, buffer.length - length, null)
      length += got
      // A read that does not fill the buffer has reached the end: the kernel makes these files up in one go.
      if (length < buffer.length || length >= MOST_BYTES) return buffer.subarray(0, length)
    }
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw new Error(`Cannot see processes: ${reasonOf(error)}`, { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
