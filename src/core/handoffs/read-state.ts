/**
 * What an agent's own notes say: what was done, what remains, what is in the way and what was decided. By headings and
 * ticked boxes, as agents write them; nobody is asked to sum anything up.
 */
import { listItem, saysNothing, sectionsOf, type Section } from './sections.ts'

export interface Notes {
  done?: string
  remains?: string
  nextStep?: string
  blockers?: string[]
  decisions?: string[]
}

type Topic = 'done' | 'remains' | 'blockers' | 'decisions'

/** In this order: «Next steps and blockers» is about what remains. */
const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  [
    'remains',
    /^(?:next|remaining|remains|what (?:remains|is left|to do)|to ?-?dos?\b|left\b|outstanding|still|open (?:work|tasks|items)|pending)/,
  ],
  ['done', /^(?:done|completed?\b|finished|accomplish|what (?:was|is|has been) done|what works|progress|implemented)/],
  ['blockers', /^(?:block|issues?\b|problems?\b|open questions?|known (?:issues|problems)|risks?\b|obstacles?)/],
  ['decisions', /^(?:(?:key |design |important |architectural )?decisions?\b|decided|choices)/],
]

const ITEMS_READ = 200

export function readNotes(text: string): Notes {
  const found: Record<Topic, string[]> = { done: [], remains: [], blockers: [], decisions: [] }
  let above: { level: number; topic: Topic } | undefined
  for (const section of sectionsOf(text)) {
    const own = topicOf(section.title)
    if (own !== undefined) above = { level: section.level, topic: own }
    else if (above !== undefined && section.level <= above.level) above = undefined
    sort(section, above?.topic, found)
  }
  const { done, remains, blockers, decisions } = found
  const next = remains.find((each) => !saysNothing(each))
  return {
    ...(done.length === 0 ? {} : { done: listed(done) }),
    ...(remains.length === 0 ? {} : { remains: listed(remains) }),
    ...(next === undefined ? {} : { nextStep: next }),
    ...(blockers.length === 0 ? {} : { blockers: blockers.filter((each) => !saysNothing(each)) }),
    ...(decisions.length === 0 ? {} : { decisions: decisions.filter((each) => !saysNothing(each)) }),
  }
}

/** What stands under such a heading was done, whatever its boxes say: the document's own example ticks none. */
const CERTAINLY_DONE = /^(?:done|completed?\b|finished|accomplish|what (?:was|has been) done)/

function topicOf(title: string): Topic | undefined {
  return TOPICS.find(([, pattern]) => pattern.test(title))?.[0]
}

/** A box says more than the heading above it: an open one under «Progress» is still to be done. */
function sort({ title, lines }: Section, topic: Topic | undefined, found: Record<Topic, string[]>): void {
  const isAboutWork = topic === undefined || topic === 'remains' || (topic === 'done' && !CERTAINLY_DONE.test(title))
  for (const line of lines) {
    const item = listItem(line)
    const text = (item?.text ?? line).trim()
    if (text === '' || /^(?:-{3,}|={3,}|<!--.*-->)$/.test(text)) continue
    const boxed = item?.ticked === undefined || !isAboutWork ? topic : item.ticked ? 'done' : 'remains'
    if (boxed === undefined || found[boxed].length >= ITEMS_READ) continue
    found[boxed].push(text)
  }
}

function listed(items: readonly string[]): string {
  return items.map((each) => `- ${each}`).join('\n')
}

const LINES_OF_WORDS = 400
const OF_THE_REST =
  /^(?:\W{0,6})(?:next\b|remaining\b|what(?:'s| is) left|still (?:to do|needs?|have)|to ?do\b|left to do|now i (?:will|need|have)|i (?:will now|still (?:need|have)|next)|then i)/i

/** What remains, by what the model last said: the lines that speak of what comes next. */
export function remainsInWords(words: string): string | undefined {
  const lines = words.split('\n', LINES_OF_WORDS).map((line) => line.trim())
  const speaking = lines.filter((line) => OF_THE_REST.test(line.replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '')))
  return speaking.length === 0 ? undefined : speaking.join('\n')
}
