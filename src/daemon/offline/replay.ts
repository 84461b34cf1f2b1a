/**
 * The program behind `pan replay`: tells a recorded night again, without a daemon, and says whether every decision is
 * the one that was recorded. Exit codes: 0 it is, 1 it is not or the file is damaged, 2 wrong usage.
 */
import { parseArgs } from 'node:util'
import type { Event } from '../../contract/events.ts'
import { describe } from '../../core/describe.ts'
import { isoTime } from '../../core/iso-time.ts'
import { redact } from '../../core/redact.ts'
import { EXIT, fail, print, printJson } from './config-output.ts'
import { replayFile, Unreplayable, type Replay } from './replay-file.ts'

/** Verdicts, what was decided and done, how it went, and doubts of the watchdog itself. */
const TOLD = /^(agent\.health-changed|(act|episode|intervention|limit|restart|mass|emergency|house|needs-you)\.)/

process.exitCode = main(process.argv.slice(2))

function main(args: string[]): number {
  let parsed
  try {
    const options = { json: { type: 'boolean' }, all: { type: 'boolean' } } as const
    parsed = parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    fail((error as Error).message)
    return EXIT.usage
  }
  const { values, positionals } = parsed
  const [file = ''] = positionals
  try {
    const replay = replayFile(file)
    const told = replay.events.filter(({ type }) => values.all === true || TOLD.test(type))
    if (values.json) printJson(asJson(file, replay, told))
    else print(...told.map(line), ...(told.length === 0 ? [] : ['']), ...summary(replay))
    return isSame(replay) ? EXIT.ok : EXIT.problems
  } catch (error) {
    if (!(error instanceof Unreplayable)) throw error
    if (values.json) printJson({ recording: file, same: false, problem: error.message })
    return fail(error.message)
  }
}

function isSame({ difference, end }: Replay): boolean {
  return difference === undefined && end !== undefined
}

function asJson(file: string, replay: Replay, told: readonly Event[]): object {
  const { inputs, fromWallAt, toWallAt, end, difference } = replay
  return {
    recording: file,
    from: isoTime(fromWallAt),
    to: isoTime(toWallAt),
    inputs,
    events: told.map((event) => ({ ...event, sentence: redact(describe(event)) })),
    same: isSame(replay),
    ...(end === undefined ? { cutOff: true } : { ended: end.why, redacted: end.redacted }),
    ...(difference === undefined ? {} : { difference }),
  }
}

function line(event: Event): string {
  return `${timeOf(event.at)}  ${redact(describe(event))}`
}

function summary({ inputs, fromWallAt, toWallAt, end, difference }: Replay): string[] {
  const span = `${inputs} inputs from ${timeOf(fromWallAt)} to ${timeOf(toWallAt)}`
  const cut = 'The recording has no end: the daemon was killed, or the file was cut off. What is there was replayed.'
  const lines = [`Replayed ${span}${end === undefined ? '' : `; it ended because ${end.why}`}.`]
  if (end === undefined) lines.push(cut)
  if (difference === undefined) return [...lines, 'Every decision is the recorded one.']
  const { line: at, wallAt, recorded, replayed } = difference
  lines.push(`DIFFERENT from line ${at} on (${timeOf(wallAt)}).`)
  lines.push(...recorded.map((each) => `  recorded  ${each}`), ...replayed.map((each) => `  replayed  ${each}`))
  const secrets = end?.redacted ?? 0
  if (secrets > 0) {
    lines.push(`${secrets} texts had secrets taken out; what was decided by such a text may differ for that reason.`)
  }
  return lines
}

/** By this machine's clock, as everywhere in the CLI. */
function timeOf(at: number): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
