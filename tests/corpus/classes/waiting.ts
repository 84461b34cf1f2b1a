/** Waits and limits: they ask for attention, and are never stuck. */
import { HOUR, MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

const WALL_AT = Date.UTC(2026, 0, 20, 22)

export const WAITING: Record<string, (scene: Scene) => void> = {
  'a permission nobody gives': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.waits('waiting_permission', scene.random.between(0.5, 8 * 60) * MINUTE)
    scene.works(5 * MINUTE)
  },

  'a question in the night': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.waits('waiting_user', scene.random.between(0.5, 8 * 60) * MINUTE)
    scene.works(5 * MINUTE)
  },

  'a usage limit with its end': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    const ms = scene.random.between(0.5, 5) * HOUR
    scene.fails('rate_limit', `Usage limit reached|${Math.ceil((WALL_AT + scene.at + ms) / 1000)}`, 'rate_limited')
    scene.wait(ms + MINUTE)
    scene.told('continue')
    scene.works(10 * MINUTE)
  },

  'a usage limit that cannot be read': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.fails('rate_limit', 'You have hit your limit, it resets at midnight (Europe/Vilnius)', 'rate_limited')
    scene.wait(scene.random.between(1, 9) * HOUR)
    scene.told('continue')
    scene.works(10 * MINUTE)
  },

  'the service fails and comes back': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    for (let n = 0; n < scene.random.int(1, 4); n += 1) {
      scene.fails('server_error', 'API Error: 529 overloaded', 'api_error')
      scene.wait(scene.random.between(1, 40) * MINUTE)
      scene.told('continue')
      scene.works(3 * MINUTE)
    }
  },

  'requests are sent again and again': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.wait(20 * SECOND)
    scene.objects({ kind: 'api_error', what: 'no answer from the service; the request was sent 3 times' }, 'api_error')
    scene.wait(scene.random.between(2, 20) * MINUTE)
    scene.works(5 * MINUTE)
  },

  'its sign-in ran out': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.fails('authentication_failed', 'API Error: 401', 'auth_needed')
    scene.wait(scene.random.between(5, 600) * MINUTE)
    scene.told('continue')
    scene.works(5 * MINUTE)
  },

  'a dialog at the start that no hook tells of': (scene) => {
    scene.see({ drawn: true, busy: false })
    scene.wait(90 * SECOND)
    scene.truth('startup_blocked', 'blocked')
    scene.wait(scene.random.between(3, 300) * MINUTE)
    scene.starts()
    scene.works(5 * MINUTE)
  },

  'a short wait and many of them': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(4, 12); n += 1) {
      scene.works(2 * MINUTE)
      scene.waits(scene.random.pick(['waiting_permission', 'waiting_user']), scene.random.between(5, 250) * SECOND)
    }
  },
}
