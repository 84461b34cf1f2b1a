/** The home: its folder, token, settings, journal, hooks, port, sentinel and daemon. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { isLatched } from '../../adapters/process/sentinel.ts'
import { checkHooks } from '../../adapters/spool/install.ts'
import { holderOf } from '../../adapters/sqlite/lock.ts'
import { fail, warn, well, type Check, type Examine, type Patient } from './doctor-check.ts'
import { journal } from './doctor-journal.ts'
import { port } from './doctor-port.ts'
import { workspaces } from './doctor-workspaces.ts'
import { answers } from './up-probe.ts'
import { unanswered } from './up-holder.ts'

export const homeChecks: readonly Examine[] = [
  folder,
  token,
  settings,
  journal,
  hooks,
  port,
  workspaces,
  sentinel,
  daemon,
]

const MAX_HOME_BYTES = 107 - '/daemon.sock'.length

function folder({ home }: Patient): Check {
  if (Buffer.byteLength(home) > MAX_HOME_BYTES) {
    const found = `${home} is longer than ${MAX_HOME_BYTES} bytes`
    return fail('home', found, 'Set PANOPTICON_HOME to a folder with a shorter path: a socket must fit in it.')
  }
  const stats = statSync(home, { throwIfNoEntry: false })
  if (stats === undefined) return well('home', `${home} is not there yet; \`pan up\` makes it`)
  if (!stats.isDirectory()) return fail('home', `${home} is not a folder`, 'Move it away, or set PANOPTICON_HOME.')
  if (stats.uid !== process.getuid?.()) {
    return fail('home', `${home} belongs to user ${stats.uid}, not to you`, 'Set PANOPTICON_HOME to one of your own.')
  }
  const mode = stats.mode & 0o777
  if ((mode & 0o077) === 0) return well('home', home)
  const found = `${home} is open to others (mode ${mode.toString(8)})`
  const fix = `Run: chmod 700 ${home}`
  return (mode & 0o022) === 0 ? warn('home', found, fix) : fail('home', found, `Check what is in it. ${fix}`)
}

function token({ home }: Patient): Check {
  const file = join(home, 'token')
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return well('token', 'not there yet; `pan up` makes it')
  if ((stats.mode & 0o077) === 0) return well('token', 'readable by you alone')
  return fail(
    'token',
    `${file} can be read by others`,
    'Restart the daemon: `pan down`, then `pan up` makes a new one.',
  )
}

async function settings({ env }: Patient): Promise<Check> {
  const { file, problems } = await loadSettings(env)
  if (problems.length === 0) {
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined
    return well('settings', isThere ? file : `${file} is not there; the defaults count`)
  }
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return fail('settings', `${problems[0]}${more}`, 'Correct them; `pan config validate` lists all.')
}

function hooks({ home }: Patient): Check {
  const folder = join(home, 'bin')
  if (!existsSync(folder)) return warn('hooks', `not installed in ${folder}`, 'Start the daemon: it installs them.')
  const [first, ...more] = checkHooks(home)
  if (first === undefined) return well('hooks', `those of this version, in ${folder}`)
  return warn(
    'hooks',
    more.length === 0 ? first : `${first} And ${more.length} more.`,
    'Restart: `pan down`, then `pan up`.',
  )
}

async function sentinel({ home }: Patient): Promise<Check> {
  try {
    if (!(await isLatched(home))) return well('sentinel', 'no emergency stop is in force')
    const fix = 'When it is safe: `pan cloister resume`.'
    return warn('sentinel', 'an emergency stop is in force: nothing is started or typed', fix)
  } catch (error) {
    return fail('sentinel', (error as Error).message, `Look at the permissions of ${home}.`)
  }
}

async function daemon({ home }: Patient): Promise<Check> {
  const isThere = await answers(home)
  const { holder, died } = holderOf(home)
  if (isThere) return well('daemon', `answers${holder === undefined ? '' : ` (process ${holder.pid})`}`)
  if (died) return warn('daemon', 'it died (kill -9 or crash)', 'Start it with `pan up`.')
  if (holder === undefined) return warn('daemon', 'none runs', 'Start it with `pan up`.')
  const { found, fix } = unanswered(home, holder)
  return fail('daemon', found, fix)
}
