/**
 * Whether a command that is over ran tests, and what came of them: by the command, which runner it was, and by what was
 * printed, what that runner said. Knows formats only; `core/test-runs.ts` judges.
 */
import type { TestCounts, TestRunner } from '../../contract/test-run.ts'
import { judgeTestRun, type CommandExit, type RecogniseTestRun } from '../../core/test-runs.ts'
import { exitOf, sightOf, type Sight } from './command-exit.ts'
import { announced, printed, withoutLabels } from './printed.ts'
import { startedBy, type Started } from './started.ts'
import { spoken, summaryOf } from './summaries/formats.ts'
import { sum, type Summary } from './summaries/reading.ts'
import { refusalIn, taskFailedIn } from './summaries/refusals.ts'
import type { Calls, Runner } from './tasks.ts'

export const recogniseTestRun: RecogniseTestRun = ({ command, shell, output, exitCode }) => {
  const started = startedBy(command, shell)
  const places = placesIn(started)
  if (places.length === 0) return undefined
  const { lines, isCut } = printed(output)
  const listen = listener(lines)
  const heard = places.map((at) =>
    listen(started[at]?.calls, isCut ? cutSight(sightOf(started, at)) : sightOf(started, at)),
  )
  const voices = distinct(
    heard.flatMap((each) => each.voices),
    started.some(isLoop),
  )
  const isContradictory = voices.some(({ isKnown }) => !isKnown) && areAtOdds(voices)
  const judged = judgeTestRun({
    isNamed: heard.some(({ isNamed }) => isNamed),
    isKnownRunner: voices.length > 0 && voices.every(({ isKnown }) => isKnown),
    ...countsOf(voices),
    isDoubtful: voices.some(isDoubtful) || (heard.some(({ isTask }) => isTask) && taskFailedIn(lines)),
    isContradictory,
    ...refusalIn(lines),
    exit: heard.reduce((exit, { inner }) => both(exit, inner), exitOf(started, { places, command, exitCode })),
  })
  if (judged === undefined) return undefined
  // Whoever told of failures though all passed was only quoted.
  const own = isContradictory && judged.result === 'passed' ? voices.filter((voice) => !tellsOfFailure(voice)) : voices
  const first = own.find(tellsOfFailure) ?? own.find(({ summary }) => summary.counts) ?? own.at(-1)
  return { runner: first?.runner ?? 'script', ...countsOf(own), ...judged }
}

function placesIn(started: readonly Started[]): number[] {
  return started.flatMap(({ calls }, at) => (calls === undefined ? [] : [at]))
}

function cutSight(sight: Sight): Sight {
  return sight === 'all' ? 'end' : sight
}

interface Voice {
  runner: TestRunner
  summary: Summary
  /** By the command, or by what the task said that it starts. */
  isKnown: boolean
  isTask: boolean
  /** How often the command calls it, as far as is known; a task may call it more often than it says. */
  times: number
}

interface Heard {
  isNamed: boolean
  isTask: boolean
  voices: readonly Voice[]
  /** What the exit code of the task says of the runner in it. */
  inner?: CommandExit
}

/** What many calls of one kind are heard by is listened to once. */
function listener(lines: readonly string[]): (calls: Calls | undefined, sight: Sight) => Heard {
  const known = new Map<string, Heard>()
  return (calls = { isNamed: false }, sight) => {
    const key = `${calls.runner} ${calls.isNamed} ${sight}`
    const heard = known.get(key) ?? hear(calls, lines, sight)
    known.set(key, heard)
    return heard
  }
}

function hear({ runner, isNamed }: Calls, lines: readonly string[], sight: Sight): Heard {
  if (runner !== undefined) return { isNamed, isTask: false, voices: [known(runner, summaryOf(runner, lines, sight))] }
  const bare = withoutLabels(lines)
  const announcements = [lines, bare].map(runnersAnnounced).find(({ length }) => length > 0)
  if (announcements !== undefined) {
    const runners = announcements.flatMap(({ inside }) => inside.flatMap(({ calls }) => calls?.runner ?? []))
    const summaries = new Map([...new Set(runners)].map((each) => [each, inTask(each, [lines, bare], sight)]))
    return {
      isNamed,
      isTask: true,
      voices: runners.map((each) => ({ ...known(each, summaries.get(each) ?? {}), isTask: true })),
      inner: announcements
        .map(({ line, inside }) => exitOf(inside, { places: placesIn(inside), command: line, exitCode: undefined }))
        .reduce(both),
    }
  }
  const told = spoken(lines, sight)
  const voices = (told.length > 0 ? told : spoken(bare, sight)).map((each) => ({
    ...each,
    isKnown: false,
    isTask: true,
    times: 1,
  }))
  return { isNamed, isTask: true, voices }
}

function runnersAnnounced(lines: readonly string[]): { line: string; inside: Started[] }[] {
  return announced(lines)
    .map((line) => ({ line, inside: startedBy(line) }))
    .filter(({ inside }) => inside.some(({ calls }) => calls?.runner !== undefined))
}

function known(runner: Runner, summary: Summary): Voice {
  return { runner, summary, isKnown: true, isTask: false, times: 1 }
}

/** Each line may have a label before it. */
function inTask(runner: Runner, texts: readonly (readonly string[])[], sight: Sight): Summary {
  const all = texts.map((lines) => summaryOf(runner, lines, sight))
  return all.find(({ counts }) => counts !== undefined) ?? {}
}

/** The same words are heard for each call of the same runner: as many totals as calls belong to one each. */
function distinct(voices: readonly Voice[], isRepeated: boolean): Voice[] {
  const byRunner = new Map<TestRunner, Voice>()
  for (const voice of voices) {
    const times = (byRunner.get(voice.runner)?.times ?? (isRepeated ? Infinity : 0)) + 1
    const { each } = voice.summary
    const isEach = times > 1 && each?.length === times
    byRunner.set(voice.runner, {
      ...voice,
      times,
      summary: isEach ? { ...voice.summary, counts: sum(each), isMixed: false } : voice.summary,
    })
  }
  return [...byRunner.values()]
}

/** Nobody knows how often what stands in a loop was called. */
function isLoop({ words, isAsked }: Started): boolean {
  return isAsked || /^for(?:each)?$/i.test(words[0] ?? '')
}

function countsOf(voices: readonly Voice[]): { counts?: TestCounts } {
  const counted = voices.flatMap(({ summary: { counts } }) => counts ?? [])
  return counted.length === 0 ? {} : { counts: sum(counted) }
}

/** Of a runner that the command itself calls once the last summary is its own, whatever was printed before. */
function isDoubtful({ summary, isTask, times }: Voice): boolean {
  return summary.isPartial === true || (summary.isMixed === true && (isTask || times > 1))
}

function tellsOfFailure({ summary: { counts } }: Voice): boolean {
  return counts !== undefined && counts.failed > 0
}

function areAtOdds(voices: readonly Voice[]): boolean {
  return (
    voices.some(tellsOfFailure) && voices.some(({ summary: { counts } }) => counts?.failed === 0 && counts.passed > 0)
  )
}

function both(exit: CommandExit, inner: CommandExit | undefined): CommandExit {
  if (inner === undefined) return exit
  const { provesPass, provesFailure } = inner
  return { ...exit, provesPass: exit.provesPass && provesPass, provesFailure: exit.provesFailure && provesFailure }
}
