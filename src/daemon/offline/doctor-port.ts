/** The port of the dashboard: reached where a daemon has it, else whether it could be had. */
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { keptAddress } from '../listen-port.ts'
import { warn, well, type Check, type Patient } from './doctor-check.ts'
import { answers } from './up-probe.ts'

const TIMEOUT_MS = 2_000

export async function port({ home, env }: Patient): Promise<Check> {
  const { config } = await loadSettings(env)
  if (config === undefined) return warn('port', 'not known until the settings are mended', 'See `pan config validate`.')
  const { host, port: wanted } = config.dashboard
  const kept = keptAddress(home)
  if (await answers(home)) {
    if (kept !== undefined && (await isReached(host, kept.port))) return well('port', `the dashboard is at ${kept.url}`)
    const fix = `${join(home, 'logs/daemon.log')} says why; restart with \`pan down\`, then \`pan up\`.`
    return warn('port', 'the daemon has no port for the dashboard', fix)
  }
  if (wanted === 0) return well('port', 'any that is free')
  // The one it had before is asked for first.
  const next = kept?.wanted === wanted ? kept.port : wanted
  const problem = await problemWith(host, next)
  if (problem === undefined) return well('port', `${host}:${next} is free for the dashboard`)
  const found = problem === 'EADDRINUSE' ? `somebody else has port ${next} of ${host}` : `${host}:${next}: ${problem}`
  return warn('port', found, 'The dashboard takes the next one that is free; set `dashboard.port` to have another.')
}

function isReached(host: string, at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: at, timeout: TIMEOUT_MS })
    const told = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => told(true))
    socket.once('error', () => told(false))
    socket.once('timeout', () => told(false))
  })
}

function problemWith(host: string, at: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port: at, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
