/** The whole corpus: what was recorded, variations by fixed seeds, and a third by the seed that is given. */
import { AT_WORK } from './classes/at-work.ts'
import { DOUBT } from './classes/doubt.ts'
import { HANGS } from './classes/hangs.ts'
import { HONEST_REPETITION } from './classes/honest-repetition.ts'
import { LOOPS } from './classes/loops.ts'
import { OPEN_WORK } from './classes/open-work.ts'
import { STRANGERS } from './classes/strangers.ts'
import { WAITING } from './classes/waiting.ts'
import { WORDS } from './classes/words.ts'
import { Random } from './random.ts'
import { recordedSessions } from './recorded.ts'
import { Scene } from './scene.ts'
import type { Labelled } from './timeline.ts'

const CLASSES = Object.entries({
  ...AT_WORK,
  ...HONEST_REPETITION,
  ...WAITING,
  ...LOOPS,
  ...HANGS,
  ...DOUBT,
  ...WORDS,
  ...OPEN_WORK,
  ...STRANGERS,
})
const FIXED_VARIATIONS = 3
/** So many of the sessions have reports that get lost or come twice. */
const FAULTY = 0.25

export function* corpus(seed: number): Generator<Labelled> {
  let kept = 0
  for (const each of recordedSessions()) {
    kept += 1
    yield each
  }
  for (let variation = 1; variation <= FIXED_VARIATIONS; variation += 1) {
    for (const n of CLASSES.keys()) {
      kept += 1
      yield write(n, variation)
    }
  }
  const random = new Random(seed)
  // A third of all; every class once, the others by chance.
  for (let n = 0; n < Math.ceil(kept / 2); n += 1) {
    yield write(n < CLASSES.length ? n : random.int(0, CLASSES.length - 1), random.int(10_000, 2 ** 31))
  }
}

function write(n: number, seed: number): Labelled {
  const [name, play] = CLASSES[n] ?? CLASSES[0] ?? never()
  const scene = new Scene(new Random(seed * 1009 + n))
  play(scene)
  return scene.finish(`${name} (${seed})`, { faults: scene.random.chance(FAULTY) })
}

function never(): never {
  throw new Error('there are no classes')
}
