/**
 * The program behind `pan up`: starts the daemon in the background and waits until it answers or has died.
 * Exit codes: 0 it runs, 1 it does not.
 */
import { fileURLToPath } from 'node:url'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { absolutePlaces, homeFolder } from '../../adapters/config-file/location.ts'
import { insteadOf, keptAddress } from '../listen-port.ts'
import { DAEMON_ENVIRONMENT, DAEMON_FLAGS } from './up-flags.ts'
import { signInLink } from './up-link.ts'
import { bringUp } from './up-start.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const home = homeFolder(process.env)
  const program = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url))
  const result = await bringUp({
    home,
    argv: [process.execPath, ...DAEMON_FLAGS, program, '--background'],
    // It stands in its home, not here.
    env: { ...DAEMON_ENVIRONMENT, ...process.env, ...absolutePlaces(process.env) },
  })
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`)
  else if (result.running) process.stdout.write(`${sentence(home, result)}\n${await linkLine(home)}`)
  else process.stderr.write(`${result.why}\n${result.lastLines.map((line) => `  ${line}\n`).join('')}`)
  return result.running ? 0 : 1
}

/** An agent that brings the daemon up is not shown how to sign in. */
async function linkLine(home: string): Promise<string> {
  const link = process.env['CLOISTER_RUN'] ? undefined : await signInLink(home)
  if (link === undefined) return ''
  const kept = keptAddress(home)
  // What is kept is of this daemon only where its link says the same.
  const instead = kept !== undefined && link.startsWith(`${kept.url}/`) ? insteadOf(kept) : undefined
  return `${instead === undefined ? '' : `${instead}\n`}Dashboard: ${link} (works once, within a minute; \`pan dashboard\` for another)\n`
}

function sentence(home: string, { already, pid }: { already: boolean; pid?: number }): string {
  const who = pid === undefined ? 'The daemon' : `The daemon (process ${pid})`
  if (already) return `${who} already runs for ${home}. \`pan status\` shows what is going on.`
  return (
    `${who} runs and watches ${home}; it writes to ${join(home, 'logs/daemon.log')}.\n` +
    '`pan status` shows what is going on, `pan down` ends it.'
  )
}
