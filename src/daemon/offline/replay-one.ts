/** One recording or one transcript, replayed: what is printed of it. */
import type { Event } from '../../contract/events.ts'
import { describe } from '../../core/describe.ts'
import { isoTime } from '../../core/iso-time.ts'
import { redact } from '../../core/redact.ts'
import { INFERRED_SENTENCE, unreadLines } from './past-words.ts'
import type { Replay } from './replay-file.ts'
import type { PastReplay } from './replay-past.ts'
import { knownEvents, storyOf, sumsInWords, sumsOf } from './replay-story.ts'

/** Verdicts, what was decided and done, how it went, and doubts of the watchdog itself. */
const TOLD = /^(agent\.health-changed|(act|episode|intervention|limit|restart|mass|emergency|house|needs-you)\.)/

export interface Wish {
  all: boolean
  explain: boolean
}

export function isSame({ difference, end }: Replay): boolean {
  return difference === undefined && end !== undefined
}

export function replayLines(replay: Replay | PastReplay, { all, explain }: Wish): string[] {
  const told = explain
    ? storyLines(replay)
    : toldOf(replay, all).map((event) => `${timeOf(event.at)}  ${redact(describe(event))}`)
  const sums = explain ? [sumsInWords(sumsOf(replay), replay.inferred !== undefined)] : []
  return [...told, ...(told.length === 0 ? [] : ['']), ...sums, ...summary(replay)]
}

export function storyLines(replay: Replay): string[] {
  return storyOf(replay).map(({ at, kind, sentence }) => `${timeOf(at)}  ${kind === 'verdict' ? '' : '  '}${sentence}`)
}

export function replayJson(path: string, replay: Replay | PastReplay, { all, explain }: Wish): object {
  const { inputs, fromWallAt, toWallAt, end, difference, inferred, label } = replay
  return {
    recording: path,
    from: isoTime(fromWallAt),
    to: isoTime(toWallAt),
    inputs,
    ...(inferred === undefined ? {} : { inferred }),
    ...(label === undefined ? {} : { label }),
    ...('counts' in replay ? { read: replay.counts } : {}),
    ...(explain
      ? { story: storyOf(replay).map(({ at, ...line }) => ({ at: isoTime(at), ...line })), sums: sumsOf(replay) }
      : { events: toldOf(replay, all).map((event) => ({ ...event, sentence: redact(describe(event)) })) }),
    same: isSame(replay),
    ...(end === undefined ? { cutOff: true } : { ended: end.why, redacted: end.redacted }),
    ...(difference === undefined ? {} : { difference }),
  }
}

function toldOf(replay: Replay, all: boolean): readonly Event[] {
  return knownEvents(replay).filter(({ type }) => all || TOLD.test(type))
}

function summary(replay: Replay | PastReplay): string[] {
  const { inputs, fromWallAt, toWallAt, end, inferred, label } = replay
  const span = `${inputs} inputs from ${timeOf(fromWallAt)} to ${timeOf(toWallAt)}`
  const cut = 'The recording has no end: the daemon was killed, or the file was cut off. What is there was replayed.'
  const isTranscript = 'counts' in replay
  return [
    `${isTranscript ? 'Judged' : 'Replayed'} ${span}${end === undefined ? '' : `; it ended because ${end.why}`}.`,
    ...(end === undefined ? [cut] : []),
    ...('counts' in replay ? unreadLines(replay.counts) : []),
    ...(inferred === undefined ? [] : [INFERRED_SENTENCE]),
    ...(label === undefined ? [] : [labelled(label)]),
    ...(isTranscript ? [] : comparison(replay)),
  ]
}

function labelled({ words, agent, wallAt, health, cause }: NonNullable<Replay['label']>): string {
  const verdict = `${health === 'none' ? '' : `${health}, `}${cause.replaceAll('_', ' ')}`
  return `A person said at ${timeOf(wallAt)} that this verdict on ${agent} was wrong (${verdict}): «${words}»`
}

function comparison({ end, difference }: Replay): string[] {
  if (difference === undefined) return ['Every decision is the recorded one.']
  const { line: at, wallAt, recorded, replayed } = difference
  const secrets = end?.redacted ?? 0
  return [
    `DIFFERENT from line ${at} on (${timeOf(wallAt)}).`,
    ...recorded.map((each) => `  recorded  ${each}`),
    ...replayed.map((each) => `  replayed  ${each}`),
    ...(secrets === 0
      ? []
      : [`${secrets} texts had secrets taken out; what was decided by such a text may differ for that reason.`]),
  ]
}

/** By this machine's clock, as everywhere in the CLI. */
export function timeOf(at: number): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
