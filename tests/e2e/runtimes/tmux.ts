/** A private tmux server with one pane, for tests of what runs in it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Launch } from '../../../src/core/ports.ts'

export interface TestPane {
  /** One paste, then Enter. */
  type(text: string): void
  press(key: string): void
  screen(): string
  /** Ends the whole server, and waits until its program has ended. */
  end(): void
}

const PATIENCE_MS = 10_000

/** The server's socket lies in `folder` and goes with it. */
export function openPane(folder: string, { argv, cwd, env }: Launch): TestPane {
  const socket = `cloister-${randomBytes(6).toString('hex')}`
  const minimal = {
    PATH: process.env['PATH'] ?? '',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: cwd,
    TMUX_TMPDIR: folder,
  }
  const tmux = (args: readonly string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: minimal })
  // One variable each; `env -i` keeps out what tmux itself would pass on.
  const variables = Object.entries({ ...minimal, ...env }).map(([name, value]) => `${name}=${value}`)
  const started = ['new-session', '-d', '-x', '140', '-y', '40', '-c', cwd, '-P', '-F', '#{pane_id} #{pane_pid}']
  const [pane = '', pid = ''] = tmux([...started, 'env', '-i', ...variables, ...argv])
    .trim()
    .split(' ')
  return {
    type: (text) => {
      spawnSync('tmux', ['-L', socket, 'load-buffer', '-b', 'text', '-'], { input: text, env: minimal })
      tmux(['paste-buffer', '-p', '-d', '-b', 'text', '-t', pane])
      tmux(['send-keys', '-t', pane, 'Enter'])
    },
    press: (key) => void tmux(['send-keys', '-t', pane, key]),
    screen: () => tmux(['capture-pane', '-p', '-t', pane]),
    end: () => {
      spawnSync('tmux', ['-L', socket, 'kill-server'], { env: minimal })
      // It may write once more into its home, which goes next.
      spawnSync('tail', ['--pid', pid, '-s', '0.05', '-f', '/dev/null'], { timeout: PATIENCE_MS })
    },
  }
}
