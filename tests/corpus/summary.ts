/** One run over the corpus, summed up: what `npm run corpus` prints and what the test expects. */
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import { corpus } from './corpus.ts'
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
}

export interface Run {
  summary: Summary
  tally: Tally
}

export function runCorpus(seed: number): Run {
  const tally = newTally()
  let sessions = 0
  for (const labelled of corpus(seed)) {
    sessions += 1
    score(tally, labelled, play(labelled.session))
  }
  return { summary: summaryOf(tally, { sessions, seed }), tally }
}

function summaryOf(tally: Tally, { sessions, seed }: { sessions: number; seed: number }): Summary {
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
