/** Markdown by its headings, read without trust and once through. What stands in a fence is no heading. */

export interface Section {
  /** 1 to 6; 0 before the first heading. */
  level: number
  title: string
  /** Without its heading and without the sections below it. */
  lines: string[]
}

const LINES_READ = 20_000

export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ level: 0, title: '', lines: [] }]
  let fence: string | undefined
  for (const line of text.split(/\r\n?|\n/, LINES_READ)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.[0]
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence
    const heading = fence === undefined && mark === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null
    if (heading === null) sections.at(-1)?.lines.push(line)
    else sections.push({ level: heading[1]?.length ?? 1, title: plainTitle(heading[2] ?? ''), lines: [] })
  }
  return sections
}

/** A heading as it is compared: without marks, signs and numbers before it. */
function plainTitle(title: string): string {
  return title
    .slice(0, 200)
    .replaceAll(/[*_`#]/g, '')
    .replace(/^[^\p{L}]+/u, '')
    .replace(/[\s:.]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
}

export interface ListItem {
  text: string
  /** Undefined where there is no box to tick. */
  ticked: boolean | undefined
}

const ITEM = /^[ \t]{0,12}(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([ xX✓✔])\][ \t]*)?(.*)$/u

/** Undefined for a line that is no item of a list. */
export function listItem(line: string): ListItem | undefined {
  const found = ITEM.exec(line.slice(0, 2_000))
  if (found === null) return undefined
  const box = found[1]
  return { text: (found[2] ?? '').trim(), ticked: box === undefined ? undefined : box !== ' ' }
}

/** Words that say that there is nothing. */
export function saysNothing(text: string): boolean {
  return /^(?:[-–—\s]*|(?:none|nothing|n\/a|no|-)(?: (?:yet|known|so far|at the moment|at present|blockers|issues))?)[.!]?$/i.test(
    text.trim(),
  )
}
