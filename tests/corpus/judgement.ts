/** The figures of the judge as a page for readers: per source and per cause, with what they do not show. */
import { cause } from '../../src/contract/verdict.ts'
import { BOLD } from './play.ts'
import { hours, type CauseScore, type Tally } from './score.ts'
import { SOURCES, type Run, type Source } from './summary.ts'

const DATE = /^- Written on .*$/m

const NAMES: Record<Source, string> = {
  generated: 'generated',
  client: 'played by the real client',
  understudies: 'played by understudies',
}

export function judgementPage(run: Run, date: string): string {
  const { summary } = run
  const kinds = cause.options.map(({ shape }) => shape.kind.value).toSorted()
  return [
    '# What the judge gets right',
    '',
    'Written by `npm run -s judgement`; do not edit. The sessions, their labels and how they are counted are in',
    '[tests/corpus](../tests/corpus/README.md); `npm run -s corpus` measures them anew, with a seed of your own.',
    '',
    `- Written on ${date}`,
    `- ${summary.sessions} sessions of ${summary.agentHours} agent-hours, with every automatic act switched on`,
    `- Seeds: every class with the fixed seeds 1, 2 and 3; a third of all sessions from seed ${summary.seed}`,
    `- Thresholds: stale after ${minutes(BOLD.thresholds.staleMs)}, warning after ${minutes(BOLD.thresholds.warningMs)}, stuck after ${minutes(BOLD.thresholds.stuckMs)} without a sign of work`,
    '',
    '## By source',
    '',
    ...table(
      [
        'source',
        'sessions',
        'agent-hours',
        'false alarms',
        'harmful acts',
        'pokes to sound ones',
        'hangs found',
        'loops found',
        'other trouble found',
        'missed',
      ],
      [...SOURCES.map((source) => sourceRow(source, run)), fieldRow(run)],
    ),
    '',
    'A false alarm is stuck, hung or looping said of an agent that was not in trouble. Harmful is every act that ends,',
    'replaces, clears or interrupts such a one. A trouble counts as found whenever it was said while it lasted; of the hangs',
    `of all sources ${percent(summary.hangRecall)} were found within one look after they were due, and no loop took more than ${summary.loopCalls} calls.`,
    '',
    '## By cause',
    '',
    'Precision: of the time in which the cause was said, the share in which it was true. Recall: of the time in which it was',
    'true, the share in which it was said. Both without the first look after a change. In brackets how long it was true.',
    '',
    ...table(
      ['cause', ...SOURCES.flatMap((source) => [`${NAMES[source]}: precision`, 'recall'])],
      kinds.map((kind) => [
        kind.replaceAll('_', ' '),
        ...SOURCES.flatMap((source) => causeCells(run.sources[source].tally, kind)),
      ]),
    ),
    '',
    '## From the field',
    '',
    ...fieldLines(run),
    '',
    '## What these figures do not show',
    '',
    '- The same people wrote the generator and the judge: the seed keeps the judge from being tuned to single sessions, not',
    '  to the classes.',
    '- What the real client played was on a scripted model, in seconds that were stretched to the minutes they stand for.',
    '- Only Claude Code: other programs have no sessions here.',
    '- Labels are of causes. Whether a poke or a hand-off helps real work is not measured; words and work are told apart only.',
    '- A label from the field says what was wrong, not what would have been right.',
    '- A transcript that `pan replay` judges has no labels, and counts nowhere here.',
    '',
  ].join('\n')
}

/** The same page but for the day on which it was written. */
export function isSamePage(a: string, b: string): boolean {
  return a.replace(DATE, '') === b.replace(DATE, '')
}

function sourceRow(source: Source, { sources }: Run): string[] {
  const { sessions, tally } = sources[source]
  const { agentMs, alarms, harmful, falsePokes, found } = tally
  const of = (is: (trouble: string) => boolean) => {
    const all = found.filter(({ trouble }) => is(trouble))
    return all.length === 0 ? '–' : `${all.filter(({ delayMs }) => delayMs !== undefined).length} of ${all.length}`
  }
  const missed = found.filter(({ delayMs }) => delayMs === undefined).length
  return [
    ...[NAMES[source], String(sessions), hours(agentMs).toFixed(0), String(alarms.length), String(harmful.length)],
    ...[String(falsePokes), of((each) => each === 'hang'), of((each) => each === 'loop')],
    ...[of((each) => each !== 'hang' && each !== 'loop'), String(missed)],
  ]
}

function fieldRow({ field: { cases } }: Run): string[] {
  const agentMs = cases.reduce((sum, each) => sum + each.agentMs, 0)
  const rest = Array.from({ length: 7 }, () => '–')
  return ['from the field', String(cases.length), hours(agentMs).toFixed(0), ...rest]
}

function fieldLines({ field: { cases, leftOut } }: Run): string[] {
  if (cases.length === 0) {
    return [
      'None are counted here: labelled recordings stay with whoever made them («This was wrong», `pan explain --wrong`).',
      'Count your own with `npm run -s judgement -- --with ~/.panopticon/wrong`.',
    ]
  }
  const still = cases.filter(({ isStillWrong }) => isStillWrong).length
  return [
    `${cases.length} verdicts that a person called wrong; ${still} of them are given again.${leftOut.length === 0 ? '' : ` Left out: ${leftOut.length}.`}`,
    '',
    ...table(
      ['said, and wrong', 'times', 'still said'],
      [...Map.groupBy(cases, ({ said }) => said)].map(([said, all]) => [
        ...[said.replaceAll('_', ' '), String(all.length)],
        String(all.filter(({ isStillWrong }) => isStillWrong).length),
      ]),
    ),
  ]
}

function causeCells({ causes }: Tally, kind: string): string[] {
  const { right, wrong, missed }: CauseScore = causes.get(kind) ?? { cause: kind, right: 0, wrong: 0, missed: 0 }
  const precision = right + wrong === 0 ? '–' : percent(right / (right + wrong))
  return [
    precision,
    right + missed === 0 ? '–' : `${percent(right / (right + missed))} (${((right + missed) / 3600).toFixed(1)} h)`,
  ]
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)]
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

function minutes(ms: number): string {
  return `${ms / 60_000} min`
}

/** Undefined: it is printed. What people said of their own agents goes into the page of the repository by no default. */
export function placeOfPage(
  page: string,
  { with: folder, out }: { with?: string | undefined; out?: string | undefined },
): string | undefined {
  return out ?? (folder === undefined ? page : undefined)
}
