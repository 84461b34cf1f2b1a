/** Chance comes in with each input; here it is spread, so that what happens to many at once differs for each of them. */
import { fingerprint } from './fingerprint.ts'

/** From 0 up to 1, another for each key. */
export function chanceFor(chance: number | undefined, key: string): number {
  const spread = Number.parseInt(fingerprint(key).slice(-6), 36) / 36 ** 6
  return ((chance ?? 0) + spread) % 1
}
