/** A person's own tmux server, with a shell in its pane: nothing of Cloister's is in its environment. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { understudyProgram } from '../../../src/daemon/places.ts'
import type { LiveHome } from './live-home.ts'

export class OwnTmux {
  readonly socket: string
  readonly #live: LiveHome
  readonly #env: Record<string, string>

  constructor(live: LiveHome, env: Record<string, string> = {}) {
    this.#live = live
    const folder = join(realpathSync(live.root), `tmux-${process.getuid?.()}`)
    this.socket = join(folder, `cloister-${randomBytes(3).toString('hex')}-own`)
    this.#env = { PATH: process.env['PATH'] ?? '', HOME: live.root, LANG: 'C.UTF-8', PS1: '$ ', ...env }
  }

  /** A session with a shell in that folder. */
  begin(session: string, folder: string): void {
    execFileSync('mkdir', ['-p', '-m', '700', join(this.socket, '..')])
    this.tmux('-f', '/dev/null', 'new-session', '-d', '-s', session, '-c', folder, '-x', '160', '-y', '50', SHELL)
  }

  tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', this.socket, ...args], { env: this.#env, encoding: 'utf8' })
  }

  end(): void {
    try {
      const pids = this.tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number)
      const trees = pids.flatMap(treeOf)
      this.tmux('kill-server')
      for (const pid of trees) endProcess(pid)
    } catch {
      // There is none any more.
    }
  }

  type(target: string, line: string): void {
    this.tmux('send-keys', '-t', target, '-l', line)
    this.tmux('send-keys', '-t', target, 'Enter')
  }

  screen(target: string): string {
    return this.tmux('capture-pane', '-p', '-t', target)
  }

  /** An understudy as a person would start it, with the hooks of his own settings. Gives its session. */
  async understudy(target: string, ...flags: string[]): Promise<{ session: string; pid: number }> {
    const { home, root } = this.#live
    const hook = join(root, 'user-hook')
    writeFileSync(hook, `#!/bin/sh\nexec ${home}/bin/heartbeat-hook --user "$1"\n`)
    chmodSync(hook, 0o700)
    const before = new Set(this.#sessions().map(({ pid }) => pid))
    const folder = join(home, 'understudy')
    const words = [`CLOISTER_UNDERSTUDY_DIR=${folder}`, `CLOISTER_HOOK_REPORT=${hook}`, 'CLOISTER_UNDERSTUDY_SPEED=10']
    this.type(target, [...words, ...understudyProgram(), '--model', 'steady', ...flags].join(' '))
    const started = () => this.#sessions().find(({ pid }) => !before.has(pid))
    await this.#live.until(() => started() !== undefined, 'the understudy is up', 50)
    return started() ?? { session: '', pid: 0 }
  }

  #sessions(): { session: string; pid: number }[] {
    const folder = join(this.#live.home, 'understudy/sessions')
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => {
          const entry = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { pid: number; sessionId: string }
          return { pid: entry.pid, session: entry.sessionId }
        })
    } catch {
      return []
    }
  }
}

const SHELL = 'bash --norc --noprofile -i'

/** The pid and all that descend from it. */
export function treeOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => (parentOf(Number(name)) === pid ? treeOf(Number(name)) : []))
  return [pid, ...children]
}

export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return -1
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
