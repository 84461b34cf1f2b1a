/** Finds tmux servers by their processes, for when their socket does not answer. */
import { readdir, readFile } from 'node:fs/promises'

/** Pids of the servers that were started for the socket. Empty where there is no /proc. */
export async function findServers(socket: string): Promise<number[]> {
  const pids = await readdir('/proc').catch(() => [])
  const found: number[] = []
  for (const pid of pids) {
    if (/^\d+$/.test(pid) && (await isServer(pid, socket))) found.push(Number(pid))
  }
  return found
}

async function isServer(pid: string, socket: string): Promise<boolean> {
  try {
    if (!(await readFile(`/proc/${pid}/comm`, 'utf8')).startsWith('tmux: server')) return false
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    return words.includes(socket)
  } catch {
    // It ended while it was looked at.
    return false
  }
}
