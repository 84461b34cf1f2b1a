/**
 * The program behind `pan drill`: injects faults into simulated agents and says how long it took until they were noticed
 * and what was done. Exit codes: 0 every drill passed, 1 one failed or could not be held, 2 wrong usage, 3 no daemon
 * runs, 130 interrupted. Whatever was started for a drill is gone when it ends.
 */
import { tmpdir } from 'node:os'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import type { DrillReport, DrillView } from '../../contract/drill.ts'
import { FAULTS, isFault, ONLY_TEMPORARY, type Fault } from '../../contract/faults.ts'
import { atMost } from '../at-most.ts'
import { complain, EXIT, print, printJson } from './config-output.ts'
import { NoDaemon, Refused } from './drill-api.ts'
import { drillInLiveHome, NoDrill } from './drill-live.ts'
import { table, verdictLine } from './drill-print.ts'
import { sweepDrills } from './drill-sweep.ts'
import { drillInTemporaryHome } from './drill-temporary.ts'

const NO_DAEMON = 3
const INTERRUPTED = 130
/** Drills mostly wait, but each brings a daemon and a terminal server with it. */
const AT_ONCE = 6
/** Those that take long begin first. */
const LONGEST_FIRST: readonly Fault[] = ['rate-limit', 'mass-death', 'orphan', 'crash', 'loop', 'hang']

const WIDEST = Math.max(...Object.keys(FAULTS).map(({ length }) => length))
/** Beside this file, which is started by its path; what it imports may lie elsewhere in a build. */
const PROGRAMS = { daemon: beside('../main'), clock: beside('./drill-clock') }

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const options = { json: flag, all: flag, temporary: flag, agent: text, 'timeout-ms': text } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const faults = values.all ? (Object.keys(FAULTS) as Fault[]) : positionals.filter(isFault)
  const wish: Wish = {
    json: values.json,
    agent: values.agent,
    timeoutMs: values['timeout-ms'] === undefined ? undefined : Number(values['timeout-ms']),
    signal: interrupted(),
    tell: (line) => (values.json ? complain : print)(line),
  }
  const isTemporary = (fault: Fault) => values.all || values.temporary || ONLY_TEMPORARY.includes(fault)
  try {
    const apart = await inTemporaryHomes(faults.filter(isTemporary), wish)
    const live = await inLiveHome(
      faults.filter((fault) => !isTemporary(fault)),
      wish,
    )
    return tellAll([...apart, ...live], wish)
  } catch (error) {
    return failed(error, wish)
  }
}

interface Wish {
  json: boolean
  agent: string | undefined
  timeoutMs: number | undefined
  signal: AbortSignal
  tell: (line: string) => void
}

async function inTemporaryHomes(faults: readonly Fault[], wish: Wish): Promise<DrillReport[]> {
  if (faults.length === 0) return []
  await sweepDrills(tmpdir(), complain)
  const homes = faults.length === 1 ? 'a temporary home' : 'temporary homes'
  wish.tell(`Drilling in ${homes}, with simulated agents and small thresholds; your own home is not touched.`)
  const isAlone = faults.length === 1
  const reports = new Map<Fault, DrillReport>()
  const atOnce = atMost(AT_ONCE)
  const drill = async (fault: Fault) => {
    if (wish.signal.aborted) return
    const tell = (line: string) => wish.tell(isAlone ? line : `${fault.padEnd(WIDEST)}${line}`)
    const report = await drillInTemporaryHome({ ...wish, fault, tell, programs: PROGRAMS })
    reports.set(fault, report)
    if (!isAlone && !wish.signal.aborted) wish.tell(verdictLine(report))
  }
  await Promise.all(longestFirst(faults).map((fault) => atOnce(() => drill(fault))))
  return faults.flatMap((fault) => reports.get(fault) ?? [])
}

function longestFirst(faults: readonly Fault[]): Fault[] {
  const rank = (fault: Fault) => (LONGEST_FIRST.includes(fault) ? LONGEST_FIRST.indexOf(fault) : LONGEST_FIRST.length)
  return faults.toSorted((a, b) => rank(a) - rank(b))
}

/** One after the other: several at once would look like a common trouble. */
async function inLiveHome(faults: readonly Fault[], wish: Wish): Promise<DrillReport[]> {
  const reports: DrillReport[] = []
  for (const fault of faults) {
    if (wish.signal.aborted) break
    reports.push(await drillInLiveHome({ ...wish, fault, home: homeFolder(process.env) }))
  }
  return reports
}

function tellAll(drills: readonly DrillReport[], { json, signal }: Wish): number {
  const passed = !signal.aborted && drills.every((each) => each.passed)
  if (json) printJson({ passed, drills: [...drills] } satisfies DrillView)
  if (signal.aborted) return leftEarly()
  if (!json && drills.length === 1) print(...drills.map(verdictLine))
  if (!json && drills.length > 1) print('', ...table(drills), '', summary(drills))
  return passed ? EXIT.ok : EXIT.problems
}

function leftEarly(): number {
  complain('Interrupted; everything that was started for the drill is gone.')
  return INTERRUPTED
}

function summary(drills: readonly DrillReport[]): string {
  const failed = drills.filter(({ passed }) => !passed).map(({ fault }) => fault)
  if (failed.length === 0) return `All ${drills.length} drills passed.`
  return `${failed.length} of ${drills.length} drills FAILED: ${failed.join(', ')}.`
}

function failed(error: unknown, { signal }: Wish): number {
  if (signal.aborted && (error as Error).name === 'AbortError') return leftEarly()
  if (error instanceof NoDaemon) {
    complain(`${error.message} Start it with \`pan up\`, or drill without it: \`pan drill --all\`.`)
    return NO_DAEMON
  }
  if (!(error instanceof NoDrill || error instanceof Refused)) throw error
  complain(error.message)
  return EXIT.problems
}

/** Kept for good: a second Ctrl-C must not cut off what the first one began to clear away. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  return controller.signal
}

function beside(name: string): string {
  return new URL(name + extname(import.meta.url), import.meta.url).href
}
