/** Whose exit code a command has, and how much of what a runner printed its pipe lets through. */
import type { CommandExit } from '../../core/test-runs.ts'
import { nameOf } from './programs.ts'
import type { Started } from './started.ts'

interface Place {
  /** Of all that test, in their order. */
  places: readonly number[]
  command: string
  exitCode: number | undefined
}

/** That of the last decides; a zero also says so of those before, as far as it would not be one without them. */
export function exitOf(started: readonly Started[], { places, command, exitCode }: Place): CommandExit {
  const last = places.at(-1) ?? 0
  const hasPipefail = /\bpipefail\b/.test(command)
  const isOwn = (at: number) => {
    const after = started.slice(at).map(({ joint }) => joint)
    const isPiped = after.includes('|') && !hasPipefail
    return !started[at]?.isAsked && !isPiped && !after.some((joint) => joint === '||' || joint === ';' || joint === '&')
  }
  const isAlone = started.slice(last).every(({ joint }) => joint === '' || joint === '|')
  const isFirst = !started
    .slice(0, last)
    .some(({ joint, words, calls }) => joint === '&&' && !isSetUp(words) && calls?.isNamed !== true)
  return { code: exitCode, provesPass: places.every(isOwn), provesFailure: isOwn(last) && isAlone && isFirst }
}

/** What hardly ever fails. */
function isSetUp([program = '']: readonly string[]): boolean {
  return ['cd', 'pushd', 'export', 'set', 'source', '.', 'unset', 'ulimit', 'echo', 'Set-Location', ''].includes(
    program,
  )
}

/**
 * all: everything is seen. end: the last lines are. failures: those that tell of one are. some: nobody knows which.
 */
export type Sight = 'all' | 'end' | 'failures' | 'some'

const SIGHTS: readonly Sight[] = ['all', 'end', 'failures', 'some']

/** By the worst of what stands in the pipe behind it, or of what reads the file that it wrote. */
export function sightOf(started: readonly Started[], at: number): Sight {
  let worst: Sight = 'all'
  for (let k = at; k + 1 < started.length && (started[k]?.joint === '|' || started[at]?.toFile); k += 1) {
    const sight = filterSight(started[k + 1]?.words ?? [], started[k]?.joint === '|')
    if (SIGHTS.indexOf(sight) > SIGHTS.indexOf(worst)) worst = sight
  }
  return worst
}

function filterSight([program = '', ...args]: readonly string[], isPiped: boolean): Sight {
  const name = nameOf(program).toLowerCase()
  if (PASSING.has(name)) return 'all'
  if (name === 'tail' || (name === 'select-object' && args.some((arg) => /^-last$/i.test(arg)))) return 'end'
  if (!SEARCHES.has(name)) return isPiped || CUTTERS.has(name) ? 'some' : 'all'
  const isPartial = args.some((arg) =>
    /^-[a-zA-Z]{0,6}[vcqlLom]|^--(?:invert|count|quiet|only|files|max)|^\/v$/.test(arg),
  )
  return !isPartial && args.some((arg) => /fail|test result|tests run/i.test(arg)) ? 'failures' : 'some'
}
const PASSING = new Set(['cat', 'tee', 'ts', 'less', 'more', 'out-string', 'out-host', 'tee-object', 'ansi2txt', 'col'])
const SEARCHES = new Set(['grep', 'egrep', 'rg', 'ag', 'findstr', 'select-string', 'sls'])
const CUTTERS = new Set(['head', 'sed', 'awk', 'cut', 'wc'])
