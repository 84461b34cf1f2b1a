/**
 * Real hangs and deaths. A hang is due when the promise says that it is seen: a tool after its bound and a minute, and
 * not before five minutes of silence; a silent stream after fifteen, or thirty where its clock ticks on.
 */
import { MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

interface Hang {
  tool: string
  input: object
  boundMs: number
  ticking: boolean
}

function hangsIn({ tool, input, boundMs, ticking }: Hang): (scene: Scene) => void {
  return (scene) => {
    scene.starts()
    scene.works(scene.random.between(2, 20) * MINUTE)
    scene.opens({ tool, input })
    scene.see({ ticking, busy: false })
    scene.wait(Math.max(boundMs + MINUTE, 5 * MINUTE))
    scene.truth('hung', 'hang')
    scene.wait(scene.random.between(30, 90) * MINUTE)
    maybeGoesOn(scene)
  }
}

function maybeGoesOn(scene: Scene): void {
  if (scene.random.chance(0.5)) return
  // By Escape, of which no hook tells; what is typed alone ends no call.
  scene.objects({ kind: 'idle' }, 'idle')
  scene.wait(MINUTE)
  scene.told('a person looked after it')
  scene.works(10 * MINUTE)
}

function silentStream(dueMs: number, ticking: boolean): (scene: Scene) => void {
  return (scene) => {
    scene.starts()
    scene.works(scene.random.between(2, 20) * MINUTE)
    // The last sign of it.
    scene.reads()
    scene.see({ ticking, busy: false, drawn: true })
    scene.wait(dueMs)
    scene.truth('hung', 'hang')
    scene.wait(scene.random.between(30, 90) * MINUTE)
    maybeGoesOn(scene)
  }
}

const shell = { tool: 'Bash', input: { command: 'npm run dev' } }

export const HANGS: Record<string, (scene: Scene) => void> = {
  'a stopped child, its clock ticking': hangsIn({ ...shell, boundMs: 2 * MINUTE, ticking: true }),
  'a stopped child, its screen still': hangsIn({ ...shell, boundMs: 2 * MINUTE, ticking: false }),
  'a shell beyond its own time': hangsIn({
    tool: 'Bash',
    input: { command: 'make', timeout: 600_000 },
    boundMs: 10 * MINUTE,
    ticking: true,
  }),
  'a page that never comes': hangsIn({
    tool: 'WebFetch',
    input: { url: 'http://x' },
    boundMs: 5 * MINUTE,
    ticking: true,
  }),
  'a silent stream, its screen still': silentStream(15 * MINUTE, false),
  'a silent stream, its clock ticking': silentStream(30 * MINUTE, true),

  'computes, then hangs': (scene) => {
    scene.starts()
    scene.works(4 * MINUTE)
    scene.opens({ input: { command: 'make', timeout: 300_000 }, cpu: true })
    scene.wait(scene.random.between(6, 30) * MINUTE)
    scene.see({ busy: false })
    scene.wait(5 * MINUTE)
    scene.truth('hung', 'hang')
    scene.wait(40 * MINUTE)
  },

  'a compaction that never ends': (scene) => {
    scene.starts()
    scene.works(20 * MINUTE)
    scene.hook('PreCompact', { trigger: 'auto' })
    scene.truth('compacting')
    scene.see({ ticking: false, drawn: true, busy: false })
    scene.wait(15 * MINUTE)
    scene.truth('hung', 'hang')
    scene.wait(40 * MINUTE)
  },

  crashes: (scene) => {
    scene.starts()
    scene.works(scene.random.between(2, 30) * MINUTE)
    scene.dies(scene.random.pick([1, 137, 139]))
    scene.wait(30 * MINUTE)
  },

  'is killed in the middle of a tool': (scene) => {
    scene.starts()
    scene.works(scene.random.between(2, 30) * MINUTE)
    scene.opens({ input: { command: 'npm test' }, cpu: true })
    scene.wait(30 * SECOND)
    scene.dies()
    scene.wait(30 * MINUTE)
  },
}
