/** `pan agents adopt`: a session that you started yourself is watched from now on. */
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { Allowed } from '../../contract/adopted.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

interface Options {
  id?: string
  project?: string
  title?: string
  socket?: string
  allow?: readonly Allowed[]
  json?: true
}

export function adoptCommand(pan: Pan): Command {
  return new Command('adopt')
    .description('watch a Claude Code session that you started yourself')
    .argument('<target>', 'its tmux pane (%3, work, work:1, work:1.0), or the id of its session')
    .option('--id <id>', 'what it is called here (default: own- and the beginning of the session id)')
    .option('--project <id>', 'the project it works for')
    .option('--title <text>', 'what it is about, for lists')
    .option('--allow <what>', 'what may be done to it beyond watching: message, kill, or both', allowed)
    .option('--socket <path>', "the socket of its tmux server, or the server's name (default: yours)")
    .option(...JSON_OPTION)
    .addHelpText('after', help)
    .action((target: string, options: Options) => {
      const { id, project, title, allow = [], json } = options
      const attempt = `adopt ${target}`
      const asked = { ...(json ? { json } : {}), attempt, ids: [id, project] }
      return pan.ask(asked, async (client) => {
        const named = { id: id?.toLowerCase(), project, title }
        const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
        const body = { target, socket: socketOf(options.socket), allow: [...allow], ...given }
        const view = await client.call('POST /api/adoptions', { body })
        const { agent = target } = view
        if (json) printJson({ ...view, allow })
        else print(`${agent} is adopted: ${words(allow)}. \`pan agents forget ${agent}\` releases it.`)
      })
    })
}

function words(allow: readonly string[]): string {
  return allow.length === 0 ? 'it is only watched' : `it is watched, and you may ${allow.join(' and ')} it`
}

/** Commander turns what is thrown here into its own words on wrong usage. */
function allowed(text: string): readonly Allowed[] {
  return text.split(',').map((word) => {
    const what = word.trim()
    if (what === 'message' || what === 'kill') return what
    throw new InvalidArgumentError(`«${what}» cannot be allowed; message and kill can.`)
  })
}

/** As tmux itself finds it: the server that this terminal is in, else the one called «default». */
function socketOf(given: string | undefined): string {
  if (given?.includes('/')) return resolve(given)
  const own = process.env['TMUX']?.split(',')[0]
  if (given === undefined && own?.startsWith('/')) return own
  return join(process.env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.()}`, given ?? 'default')
}

const help = `
It is only watched: Cloister never pokes, suspends, restarts or stops it by itself, and your tmux server stays as it is.
With --allow message you can write to it (\`pan agents message\`), with --allow kill end it (\`pan agents kill\`, its
work is saved first). \`pan cloister emergency-stop\` leaves it alone unless --adopted is given. What it does is seen
best with \`pan setup hooks\`; without, its own files and its terminal tell less.

Examples:
  pan agents adopt work:1.0                       the pane of your own tmux server
  pan agents adopt %3 --socket /tmp/tmux-1000/dev --id own-shop
  pan agents adopt 89ef65aa-168f-4d9c-b699-725548ed2c5f --allow message,kill
  pan agents forget own-shop                      release it; it goes on

Exit codes:
  0  adopted
  1  there is no such session, or it is adopted or Cloister's own already
  2  wrong usage
  3  no daemon runs`
