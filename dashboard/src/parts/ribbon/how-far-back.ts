/** How far back ribbons go: what can be chosen, and the most that is shown when nobody chose. */

export const HOURS = [2, 8, 24, 72] as const
export type Hours = (typeof HOURS)[number]

export const MOST_HOURS = 8

/** 0: as far back as there is something to see. */
export const HOW_FAR_BACK: readonly { value: Hours | 0; word: string }[] = [
  { value: 0, word: 'Auto' },
  ...HOURS.map((hours) => ({ value: hours, word: hours > 24 ? `${hours / 24} d` : `${hours} h` })),
]
