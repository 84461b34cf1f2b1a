/** How much each model can read at once, where only the transcript is there to tell; the status line says it exactly. */

const WINDOWS: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/^claude-(?:sonnet|haiku)-4-5\b/, 200_000],
  [/^claude-(?:3|opus-4(?!-[8-9])|sonnet-4(?!-[5-9])|haiku-4)/, 200_000],
  [/^claude-(?:(?:opus|sonnet|haiku)-5|fable-5|opus-4-[8-9])/, 1_000_000],
]

/** Undefined for a model that is not known. */
export function windowOf(model: string): number | undefined {
  if (model.endsWith('[1m]')) return 1_000_000
  return WINDOWS.find(([pattern]) => pattern.test(model))?.[1]
}
