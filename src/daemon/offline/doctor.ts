/**
 * The program behind `pan doctor`: looks at the machine, the agents' program and the home, with or without a daemon, and changes nothing.
 * Exit codes: 0 nothing fails, 1 something does.
 */
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { clientChecks } from './doctor-client.ts'
import { homeChecks } from './doctor-home.ts'
import { machineChecks } from './doctor-machine.ts'
import type { Check } from './doctor-check.ts'

const COLOURS = { ok: 32, warn: 33, fail: 31 } as const

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const given = { home: homeFolder(process.env), env: process.env }
  const checks: Check[] = []
  for (const check of [...machineChecks, ...clientChecks, ...homeChecks]) checks.push(await check(given))
  const fails = checks.filter(({ result }) => result === 'fail').length
  if (values.json) process.stdout.write(`${JSON.stringify({ home: given.home, ok: fails === 0, checks }, null, 2)}\n`)
  else process.stdout.write(`${[...checks.flatMap(lines), '', verdict(checks, fails)].join('\n')}\n`)
  return fails === 0 ? 0 : 1
}

function lines({ result, what, found, fix }: Check): string[] {
  return [`${paint(result)}  ${what.padEnd(8)}  ${found}`, ...(fix === undefined ? [] : [`${' '.repeat(16)}→ ${fix}`])]
}

function paint(result: Check['result']): string {
  const word = result.padEnd(4)
  const seen = process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  return seen ? `\u001b[${COLOURS[result]}m${word}\u001b[0m` : word
}

function verdict(checks: readonly Check[], fails: number): string {
  const warns = checks.filter(({ result }) => result === 'warn').length
  if (fails > 0) return `${fails} of ${checks.length} checks fail${fails === 1 ? 's' : ''}; the fix stands beside →.`
  return warns > 0 ? `Nothing fails; ${warns} to know about.` : 'All is well.'
}
