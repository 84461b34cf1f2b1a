/** Texts that are too long to be typed: a file holds them, and what is typed names it. */
import type { AgentId } from '../contract/ids.ts'
import { letterText } from './prompts.ts'

/** The longest text that was seen to arrive whole by one paste, and as an argument. */
const TYPED_BYTES = 100 * 1024

export interface Typed {
  text: string
  letter?: { message: string; text: string }
}

/** What is typed of a text: itself, or where it can be read. Without a folder for letters it is always itself. */
export function typedForm(folder: string | undefined, agent: AgentId, message: { id: string; text: string }): Typed {
  const { id, text } = message
  if (folder === undefined || utf8Length(text) <= TYPED_BYTES) return { text }
  return { text: letterText(letterPath(folder, agent, id)), letter: { message: id, text } }
}

export function letterPath(folder: string, agent: AgentId, message: string): string {
  return `${folder}/${agent}/${message}.md`
}

function utf8Length(text: string): number {
  let bytes = 0
  for (let k = 0; k < text.length; k += 1) {
    const unit = text.charCodeAt(k)
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}
