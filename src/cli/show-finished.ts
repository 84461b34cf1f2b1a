/** Who finished, and what there is to see of each, as lines. */
import type { DiffStat, FinishedView } from '../contract/finished.ts'
import { lineWidth, paint, printable, wrapped } from './output.ts'
import { count, duration } from './words.ts'

/** With how to go on from the list. */
export function finishedLines(finished: readonly FinishedView[]): string[] {
  return [...listed(finished, Date.now()), '', ...wrapped(HINT, lineWidth())]
}

function listed(finished: readonly FinishedView[], now: number): string[] {
  const width = Math.max(...finished.map(({ agent }) => agent.length))
  const indent = ' '.repeat(width + 4)
  return finished.flatMap((view) => {
    const { agent, title, issue } = view
    const [first = '', ...rest] = wrapped(
      printable(title ?? issue ?? whenWords(view, now)),
      lineWidth() - indent.length,
    )
    const more = title === undefined && issue === undefined ? factsOf(view) : [whenWords(view, now), ...factsOf(view)]
    const facts = wrapped(more.join('; '), lineWidth() - indent.length)
    return [
      `  ${paint('bold', agent.padEnd(width))}  ${first}`,
      ...[...rest, ...facts].filter((line) => line !== '').map((line) => indent + line),
    ]
  })
}

const HINT = 'Look with `pan agents show <agent>`, or say that you have: `pan finished seen <agent>`.'

function whenWords({ wallAt, lifecycle }: FinishedView, now: number): string {
  const since = { idle: '', active: '', uninitialized: '', suspended: ', and sleeps', stopped: ', and has ended since' }
  return `finished ${duration(now - wallAt)} ago${since[lifecycle]}`
}

/** What there is to see of it; what is not known is left out. */
export function factsOf({ branch, diff, tests, costUsd }: FinishedView): string[] {
  const known = [
    branch,
    diff && diffWords(diff),
    tests === undefined ? 'no tests were seen' : testWords(tests),
    costUsd === undefined ? undefined : costUsd === null ? 'cost unpriced' : `$${costUsd.toFixed(2)}`,
  ]
  return known.filter((each) => each !== undefined)
}

/** What a script of the project runs is not known. */
function testWords({ runner, result }: NonNullable<FinishedView['tests']>): string {
  return `last tests ${result === 'not_run' ? 'did not run' : result}${runner === 'script' ? '' : ` (${runner})`}`
}

function diffWords({ files, added, removed, commits, base, uncommitted = 0 }: DiffStat): string {
  if (files === 0) return base === undefined ? 'nothing uncommitted' : `no change since ${base}`
  const since = base === undefined ? ', not committed' : `, ${count(commits, 'commit')} since ${base}`
  const open = uncommitted === 0 ? '' : `, ${uncommitted} uncommitted`
  return `${count(files, 'file')} +${added} −${removed}${since}${open}`
}
