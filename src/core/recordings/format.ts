/** One format of recordings: how what the format before it said is said now. Whatever it does not change stays. */
export type Said = Readonly<Record<string, unknown>>

export interface RecordingFormat {
  number: number
  /** The world of the first line. */
  state?: (state: Said) => Said
  /** An input with what was decided by it. */
  step?: (step: Said) => Said
}
