/**
 * Checks a hand-off document without a model: it is whole, has its sections, says what comes next, names files that are
 * there, and what it says of git is so. Lists what is wrong; whether that is enough is not decided here.
 */
import { closingLine, SECTIONS } from './orders.ts'
import { listItem, saysNothing, sectionsOf, type Section } from './sections.ts'

export type FindingKind =
  | 'too_long'
  | 'no_closing_line'
  | 'text_after_closing_line'
  | 'missing_section'
  | 'empty_section'
  | 'unfilled_place'
  | 'no_next_step'
  | 'no_current_task'
  | 'missing_file'
  | 'git_mismatch'

export interface Finding {
  kind: FindingKind
  what: string
}

export interface DocumentFacts {
  nonce: string
  /** Whether a file that it names is in the workspace; undefined when nobody can tell. */
  exists: (path: string) => boolean | undefined
  /** Undefined outside a repository. */
  git?: { branch?: string | undefined; head?: string | undefined; uncommitted: readonly string[] }
}

export interface Checked {
  /** It ends with its closing line: nobody writes on it any more. */
  isWhole: boolean
  /** It can be gone on from: whole, and it says what comes next. */
  isUsable: boolean
  findings: Finding[]
  nextStep?: string
}

export const DOCUMENT_LIMIT = 100_000
const FINDINGS_LIMIT = 40

export function checkDocument(text: string, facts: DocumentFacts): Checked {
  const end = wholeness(text, facts.nonce)
  const { isWhole } = end
  const sections = topSections(text)
  const nextStep = nextStepIn(sections)
  const findings: Finding[] = [
    ...end.findings,
    ...SECTIONS.flatMap((title) => sectionFinding(title, sections)),
    ...(nextStep === undefined ? [finding('no_next_step', 'it names no next step')] : []),
    ...(field(text, 'Current Task') === undefined ? [finding('no_current_task', 'it names no current task')] : []),
    ...missingFiles(text, facts),
    ...gitFindings(text, facts),
  ]
  return {
    isWhole,
    isUsable: isWhole && nextStep !== undefined,
    findings: findings.slice(0, FINDINGS_LIMIT),
    ...(nextStep === undefined ? {} : { nextStep }),
  }
}

function finding(kind: FindingKind, what: string): Finding {
  return { kind, what: what.slice(0, 300) }
}

function wholeness(text: string, nonce: string): { isWhole: boolean; findings: Finding[] } {
  const isTooLong = text.length > DOCUMENT_LIMIT
  const long = isTooLong ? [finding('too_long', `it is longer than ${DOCUMENT_LIMIT} characters`)] : []
  const line = closingLine(nonce)
  const lines = text.split(/\r\n?|\n/).map((each) => each.trim())
  const at = lines.lastIndexOf(line)
  if (at < 0)
    return { isWhole: false, findings: [...long, finding('no_closing_line', `its last line is not «${line}»`)] }
  const isLast = lines.slice(at + 1).every((each) => each === '')
  const after = isLast ? [] : [finding('text_after_closing_line', 'it goes on after its closing line')]
  return { isWhole: isLast && !isTooLong, findings: [...long, ...after] }
}

/** Each of the second level with all that is below it. */
function topSections(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let current: string[] | undefined
  for (const section of sectionsOf(text.slice(0, DOCUMENT_LIMIT))) {
    if (section.level <= 2) {
      current = section.level === 2 ? (found.get(section.title) ?? []) : undefined
      if (current !== undefined) found.set(section.title, current)
    }
    current?.push(...contentOf(section))
  }
  return found
}

function contentOf({ lines }: Section): string[] {
  return lines.filter((line) => line.trim() !== '' && !/^\s*<!--.*-->\s*$/.test(line))
}

function sectionFinding(title: (typeof SECTIONS)[number], sections: Map<string, string[]>): Finding[] {
  const lines = sections.get(title.toLowerCase())
  if (lines === undefined) return [finding('missing_section', `the section «${title}» is missing`)]
  if (lines.length === 0) return [finding('empty_section', `the section «${title}» is empty`)]
  const unfilled = lines.find((line) => isPlace(valueOf(line)))
  return unfilled === undefined ? [] : [finding('unfilled_place', `«${title}» was not filled in: ${unfilled.trim()}`)]
}

/** As the template has them. */
function isPlace(value: string): boolean {
  return /^<[^<>]{1,200}>$/.test(value)
}

function valueOf(line: string): string {
  const text = (listItem(line)?.text ?? line).trim()
  return /^\*\*[^*]{1,60}\*\*:[ \t]*(.*)$/.exec(text)?.[1]?.trim() ?? text
}

const STEP_LIMIT = 300

function nextStepIn(sections: Map<string, string[]>): string | undefined {
  const steps = (sections.get('next steps') ?? []).flatMap((line) => {
    const item = listItem(line)
    return item?.ticked === true ? [] : [(item?.text ?? line).trim()]
  })
  return steps.find((step) => isSaid(step))?.slice(0, STEP_LIMIT)
}

function field(text: string, name: string): string | undefined {
  const lines = text.slice(0, DOCUMENT_LIMIT).split(/\r\n?|\n/)
  const head = `**${name}**:`
  const value = lines
    .find((line) => line.trimStart().startsWith(head))
    ?.trim()
    .slice(head.length)
    .trim()
  return value !== undefined && isSaid(value) ? value.slice(0, STEP_LIMIT) : undefined
}

function isSaid(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !isPlace(text) && !saysNothing(text)
}

const FILES_CHECKED = 60
/** What is planned need not be there, and notes speak of anything. */
const OF_WHAT_IS = ['current work', 'completed since last handoff', 'critical state']
const OF_WHAT_WAS = /\b(?:delet|remov|renam|moved|drop|no longer|will |to be |would |does not exist|missing)/i

/** The files that it says are there, so that they can be looked for. */
export function filesNamedIn(text: string): string[] {
  const sections = topSections(text)
  const lines = OF_WHAT_IS.flatMap((title) => sections.get(title) ?? []).filter((line) => !OF_WHAT_WAS.test(line))
  const names = lines.flatMap((line) =>
    [...line.slice(0, 2_000).matchAll(/`([^`\s]{1,300})`/g)].map(([, name]) => name ?? ''),
  )
  return [...new Set(names.map((name) => name.replace(/(?::\d+){1,2}$/, '').replace(/^\.\//, '')))]
    .filter(isPath)
    .slice(0, FILES_CHECKED)
}

/** With a folder and an ending: a word in backticks is more often a name from the code. */
function isPath(name: string): boolean {
  return /^(?!\/|~|.*\.\.(?:\/|$))(?=.*\/)[\w.@+()[\]/-]+\.[A-Za-z0-9]{1,8}$/.test(name) && !name.includes('://')
}

function missingFiles(text: string, { exists }: DocumentFacts): Finding[] {
  return filesNamedIn(text)
    .filter((path) => exists(path) === false)
    .map((path) => finding('missing_file', `${path} is not there`))
}

/** What hand-offs themselves write is no work. */
const OWN_FILES = /^(?:\.bmad\/handoffs\/|\.planning\/)/

function gitFindings(text: string, { git }: DocumentFacts): Finding[] {
  if (git === undefined) return []
  const branch = bare(field(text, 'Branch'))
  const commit = /\b[0-9a-f]{7,40}\b/.exec(field(text, 'Last Commit') ?? '')?.[0]
  const said = /^\D{0,3}(\d{1,6})|^none\b/i.exec(rawField(text, 'Uncommitted Files'))
  const dirty = git.uncommitted.filter((path) => !OWN_FILES.test(path)).length
  const isClean = said !== null && Number(said[1] ?? 0) === 0
  return [
    ...(branch !== undefined && git.branch !== undefined && branch !== git.branch
      ? [finding('git_mismatch', `it says branch ${branch}, and git says ${git.branch}`)]
      : []),
    ...(commit !== undefined && git.head !== undefined && !isSameCommit(commit, git.head)
      ? [finding('git_mismatch', `it says last commit ${commit}, and git says ${git.head.slice(0, 12)}`)]
      : []),
    ...(isClean && dirty > 0
      ? [finding('git_mismatch', `it says that nothing is uncommitted, and git says ${dirty} files`)]
      : []),
  ]
}

function isSameCommit(said: string, head: string): boolean {
  return head.startsWith(said) || said.startsWith(head)
}

/** «None» is an answer here. */
function rawField(text: string, name: string): string {
  const head = `**${name}**:`
  const line = text
    .slice(0, DOCUMENT_LIMIT)
    .split(/\r\n?|\n/)
    .find((each) => each.trimStart().startsWith(head))
  return line?.trim().slice(head.length).trim() ?? ''
}

function bare(value: string | undefined): string | undefined {
  return value?.replaceAll('`', '').split(/\s/)[0]
}
