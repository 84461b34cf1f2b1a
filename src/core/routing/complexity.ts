/**
 * How hard a task is. The first signal that speaks decides: what is stated of it (metadata, field, label), what is
 * stated of its parent, its tags, the number of its files, words in its title; else what the settings say of
 * everything else. A number of files says «at least», so that a word may say more.
 */
import { complexity as levels, type Complexity } from '../../contract/config/values.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { Signal, SignalSaid, Task } from '../../contract/tasks.ts'

/** What is known of a piece of work before anybody begins it. */
export interface Work extends Pick<Task, 'title'> {
  tags?: readonly string[]
  complexity?: Task['complexity'] | undefined
  files?: number | undefined
  suggestedModel?: string | undefined
  /** The nearest first. */
  ancestors?: readonly Pick<Work, 'tags' | 'complexity'>[]
}

type Detection = RoutingSettings['detection']

export interface Rated {
  complexity: Complexity
  decidedBy: Signal
  signals: SignalSaid[]
}

export function complexityOf(work: Work, detection: Detection): Rated {
  const signals: SignalSaid[] = [
    { signal: 'explicit', ...explicit(work) },
    { signal: 'parent', ...ofParent(work) },
    { signal: 'tags', ...ofTags(work, detection) },
    { signal: 'files', ...ofFiles(work, detection) },
    { signal: 'keywords', ...ofKeywords(work, detection) },
    { signal: 'otherwise', complexity: detection.otherwise, says: 'nothing about it says otherwise' },
  ]
  const first = signals.find((each) => each.complexity !== undefined) as SignalSaid
  const word = signals.find(({ signal }) => signal === 'keywords')
  const decided = first.signal === 'files' && isHarder(word?.complexity, first.complexity) ? (word ?? first) : first
  return { complexity: decided.complexity ?? detection.otherwise, decidedBy: decided.signal, signals }
}

type Said = Omit<SignalSaid, 'signal'>

/** A label that its parent carries too was handed down when the task was made, and says nothing of the task itself. */
function explicit({ complexity, tags = [], ancestors = [] }: Work): Said {
  if (complexity !== undefined) return stated(complexity)
  const inherited = new Set(ancestors.flatMap((each) => each.tags ?? []))
  return labelled(tags.filter((tag) => !inherited.has(tag))) ?? { says: 'nothing is stated of it' }
}

function ofParent({ ancestors = [] }: Work): Said {
  for (const { complexity, tags = [] } of ancestors) {
    const said = complexity === undefined ? labelled(tags) : stated(complexity)
    if (said !== undefined) return { ...said, says: `of its parent ${said.says}` }
  }
  return { says: ancestors.length === 0 ? 'it has no parent' : 'nothing is stated of its parent' }
}

function stated({ value, from }: NonNullable<Task['complexity']>): Said {
  return { complexity: value, says: `its ${from === 'metadata' ? 'metadata' : 'field'} «complexity» says ${value}` }
}

/** Of two labels the harder one counts: too dear a model does the work, too cheap a one may not. */
function labelled(tags: readonly string[]): Said | undefined {
  const named = tags.flatMap((tag) => {
    const [, level] = /^(?:complexity|difficulty)[:=/](\w+)$/i.exec(tag) ?? []
    const value = levels.safeParse(level?.toLowerCase()).data
    return value === undefined ? [] : [{ tag, value }]
  })
  const hardest = hardestOf(named)
  if (hardest === undefined) return undefined
  const others = new Set(named.map(({ value }) => value)).size > 1 ? ', the hardest of its labels' : ''
  return { complexity: hardest.value, says: `its label «${hardest.tag}» says ${hardest.value}${others}` }
}

function ofTags({ tags = [] }: Work, detection: Detection): Said {
  const known = tags.flatMap((tag) => {
    const value = valueIn(detection.tags, tag.toLowerCase())
    return value === undefined ? [] : [{ tag, value }]
  })
  const hardest = hardestOf(known)
  if (hardest === undefined) return { says: 'none of its tags means a complexity' }
  return { complexity: hardest.value, says: `it is tagged «${hardest.tag}»` }
}

function ofFiles({ files }: Work, { mediumAboveFiles: medium, complexAboveFiles: complex }: Detection): Said {
  if (files === undefined) return { says: 'how many files it is about is not known' }
  const count = files === 1 ? '1 file' : `${files} files`
  if (files > complex) return { complexity: 'complex', says: `it is about ${count}, more than ${complex}` }
  if (files > medium) return { complexity: 'medium', says: `it is about ${count}, more than ${medium}` }
  return { says: `it is about ${count}, not more than ${medium}` }
}

function ofKeywords({ title }: Work, { keywords }: Detection): Said {
  const known = wordsOf(title).flatMap((tag) => {
    const value = valueIn(keywords, tag)
    return value === undefined ? [] : [{ tag, value }]
  })
  const hardest = hardestOf(known)
  if (hardest === undefined) return { says: 'no word in its title means a complexity' }
  return { complexity: hardest.value, says: `«${hardest.tag}» stands in its title` }
}

function wordsOf(title: string): string[] {
  return title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function valueIn(table: Readonly<Record<string, Complexity>>, name: string): Complexity | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

interface Named {
  tag: string
  value: Complexity
}

function hardestOf(named: readonly Named[]): Named | undefined {
  return named.reduce<Named | undefined>((best, each) => (isHarder(each.value, best?.value) ? each : best), undefined)
}

function isHarder(one: Complexity | undefined, other: Complexity | undefined): boolean {
  return rankOf(one) > rankOf(other)
}

function rankOf(value: Complexity | undefined): number {
  return value === undefined ? -1 : levels.options.indexOf(value)
}
