/** The tmux server of one home at its end: what an emergency stop takes away of it, and the end of a demo's server. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readStat } from './proc-stat.ts'

/**
 * Takes the agents' terminals away whose process has ended, and names the sessions in which something runs that is no
 * agent of ours: a person may have opened them by hand, and they and the server are left alone. Never throws and never
 * waits long: what counts, the agents, has ended before.
 */
export async function closeTerminals(homeId: string): Promise<{ leftAlone: string[] }> {
  const name = socketName(homeId)
  const panes = readPanes((await tmux(name, ['list-panes', '-a', '-F', PANE])) ?? '')
  const isAgents = ({ home, agent, run }: Pane) => home === homeId && (agent !== '' || run !== '')
  const over = panes.filter((pane) => isAgents(pane) && !pane.lives)
  if (over.length > 0) await tmux(name, ['source-file', '-'], over.map(removal).join('\n'))
  const others = panes.filter((pane) => !isAgents(pane) && pane.lives).map(({ session }) => session)
  return { leftAlone: [...new Set(others)].toSorted() }
}

/** True when a server ended, with every session on it. */
export async function endTerminalServer(homeId: string): Promise<boolean> {
  const name = socketName(homeId)
  const pid = Number(await tmux(name, ['display-message', '-p', '#{pid}']))
  if (!(pid > 1)) return false
  // A control client whose reader is gone can keep the server waiting for ever.
  if ((await tmux(name, ['kill-server'])) === undefined) kill(pid)
  await rm(socketOf(name), { force: true }).catch(() => {})
  return true
}

interface Pane {
  home: string
  agent: string
  run: string
  /** What makes sure that it is this pane: server, pane and process. */
  identity: string
  paneId: string
  lives: boolean
  session: string
}

const IDENTITY = '#{pid} #{start_time} #{pane_id} #{pane_pid}'
/** The session's name comes last: a person chose it. */
const PANE = `#{@cloister_home}|#{@cloister_agent}|#{@cloister_run}|${IDENTITY}|#{session_name}`

function readPanes(stdout: string): Pane[] {
  return stdout.split('\n').flatMap((line) => {
    const [home = '', agent = '', run = '', identity = '', ...rest] = line.split('|')
    const [, paneId, pid] = /^\d+ \d+ (%\d+) (\d+)$/.exec(identity) ?? []
    if (paneId === undefined) return []
    return [{ home, agent, run, identity, paneId, lives: readStat(Number(pid)) !== undefined, session: rest.join('|') }]
  })
}

function removal({ paneId, identity }: Pane): string {
  return `if-shell -F -t '${paneId}' '#{==:${IDENTITY},${identity}}' { kill-pane -t '${paneId}' }`
}

function tmux(name: string, args: string[], input?: string): Promise<string | undefined> {
  return new Promise((done) => {
    const options = { timeout: 500, killSignal: 'SIGKILL' } as const
    const child = execFile('tmux', ['-u', '-N', '-L', name, ...args], options, (error, stdout) =>
      done(error === null ? stdout : undefined),
    )
    child.stdin?.on('error', () => {}).end(input)
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended in the meantime.
  }
}

function socketName(homeId: string): string {
  return `cloister-${homeId}`
}

/** tmux leaves the file of its socket behind. */
function socketOf(name: string): string {
  return join(process.env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.() ?? 0}`, name)
}
