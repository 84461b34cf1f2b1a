/**
 * The program behind `pan setup`: what Cloister may put into the user's own Claude Code files, and take out again, with
 * or without a daemon. Exit codes are in config-output.ts.
 */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { complain, EXIT, fail } from './config-output.ts'
import { setupCommands } from './setup-commands.ts'
import { setupHooks, type SetupRequest } from './setup-hooks.ts'

process.exitCode = await main(process.argv.slice(2))

async function main([what = '', ...args]: readonly string[]): Promise<number> {
  const actions: Record<string, (request: SetupRequest) => Promise<number>> = {
    hooks: setupHooks,
    commands: setupCommands,
  }
  const action = Object.hasOwn(actions, what) ? actions[what] : undefined
  if (action === undefined) {
    complain(`There is nothing called «${what}» to set up. \`pan setup --help\` shows how it is used.`)
    return EXIT.usage
  }
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ args, options: { remove: flag, yes: flag, json: flag } })
  try {
    return await action({ ...values, home: homeFolder(process.env), launcher: launcher(), env: process.env, confirm })
  } catch (error) {
    return fail(`Could not set up ${what}: ${(error as Error).message}.`)
  }
}

/** A clone is on nobody's PATH: its own launcher, else the program of the package. Both lie so in dist as in src. */
function launcher(): string {
  const inClone = fileURLToPath(new URL('../../../pan', import.meta.url))
  return existsSync(inClone) ? inClone : fileURLToPath(new URL('../../cli/main.js', import.meta.url))
}

/** Undefined where nobody sits who could answer. */
async function confirm(question: string): Promise<boolean | undefined> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
