/** What a successor was given to read, for people: the file in handoffs/<id>/ of the home, and whether it is still that. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { HandoffEvent } from '../contract/handoff-views.ts'
import type { HandoffDocument } from '../contract/handoff-panel-views.ts'
import { readOwn } from './secret-file.ts'

/** In characters; what is written for a successor is far below that. */
const SHOWN_LIMIT = 256 * 1024

/** Undefined when nothing was written down, or when it is not there any more. */
export function handoffText(
  home: string,
  { id, captured }: Pick<HandoffEvent, 'id' | 'captured'>,
): HandoffDocument | undefined {
  if (captured === undefined) return undefined
  const text = readOwn(join(home, 'handoffs', id, 'prompt.md'))
  if (text === undefined) return undefined
  const isSame = createHash('sha256').update(text).digest('hex') === captured.digest
  const bytes = Buffer.byteLength(text)
  return { id, text: text.slice(0, SHOWN_LIMIT), bytes, ...(isSame ? {} : { changed: true }) }
}
