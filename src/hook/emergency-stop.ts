/**
 * `emergency-stop [--home <path>] [--reason <text>] [--adopted] [--json]`: ends every agent of one home at once. Needs
 * `/proc` and nothing else: no daemon, no database, no free disk. Sessions that a person had adopted are named and left
 * alone unless --adopted is given. Exit codes: 0 all gone, 1 something survived or can still be
 * started, or it was refused because one of these agents asks, 2 wrong usage.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readAdopted } from '../adapters/process/adopted-files.ts'
import { ProcessTrees, type FleetStop } from '../adapters/process/process-trees.ts'
import { noteStop } from '../adapters/process/sentinel.ts'
import { closeTerminals } from '../adapters/process/terminal-server.ts'

const USAGE = 'Usage: emergency-stop [--home <path>] [--reason <text>] [--adopted] [--json]'
const OPTIONS = {
  home: { type: 'string' },
  reason: { type: 'string' },
  adopted: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const BY_HAND =
  'Name the right home with --home. If the file was lost while agents run, their environment (CLOISTER_RUN, before ' +
  'the dot) has the id: write it into the file and try again.'

const ONE_OF_THEM =
  'this is the process of one of them (CLOISTER_RUN is set), which may only report on itself. Run it in a terminal of ' +
  'your own.'

// Neither a closed terminal nor a full disk behind the output may end the program before its work is done.
process.on('SIGHUP', () => {})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.exitCode = await main(process.argv.slice(2)).catch(fail)

async function main(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const askedWallAt = Date.now()
  const asked = read(args)
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`)
    return 2
  }
  const { home, homeId, reason, json, adopted: isForAll } = asked
  if (process.env['CLOISTER_RUN']?.startsWith(`${homeId}.`)) {
    process.stderr.write(`Could not stop the agents of ${home}: ${ONE_OF_THEM}\n`)
    return 1
  }
  const tell = (sentence: string) => void (json ? process.stderr : process.stdout).write(`${sentence}\n`)
  tell(`Emergency stop of ${home} (${homeId}).`)
  const trees = new ProcessTrees({ homeId, home, tell, killMs: 2_000 })
  let leftAlone: readonly string[] = []
  const adopted = readAdopted(home)
  const stop = await trees.stopFleet(
    isForAll ? adopted : [],
    async () => ({ leftAlone } = await closeTerminals(homeId)),
  )
  // Not before all are gone: it is the one thing here that needs room on the disk.
  const person = process.env['USER'] || 'you'
  const why = reason === undefined ? {} : { reason }
  await noteStop(home, { person, askedWallAt, ...why, ...whomItEnded(stop.byRun) })
  const leftAdopted = isForAll ? [] : adopted.map(({ run }) => run)
  const tookMs = Math.round(performance.now() - startedAt)
  if (json) process.stdout.write(`${JSON.stringify({ home, homeId, ...stop, leftAlone, leftAdopted, tookMs })}\n`)
  else for (const line of report({ ...stop, leftAlone, leftAdopted }, tookMs)) tell(line)
  return stop.survivors.length === 0 && stop.problems.length === 0 ? 0 : 1
}

/** Of an agent that was ended more than once something may be left. */
function whomItEnded(byRun: FleetStop['byRun']): { ended: string[]; found: number } {
  const runs = Map.groupBy(byRun, ({ run, agent = run }) => agent)
  const ended = [...runs].flatMap(([agent, of]) => (of.every(({ survivors }) => survivors.length === 0) ? agent : []))
  return { ended: ended.toSorted(), found: runs.size }
}

function fail(error: unknown): number {
  process.stderr.write(`The emergency stop broke off: ${reasonOf(error)}. Agents may be alive: run it again.\n`)
  return 1
}

interface Asked {
  home: string
  homeId: string
  reason: string | undefined
  adopted: boolean
  json: boolean
}

function read(args: readonly string[]): Asked | string {
  let values: { home?: string; reason?: string; adopted?: boolean; json?: boolean }
  try {
    values = parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    return `${reasonOf(error)}\n${USAGE}`
  }
  const home = resolve(values.home || expand(process.env['PANOPTICON_HOME'] || '~/.panopticon'))
  const file = join(home, 'home.id')
  try {
    const homeId = readFileSync(file, 'utf8').trim()
    if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(homeId))
      return {
        ...{ home, homeId, reason: values.reason },
        ...{ adopted: values.adopted === true, json: values.json === true },
      }
    return `Could not stop the agents of ${home}: ${file} does not hold a home id. ${BY_HAND}\n${USAGE}`
  } catch (error) {
    return `Could not stop the agents of ${home}: ${reasonOf(error)}. ${BY_HAND}\n${USAGE}`
  }
}

function expand(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(process.env['HOME'] || homedir(), path.slice(1)) : path
}

interface Done extends FleetStop {
  /** Sessions on the agents' terminal server that are no agents. */
  leftAlone: readonly string[]
  /** Agents that a person started himself. */
  leftAdopted: readonly string[]
}

function report({ byRun, survivors, problems, leftAlone, leftAdopted }: Done, tookMs: number): string[] {
  const agents = byRun.map(({ run, agent = run, ...rest }) => ({ name: shown(agent), ...rest }))
  const runs = agents
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, ended, survivors: left }) =>
      left.length === 0 ? `${name}: ended, ${processes(ended)}` : `${name}: still alive: ${left.join('; ')}`,
    )
  return [
    ...(runs.length === 0 ? ['No agent was alive.'] : runs),
    ...leftAlone.map((session) => `Left alone: the session ${shown(session)}, which Cloister did not start.`),
    ...leftAdopted.map((id) => `Left alone: ${shown(id)}, which was adopted. With --adopted it is ended, too.`),
    ...problems,
    ending(survivors, problems, tookMs),
  ]
}

/** Control bytes must not reach a terminal. */
function shown(name: string): string {
  return JSON.stringify(name).slice(1, -1)
}

function ending(survivors: readonly string[], problems: readonly string[], tookMs: number): string {
  if (survivors.length > 0) {
    return `${processes(survivors.length)} could not be ended. Look with \`ps\`, end what is left by hand, and run this again.`
  }
  if (problems.length > 0) return 'All gone, but agents can still be started: stop the daemon with `pan down`.'
  return `All gone after ${tookMs} ms. Resume with \`pan cloister resume\`.`
}

function processes(n: number): string {
  return n === 1 ? '1 process' : `${n} processes`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
