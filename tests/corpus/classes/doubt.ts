/** The observer is at fault, or all have one cause: no agent may pay for it. */
import { HOUR, MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

export const DOUBT: Record<string, (scene: Scene) => void> = {
  'the laptop sleeps in the middle of a tool': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    const input = { command: 'npm test', timeout: 600_000 }
    const { id, about } = scene.opens({ input, cpu: scene.random.chance(0.5) })
    scene.wait(MINUTE)
    scene.house({ house: 'jump', ms: scene.random.between(0.5, 12) * HOUR })
    scene.wait(2 * MINUTE)
    scene.hook('PostToolUse', { ...about, tool_use_id: id, tool_response: 'ok' })
    scene.truth('thinking')
    scene.works(20 * MINUTE)
  },

  'the clock is set, forward and back': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(2, 5); n += 1) {
      scene.works(scene.random.between(4, 15) * MINUTE)
      scene.house({ house: 'jump', ms: scene.random.pick([-3 * HOUR, -HOUR, -40 * SECOND, HOUR, 24 * HOUR]) })
    }
    scene.works(10 * MINUTE)
  },

  'the daemon stands still while they work': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.house({ house: 'stall', ms: scene.random.between(3, 60) * MINUTE })
    scene.works(80 * MINUTE)
  },

  'the daemon is down for hours while they work': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.house({ house: 'down', ms: scene.random.between(0.2, 8) * HOUR })
    scene.works(scene.random.between(1, 9) * HOUR)
  },

  'the daemon is down while one waits for CI': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.house({ house: 'down', ms: 20 * MINUTE })
    for (let n = 0; n < 15; n += 1) {
      scene.bash('sleep 60 && gh pr checks', { ms: MINUTE, result: 'build  pending' })
    }
    scene.bash('gh pr checks', { result: 'build  pass' })
    scene.works(20 * MINUTE)
  },

  'the terminal server does not answer': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.house({ house: 'blind' })
    scene.works(scene.random.between(5, 60) * MINUTE)
    scene.house({ house: 'sighted' })
    scene.works(10 * MINUTE)
  },

  'a permission over a night of sleep': (scene) => {
    scene.starts()
    scene.works(4 * MINUTE)
    scene.house({ house: 'jump', ms: 8 * HOUR })
    scene.waits('waiting_permission', scene.random.between(10, 100) * MINUTE)
    scene.works(5 * MINUTE)
  },

  'its terminal is gone, and it lives': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.see({ lost: true, busy: true })
    scene.truth('unknown')
    scene.wait(scene.random.between(5, 60) * MINUTE)
  },

  'all die at once': (scene) => outage(scene, (each) => each.see({ alive: false, busy: false, ticking: false })),

  'all fall silent at once': (scene) => outage(scene, (each) => each.see({ ticking: false, drawn: true, busy: false })),

  'the service is down for all': (scene) =>
    outage(scene, (each) => {
      each.hook('StopFailure', { error: 'server_error', last_assistant_message: 'API Error: 500' })
      each.see({ ticking: false })
    }),
}

function outage(scene: Scene, happens: (scene: Scene) => void): void {
  const count = scene.random.int(3, 8)
  const at = 20 * MINUTE
  for (let n = 0; n < count; n += 1) {
    if (n > 0) {
      scene.turnTo(0, 0)
      scene.another()
    }
    scene.starts()
    scene.works(15 * MINUTE)
    scene.turnTo(scene.agent, Math.max(scene.at, at))
    scene.truth('outage')
    happens(scene)
    scene.wait(50 * MINUTE)
    scene.truth('idle')
  }
}
