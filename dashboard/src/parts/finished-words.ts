/** What there is to see of an agent that finished, in a few words each. */
import type { DiffStat, FinishedView } from '../../../src/contract/finished.ts'
import { count, usd } from './words.ts'

/** What is not known yet, or never, is left out. */
export function factsOf({ branch, diff, tests, costUsd, lifecycle }: FinishedView): string[] {
  const known = [
    branch,
    diff && diffWords(diff),
    tests === undefined ? 'no tests seen' : testWords(tests),
    costUsd === undefined ? undefined : usd(costUsd),
    lifecycle === 'suspended' ? 'sleeps' : undefined,
    lifecycle === 'stopped' ? 'has ended' : undefined,
  ]
  return known.filter((each) => each !== undefined)
}

function diffWords({ files, added, removed, commits, base, uncommitted = 0 }: DiffStat): string {
  if (files === 0) return base === undefined ? 'nothing uncommitted' : `no change since ${base}`
  const since = base === undefined ? 'uncommitted' : `${count(commits, 'commit')} since ${base}`
  const open = uncommitted === 0 ? '' : `, ${uncommitted} uncommitted`
  return `${count(files, 'file')} +${added} −${removed}, ${since}${open}`
}

/** What a script of the project runs is not known. */
function testWords({ runner, result }: NonNullable<FinishedView['tests']>): string {
  return `last tests ${result === 'not_run' ? 'did not run' : result}${runner === 'script' ? '' : ` (${runner})`}`
}
