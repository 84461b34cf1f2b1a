/**
 * `npm run -s corpus [-- --seed N] [--with <folder>] [--json]`: plays the labelled sessions to the judge and prints its
 * error rates. A third of the sessions is made from the seed; the folder holds recordings that people labelled («This was
 * wrong»). With --json the last line is one JSON object. Exit code 1 when a promise is broken, 2 for wrong usage.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runCorpus, type Run } from '../tests/corpus/summary.ts'
import { brokenPromises } from '../tests/corpus/promises.ts'

const USAGE = 'Usage: npm run -s corpus [-- --seed N] [--with <folder>] [--json] [--verbose]'

process.exitCode = main()

interface Values {
  seed?: string | undefined
  with?: string | undefined
  json?: boolean | undefined
  verbose?: boolean | undefined
  help?: boolean | undefined
}

function main(): number {
  let values: Values
  try {
    ;({ values } = parseArgs({
      options: {
        seed: { type: 'string' },
        with: { type: 'string' },
        json: { type: 'boolean' },
        verbose: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    return 2
  }
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  const seed = Number(values.seed ?? 1)
  if (!Number.isSafeInteger(seed) || seed < 0) {
    console.error(`--seed takes a whole number from 0 on, not «${values.seed}».\n${USAGE}`)
    return 2
  }
  if (values.with !== undefined && statSync(values.with, { throwIfNoEntry: false })?.isDirectory() !== true) {
    console.error(`--with takes a folder of labelled recordings, and there is none at ${values.with}.\n${USAGE}`)
    return 2
  }
  const run = runCorpus(seed, values.with === undefined ? {} : { fieldFolder: values.with })
  console.log(tableOf(run))
  if (values.verbose === true) console.log(details(run))
  const broken = brokenPromises(run.summary)
  for (const promise of broken) console.error(`Broken: ${promise}.`)
  if (values.json === true) console.log(JSON.stringify(run.summary))
  return broken.length === 0 ? 0 : 1
}

function tableOf({ summary, tally, field }: Run): string {
  const { falsePer1000Hours: per, missed } = summary
  const causes = [...tally.causes.values()].toSorted((a, b) => (a.cause < b.cause ? -1 : 1))
  const rows = causes.map(({ cause, right, wrong, missed: not }) => {
    const parts = [share(right, right + wrong), share(right, right + not), `${((right + not) / 3600).toFixed(1)} h`]
    return cause.padEnd(20) + parts.map((part) => part.padStart(11)).join('')
  })
  return [
    `${summary.sessions} sessions, ${summary.agentHours} agent-hours, a third of them from seed ${summary.seed}`,
    '',
    'cause                 precision     recall       true',
    ...rows,
    '',
    `destructive acts on sound agents   ${summary.harmful}`,
    `pokes to sound agents              ${summary.falsePokes}`,
    `false alarms                       ${percent(summary.falseAlarmShare)} of agent-hours`,
    `false per 1,000 agent-hours        stuck ${per.stuck.toFixed(2)}, hung ${per.hung.toFixed(2)}, looping ${per.looping.toFixed(2)}`,
    `hangs found within one look        ${percent(summary.hangRecall)}`,
    `loops                              precision ${percent(summary.loopPrecision)}, recall ${percent(summary.loopRecall)}, found within ${summary.loopCalls} calls`,
    `real trouble that was missed       ${missed}`,
    `delay in minutes                   p50 ${summary.delayP50.toFixed(2)}, p95 ${summary.delayP95.toFixed(2)}`,
    `called wrong by people             ${summary.field}, of which ${summary.stillWrong} are said again`,
    ...field.cases.map(({ file, said, now, words }) => `  ${file}: said ${said}, now ${now}: «${words}»`),
    ...field.leftOut.map((why) => `  not counted: ${why}`),
  ].join('\n')
}

function details({ tally: { alarms, found, harmful } }: Run): string {
  const missed = found.filter(({ delayMs }) => delayMs === undefined)
  const late = found.filter(
    ({ trouble, delayMs = 0, steps = 0 }) => steps > 20 || (trouble !== 'loop' && delayMs > 31_000),
  )
  return [...alarms, ...harmful, ...missed, ...late].map((each) => JSON.stringify(each)).join('\n')
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : percent(part / whole)
}

function percent(value: number): string {
  return `${(100 * value).toFixed(2)} %`
}
