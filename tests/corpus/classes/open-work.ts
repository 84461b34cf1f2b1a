/** What an agent has open, however others would take it: no trouble in any of these. */
import { HOUR, MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

export const OPEN_WORK: Record<string, (scene: Scene) => void> = {
  'texts and restarts while calls run side by side': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    const calls = ['a', 'b', 'c'].map((command) => scene.opens({ input: { command, timeout: 600_000 } }))
    const ends = scene.random.chance(0.5) ? calls : calls.toReversed()
    for (const [n, { id, about }] of ends.entries()) {
      scene.wait(scene.random.between(1, 3) * MINUTE)
      if (scene.random.chance(0.6)) scene.hook('UserPromptSubmit', { prompt: `note ${n}` })
      if (scene.random.chance(0.6)) scene.house({ house: 'down', ms: 5 * SECOND })
      scene.wait(30 * SECOND)
      scene.hook('PostToolUse', { ...about, tool_use_id: id, tool_response: { stdout: `r${n}`, stderr: '' } })
    }
    scene.hook('PostToolBatch', { tool_calls: [] })
    scene.truth('thinking')
    scene.works(5 * MINUTE)
    scene.ends()
  },

  'silent for long, within bounds of its own or without any': (scene) => {
    scene.bounds = { shellMs: HOUR / 2, shellMostMs: 2 * HOUR }
    scene.starts()
    scene.works(5 * MINUTE)
    scene.calls({ input: { command: 'make all' }, ms: scene.random.between(6, 29) * MINUTE })
    scene.works(MINUTE)
    scene.calls({ input: { command: 'make more', timeout: 2 * HOUR }, ms: scene.random.between(30, 110) * MINUTE })
    scene.works(MINUTE)
    const server = scene.random.pick(['mcp__db__query', 'Agent', 'SomethingNew'])
    scene.calls({ tool: server, input: { sql: 'select 1' }, ms: scene.random.between(20, 200) * MINUTE })
    scene.works(5 * MINUTE)
    scene.ends()
  },

  'a limit that its program waits out': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    // The last sign of it; the request that follows is refused.
    scene.reads()
    const status = { says: 'work', wallAt: scene.at } as const
    const asked = { times: 1, firstWallAt: scene.at, wallAt: scene.at }
    scene.see({ own: { status, tail: { asked } }, ticking: true, busy: false })
    scene.wait(SECOND)
    const ms = scene.random.between(10, 100) * MINUTE
    const until = scene.random.chance(0.5) ? { untilWallAt: scene.at + ms } : {}
    scene.see({ own: { tail: { asked, refused: { status: 429, wallAt: scene.at, ...until } } } })
    scene.truth('rate_limited')
    scene.wait(ms)
    scene.see({ own: { tail: { answerWallAt: scene.at } } })
    scene.truth('thinking')
    scene.works(5 * MINUTE)
    scene.ends()
  },
}
