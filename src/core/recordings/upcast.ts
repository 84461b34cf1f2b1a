/** The formats of recordings, one file each, and how what an older one says is said in the newest. */
import type { RecordingFormat, Said } from './format.ts'
import { format2 } from './format-2.ts'

/** From the second on: nothing came before the first. */
export const RECORDING_FORMATS: readonly RecordingFormat[] = [format2]

export function upcastState(state: Said, format: number): Said {
  return since(format).reduce((said, { state: change }) => change?.(said) ?? said, state)
}

export function upcastStep(step: Said, format: number): Said {
  return since(format).reduce((said, { step: change }) => change?.(said) ?? said, step)
}

function since(format: number): readonly RecordingFormat[] {
  return RECORDING_FORMATS.filter(({ number }) => number > format)
}
