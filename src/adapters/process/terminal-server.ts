/** Ends the tmux server of one home, as the last act of an emergency stop or of the demo. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** True when a server ended. Never throws and never waits long: what counts, the agents, has ended before. */
export async function endTerminalServer(homeId: string): Promise<boolean> {
  const name = `cloister-${homeId}`
  const pid = Number(await tmux(name, ['display-message', '-p', '#{pid}']))
  if (!(pid > 1)) return false
  // A control client whose reader is gone can keep the server waiting for ever.
  if ((await tmux(name, ['kill-server'])) === undefined) kill(pid)
  await rm(socketOf(name), { force: true }).catch(() => {})
  return true
}

function tmux(name: string, args: string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile('tmux', ['-L', name, ...args], { timeout: 500, killSignal: 'SIGKILL' }, (error, stdout) =>
      done(error === null ? stdout : undefined),
    )
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended in the meantime.
  }
}

/** tmux leaves the file of its socket behind. */
function socketOf(name: string): string {
  return join(process.env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.() ?? 0}`, name)
}
