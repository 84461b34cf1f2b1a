/** One run over the corpus, summed up: what `npm run corpus` prints and what the test expects. */
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import { corpus } from './corpus.ts'
import { fieldIn, NO_FIELD, type Field } from './field.ts'
import { BOLD, play } from './play.ts'
import { hours, newTally, score, type Found, type Tally } from './score.ts'

export interface Summary {
  sessions: number
  seed: number
  agentHours: number
  /** Destructive acts on agents that were not in trouble, or in trouble that all shared. */
  harmful: number
  falsePokes: number
  /** Answers in words that were taken for a recovery, and recoveries that nobody saw. */
  falseRecoveries: number
  missedRecoveries: number
  /** Share of all agent-hours in which stuck, hung or looping was said of a sound one. */
  falseAlarmShare: number
  falsePer1000Hours: { stuck: number; hung: number; looping: number }
  /** Real hangs that were found within one look after they were due. */
  hangRecall: number
  loopPrecision: number
  loopRecall: number
  /** The most calls that a loop took to be found. */
  loopCalls: number
  missed: number
  delayP50: number
  delayP95: number
  /** Verdicts that a person called wrong, and those of them that are given again. */
  field: number
  stillWrong: number
}

/** Where a session comes from. */
export const SOURCES = ['generated', 'client', 'understudies'] as const
export type Source = (typeof SOURCES)[number]

export interface Run {
  summary: Summary
  tally: Tally
  sources: Record<Source, { sessions: number; tally: Tally }>
  field: Field
}

/** With a folder, the labelled recordings in it are counted, too. */
export function runCorpus(seed: number, { fieldFolder }: { fieldFolder?: string } = {}): Run {
  const field = fieldFolder === undefined ? NO_FIELD : fieldIn(fieldFolder)
  const tally = newTally()
  const none = () => ({ sessions: 0, tally: newTally() })
  const sources: Run['sources'] = { generated: none(), client: none(), understudies: none() }
  let sessions = 0
  for (const labelled of corpus(seed)) {
    sessions += 1
    const source = sources[sourceOf(labelled.session.name)]
    source.sessions += 1
    const played = play(labelled.session)
    score(tally, labelled, played)
    score(source.tally, labelled, played)
  }
  return { summary: summaryOf(tally, { sessions, seed, field }), tally, sources, field }
}

function sourceOf(name: string): Source {
  if (!name.startsWith('recorded: ')) return 'generated'
  return name.startsWith('recorded: understudy-') ? 'understudies' : 'client'
}

function summaryOf(tally: Tally, { sessions, seed, field }: { sessions: number; seed: number; field: Field }): Summary {
  const { found, alarms } = tally
  const loops = found.filter(({ trouble }) => trouble === 'loop')
  const hangs = found.filter(({ trouble }) => trouble === 'hang')
  const inTime = hangs.filter(({ delayMs = Infinity }) => delayMs <= BOLD.lookEveryMs + SECOND)
  const falseLoops = alarms.filter(({ cause }) => cause === 'looping').length
  const alarmMs = alarms.reduce((sum, { ms }) => sum + ms, 0)
  const delays = found.flatMap(({ delayMs }) => delayMs ?? []).toSorted((a, b) => a - b)
  const per1000 = (count: number) => (1000 * count) / hours(tally.agentMs)
  return {
    sessions,
    seed,
    agentHours: Math.round(hours(tally.agentMs)),
    harmful: tally.harmful.length,
    falsePokes: tally.falsePokes,
    falseRecoveries: tally.recoveries.filter(({ isFalse }) => isFalse).length,
    missedRecoveries: tally.recoveries.filter(({ isFalse }) => !isFalse).length,
    falseAlarmShare: alarmMs / tally.agentMs,
    falsePer1000Hours: {
      stuck: per1000(alarms.filter(({ health }) => health === 'stuck').length),
      hung: per1000(alarms.filter(({ cause }) => cause === 'hung').length),
      looping: per1000(falseLoops),
    },
    hangRecall: share(inTime.length, hangs.length),
    loopPrecision: share(tally.loopsSaid - falseLoops, tally.loopsSaid),
    loopRecall: share(loops.filter(isFound).length, loops.length),
    loopCalls: Math.max(0, ...loops.map(({ steps }) => steps ?? 0)),
    missed: found.filter((each) => !isFound(each)).length,
    delayP50: quantile(delays, 0.5) / MINUTE,
    delayP95: quantile(delays, 0.95) / MINUTE,
    field: field.cases.length,
    stillWrong: field.cases.filter(({ isStillWrong }) => isStillWrong).length,
  }
}

function isFound({ delayMs }: Found): boolean {
  return delayMs !== undefined
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
