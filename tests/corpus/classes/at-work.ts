/** Honest work, with what other watchdogs took for trouble: long tools, long thoughts, and repetition with a reason. */
import { HOUR, MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

export const AT_WORK: Record<string, (scene: Scene) => void> = {
  'works for hours': (scene) => {
    scene.starts()
    scene.works(scene.random.between(1, 4) * HOUR)
    scene.ends()
    scene.wait(scene.random.between(1, 60) * MINUTE)
  },

  'long tests that compute': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    for (let n = 0; n < scene.random.int(1, 4); n += 1) {
      const input = { command: `npx playwright test ${scene.random.word()}`, timeout: 600_000 }
      scene.calls({ input, ms: scene.random.between(4, 45) * MINUTE, cpu: true })
      scene.works(3 * MINUTE)
    }
  },

  'a tool of another server that is slow and idle': (scene) => {
    scene.starts()
    scene.works(2 * MINUTE)
    scene.calls({
      tool: 'mcp__browser__run',
      input: { flow: scene.random.word() },
      ms: scene.random.between(6, 29) * MINUTE,
    })
    scene.works(10 * MINUTE)
  },

  'a subagent in the foreground': (scene) => {
    scene.starts()
    const { id, about } = scene.opens({ tool: 'Agent', input: { prompt: scene.random.word() } })
    const untilAt = scene.at + scene.random.between(10, 60) * MINUTE
    while (scene.at < untilAt) scene.calls({ ...small(scene), actor: 'a1' })
    scene.hook('PostToolUse', { ...about, tool_use_id: id, tool_response: 'found it' })
    scene.truth('thinking')
    scene.works(5 * MINUTE)
  },

  'thinks long, its clock ticking': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(1, 4); n += 1) {
      scene.works(4 * MINUTE)
      scene.thinks(scene.random.between(5, 18) * MINUTE)
    }
    scene.works(2 * MINUTE)
  },

  'thinks long, its screen still': (scene) => {
    scene.starts()
    scene.works(4 * MINUTE)
    scene.see({ ticking: false })
    scene.thinks(scene.random.between(5, 13) * MINUTE)
    scene.works(6 * MINUTE)
  },

  'subagents that all begin with the same calls': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(6, 10); n += 1) {
      const actor = `a${n}`
      scene.calls({ tool: 'Read', input: { file_path: '/work/README.md' }, result: 'the readme', actor })
      scene.calls({ tool: 'Bash', input: { command: 'git status' }, result: 'clean', actor })
    }
    scene.works(10 * MINUTE)
  },

  'waits for subagents in the background': (scene) => {
    scene.starts()
    scene.works(3 * MINUTE)
    scene.inBackground(2)
    const untilAt = scene.at + scene.random.between(10, 40) * MINUTE
    while (scene.at < untilAt) {
      scene.wait(scene.random.between(10, 200) * SECOND)
      scene.hook('PreToolUse', { ...call(scene), agent_id: 'a1', agent_type: 'x', tool_use_id: `t${scene.at}` })
      scene.hook('PostToolUse', {
        ...call(scene),
        agent_id: 'a1',
        agent_type: 'x',
        tool_use_id: `t${scene.at}`,
        tool_response: 'ok',
      })
    }
    scene.told('<task-notification>')
    scene.works(5 * MINUTE)
  },

  'a build in the background': (scene) => {
    scene.starts()
    scene.works(3 * MINUTE)
    scene.inBackground()
    scene.see({ busy: true })
    scene.wait(scene.random.between(10, 100) * MINUTE)
    scene.see({ busy: false })
    scene.told('<task-notification>')
    scene.works(5 * MINUTE)
  },

  'compacts now and then': (scene) => {
    scene.starts()
    for (let n = 0; n < 3; n += 1) {
      scene.works(scene.random.between(15, 40) * MINUTE)
      scene.compacts(scene.random.between(0.5, 5) * MINUTE)
      // It knows nothing any more and reads again what it had read.
      const files = Array.from({ length: scene.random.int(5, 12) }, (_, k) => `src/known-${k}.ts`)
      for (const file of files) scene.reads(file, `${file} as ever`)
    }
    scene.works(5 * MINUTE)
  },

  'answers shortly, again and again': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(5, 12); n += 1) {
      scene.thinks()
      scene.ends('Done.')
      scene.wait(scene.random.between(0.2, 5) * MINUTE)
      scene.told(`and ${scene.random.word()}?`)
    }
    scene.works(4 * MINUTE)
  },

  'asked the same every ten minutes': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(10, 20); n += 1) {
      scene.bash('git fetch origin', { result: '' })
      scene.bash('gh pr list', { result: 'no pull requests' })
      scene.thinks()
      scene.ends('Nothing new.')
      scene.wait(10 * MINUTE)
      scene.told('look again')
    }
    scene.ends()
  },

  'dear but productive': (scene) => {
    scene.starts()
    for (let n = 0; n < 12; n += 1) {
      scene.works(4 * MINUTE)
      scene.spends(scene.random.between(1, 6))
    }
  },

  'rests for hours': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.ends()
    scene.wait(scene.random.between(2, 8) * HOUR)
    scene.told('go on')
    scene.works(10 * MINUTE)
    scene.ends()
    scene.wait(20 * MINUTE)
  },

  'interrupted by a person': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    scene.opens({ input: { command: 'npm run dev' } })
    scene.wait(40 * SECOND)
    scene.objects({ kind: 'idle' }, 'idle')
    scene.wait(scene.random.between(10, 120) * MINUTE)
    scene.told('do it otherwise')
    scene.works(10 * MINUTE)
  },

  'starts slowly': (scene) => {
    scene.see({ drawn: true, busy: false })
    scene.wait(scene.random.between(30, 75) * SECOND)
    scene.starts()
    scene.works(10 * MINUTE)
  },
}

function small(scene: Scene): { tool: string; input: object; result: string } {
  const file = scene.random.word()
  return { tool: 'Read', input: { file_path: `/work/${file}` }, result: file }
}

function call(scene: Scene): object {
  const { tool, input } = small(scene)
  return { tool_name: tool, tool_input: input }
}
