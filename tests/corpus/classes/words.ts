/**
 * An agent in trouble is told something by us. Whether that helped is seen in what it does then: words alone, or the
 * call that it made before with the same result, are no recovery; a new call with a new result is.
 */
import { MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

/** As the poke of the player's own rules reads. */
const POKE = 'Cloister watchdog: …'

/** A stream that says nothing more, its screen still, until the poke is heard. */
function hangsAndIsPoked(scene: Scene): void {
  scene.starts()
  scene.works(scene.random.between(2, 20) * MINUTE)
  scene.reads('src/last.ts', 'the last thing that it read')
  scene.see({ ticking: false, busy: false, drawn: true })
  scene.wait(15 * MINUTE)
  scene.truth('hung', 'hang')
  scene.wait(scene.random.between(1, 5) * MINUTE)
  scene.told(POKE)
  scene.wait(scene.random.between(11, 40) * SECOND)
}

const answers =
  (text = 'I am on it.') =>
  (scene: Scene): void => {
    hangsAndIsPoked(scene)
    scene.ends(text)
    scene.after('words')
    scene.wait(scene.random.between(60, 120) * MINUTE)
  }

export const WORDS: Record<string, (scene: Scene) => void> = {
  'is poked, says that it is on it, and rests': answers(),
  'is poked, says what blocks it, and rests': answers('I am blocked: the key of the API is missing.'),

  'is poked, says that it is on it, and hangs again': (scene) => {
    hangsAndIsPoked(scene)
    scene.after('words')
    scene.see({ ticking: false, busy: false, drawn: true })
    scene.wait(15 * MINUTE)
    scene.truth('hung', 'hang')
    scene.wait(scene.random.between(10, 30) * MINUTE)
  },

  'is poked, reads again what it had read, and rests': (scene) => {
    hangsAndIsPoked(scene)
    scene.reads('src/last.ts', 'the last thing that it read')
    scene.ends('I am on it.')
    scene.after('words')
    scene.wait(scene.random.between(60, 120) * MINUTE)
  },

  'is poked and goes to work': (scene) => {
    hangsAndIsPoked(scene)
    scene.after('work')
    scene.works(scene.random.between(5, 30) * MINUTE)
    scene.ends()
    scene.wait(30 * MINUTE)
  },
}
