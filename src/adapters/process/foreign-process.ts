/** What `/proc` says of a process that a person started, when it is to be adopted. */
import { readlinkSync } from 'node:fs'
import type { Leader } from '../../contract/adopted.ts'
import type { ForeignProcess } from '../../core/ports.ts'
import { bootId, leaderLives } from './adopted-tree.ts'
import { standingOf } from './census.ts'
import { readProcFile, readStat } from './proc-stat.ts'
import { readTag } from './run-tag.ts'

export function foreignProcess(pid: number): ForeignProcess | undefined {
  const stat = readStat(pid)
  const folder = linkOf(pid, 'cwd')
  if (stat === undefined || folder === undefined) return undefined
  const tty = linkOf(pid, 'fd/0')
  const socket = socketOf(pid)
  const barred = barredOf(pid)
  return {
    leader: { pid, startTime: stat.startedAt, boot: bootId() },
    folder,
    ...(tty?.startsWith('/dev/') === true ? { tty } : {}),
    ...(socket === undefined ? {} : { socket }),
    ...(barred === undefined ? {} : { barred }),
  }
}

/**
 * Whether it lives and reads what is typed in its terminal: it is not stopped, and its group is the one in front there.
 * A shell that got the terminal back would run what is typed.
 */
export function isInFront(leader: Leader): boolean {
  const stat = leaderLives(leader) ? readStat(leader.pid) : undefined
  return stat !== undefined && stat.state !== 'T' && stat.group === stat.frontGroup
}

function barredOf(pid: number): string | undefined {
  const tag = readTag(pid)
  if (typeof tag === 'object') return `it is the agent of a run of Cloister (${tag.run})`
  const { spared } = standingOf(pid)
  return spared === undefined ? undefined : `it is ${spared}`
}

/** `TMUX` is «socket,pid,session», inherited from the pane. */
function socketOf(pid: number): string | undefined {
  const environ = readProcFile(`/proc/${pid}/environ`)?.toString('utf8') ?? ''
  const value = environ.split('\0').find((entry) => entry.startsWith('TMUX='))
  const socket = value?.slice('TMUX='.length).split(',')[0]
  return socket?.startsWith('/') === true ? socket : undefined
}

function linkOf(pid: number, name: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}
