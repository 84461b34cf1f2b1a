/** Reads what a person has begun to type from the understudy's screen: it stands behind the label, on the last line. */
import { LABEL } from './program/screen.ts'

const INPUT_LINE = `${LABEL} > `

export function readDraft(screen: string): string | undefined {
  const at = screen.lastIndexOf(INPUT_LINE)
  const draft = at < 0 ? '' : screen.slice(at + INPUT_LINE.length).trim()
  return draft === '' ? undefined : draft
}
