/**
 * The program behind `pan doctor`: looks at the machine, the agents' program and the home, with or without a daemon, and changes nothing.
 * Exit codes: 0 nothing fails, 1 something does.
 */
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { doctorView } from '../../contract/doctor-view.ts'
import { askDaemon } from './ask-daemon.ts'
import { homeChecks } from './doctor-home.ts'
import { machineChecks } from './doctor-machine.ts'
import { programChecks } from './doctor-programs.ts'
import type { Check, Patient } from './doctor-check.ts'

/** Longer than the client may take to say its version. */
const DAEMON_MS = 20_000
const COLOURS = { ok: 32, warn: 33, fail: 31 } as const

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const given = { home: homeFolder(process.env), env: process.env }
  const checks: Check[] = []
  for (const check of machineChecks) checks.push(await check(given))
  checks.push(...(await programs(given)))
  for (const check of homeChecks) checks.push(await check(given))
  const fails = checks.filter(({ result }) => result === 'fail').length
  if (values.json) process.stdout.write(`${JSON.stringify({ home: given.home, ok: fails === 0, checks }, null, 2)}\n`)
  else process.stdout.write(`${[...checks.flatMap(lines), '', verdict(checks, fails)].join('\n')}\n`)
  return fails === 0 ? 0 : 1
}

/** Those that the daemon would start, where one runs. */
async function programs(given: Patient): Promise<Check[]> {
  const folder = process.cwd()
  const path = `/api/doctor?folder=${encodeURIComponent(folder)}`
  const told = doctorView.safeParse(await askDaemon(given.home, { method: 'GET', path, timeoutMs: DAEMON_MS })).data
  const [checks, whose] =
    told === undefined ? [await programChecks(given, folder), 'this shell'] : [told.checks, 'the daemon']
  return checks.map((check) => ({ ...check, found: `${check.found} (PATH of ${whose})` }))
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
