/** The faults that a drill injects. Without zod, so that the CLI can name them without loading it. */

export const FAULTS = {
  hang: 'its turn stays open and nothing moves',
  loop: 'it makes the same failing call over and over',
  crash: 'its program ends with exit code 3',
  'rate-limit': 'its usage limit is reached',
  orphan: 'its program dies and leaves a process behind that ignores signals',
  'silent-prompt': 'it asks for a permission that nobody sees',
  'clock-jump': 'the wall clock jumps 8 h ahead and back, as when a laptop slept',
  'mass-death': 'three of four agents die at once',
} as const

export type Fault = keyof typeof FAULTS

/** They would be felt by every agent of a home, so they are never injected into a live one. */
export const ONLY_TEMPORARY: readonly Fault[] = ['clock-jump', 'mass-death']

export function isFault(text: string): text is Fault {
  return Object.hasOwn(FAULTS, text)
}
