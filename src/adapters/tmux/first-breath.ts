/** Whether the program of a new pane came up: tmux itself does not notice when it cannot be executed. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { ONE_WORD } from './start-script.ts'

const LOOKS = 500
const PAUSE_MS = 4

/** True as soon as the pid is another program than tmux, false when it has ended; true where there is no /proc. */
export async function cameUp(pid: number, serverPid: number): Promise<boolean> {
  const server = await commandLine(serverPid)
  if (server === undefined) return true
  for (let look = 0; look < LOOKS; look += 1) {
    const program = await commandLine(pid)
    if (program === undefined || (program === '' && (await hasEnded(pid)))) return false
    if (program !== '' && program !== server && !program.includes(`\0${ONE_WORD}\0`)) return true
    await pause(PAUSE_MS)
  }
  throw new Error(`The process ${pid} of the new pane did not become its program within ${LOOKS * PAUSE_MS} ms.`)
}

function commandLine(pid: number): Promise<string | undefined> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
}

/** The command line is empty for a moment while a program takes over, and for good once it has ended. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X')
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(') ') + 2))
}
