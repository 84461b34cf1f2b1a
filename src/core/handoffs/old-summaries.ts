/**
 * Takes earlier summaries out of a hand-off document: what was carried over from the document before, and the client's
 * own summary of an earlier conversation. They grow from hand-off to hand-off and say nothing that is still needed.
 */
import { closingLine } from './orders.ts'

const OLD_HEADING =
  /^(?:(?:previous|earlier|prior|past|old|last) (?:hand-?offs?|sessions?|summar\w+|contexts?|conversations?|work log)|hand-?off (?:history|log)|history of hand-?offs|session (?:history|summary|log)|conversation summary|summary of (?:the )?(?:previous|earlier|prior|last)\b)/

const CONTINUED = /^\W{0,4}this session is being continued from a previous conversation/i

export function withoutOldSummaries(text: string, nonce: string): string {
  const kept: string[] = []
  const state: Place = { fence: undefined, dropping: undefined, titles: 0 }
  for (const line of text.split(/\r\n?|\n/)) {
    const isOwnEnd = line.trim() === closingLine(nonce)
    if (isOwnEnd) state.dropping = undefined
    else place(state, line)
    if (state.dropping === undefined && (isOwnEnd || !OLD_END.test(line))) kept.push(line)
  }
  return kept.join('\n').replaceAll(/\n{3,}/g, '\n\n')
}

interface Place {
  fence: string | undefined
  /** The level of the heading that begins what is left out; 7 is a paragraph. */
  dropping: number | undefined
  /** Headings of a whole document so far: a second one is an older document. */
  titles: number
}

const PARAGRAPH = 7
/** Of a document before this one. */
const OLD_END = /^\s*<!-- end of hand-off \S+ -->\s*$/

function place(state: Place, line: string): void {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.[0]
  if (mark !== undefined)
    state.fence = state.fence === undefined ? mark : state.fence === mark ? undefined : state.fence
  if (OLD_END.test(line) || (state.dropping === PARAGRAPH && line.trim() === '')) state.dropping = undefined
  if (state.fence !== undefined || mark !== undefined) return
  const heading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line)
  const level = heading?.[1]?.length ?? 0
  if (level > 0 && state.dropping !== undefined && level <= state.dropping) state.dropping = undefined
  if (state.dropping !== undefined) return
  state.dropping = beginning(state, line, { level, title: heading?.[2] ?? '' })
}

function beginning(state: Place, line: string, { level, title }: { level: number; title: string }): number | undefined {
  const plain = title
    .replaceAll(/[*_`]/g, '')
    .replace(/^[^\p{L}]+/u, '')
    .toLowerCase()
  if (level === 1 && /^hand-?off document\b/.test(plain)) {
    state.titles += 1
    return state.titles > 1 ? 1 : undefined
  }
  if (level > 0) return OLD_HEADING.test(plain) ? level : undefined
  return CONTINUED.test(line) ? PARAGRAPH : undefined
}
