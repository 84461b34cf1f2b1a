/** Loops that look busy: each has a step at least every minute or two, and nothing comes of any. */
import { MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Call, Scene } from '../scene.ts'

const STEPS = 30

function loop(step: (scene: Scene, n: number) => void, steps = STEPS): (scene: Scene) => void {
  return (scene) => {
    scene.starts()
    scene.works(scene.random.between(3, 30) * MINUTE)
    // The first time it is no loop yet.
    step(scene, 0)
    scene.loops()
    for (let n = 1; n <= steps; n += 1) step(scene, n)
    if (scene.random.chance(0.5)) return
    scene.over()
    scene.edits()
    scene.works(8 * MINUTE)
  }
}

const TESTS: Call = { cpu: true, error: 'Exit code 1\n3 failed, 97 passed' }

export const LOOPS: Record<string, (scene: Scene) => void> = {
  'the same failing test, quickly': loop((scene) =>
    scene.bash('npm test', {
      ...TESTS,
      ms: 2 * SECOND,
      error: `Exit code 1\n3 failed in ${scene.random.between(1, 3).toFixed(2)}s`,
    }),
  ),
  'the same failing test, slowly': loop((scene) =>
    scene.bash('npm test', { ...TESTS, ms: scene.random.between(30, 100) * SECOND }),
  ),
  'the same call with the same result': loop((scene) => scene.bash('cat package.json', { result: '{"name":"x"}' })),
  'the same slow build that succeeds': loop((scene) =>
    scene.bash('npm run build', { ms: scene.random.between(20, 70) * SECOND, cpu: true, result: 'built in 12.1s' }),
  ),
  'one and the other in turns': loop((scene, n) =>
    n % 2 === 0 ? scene.reads('src/a.ts', 'a') : scene.bash('git diff', { result: '' }),
  ),
  'does it and undoes it': loop((scene, n) => {
    const [from, to] = n % 2 === 0 ? ['a', 'b'] : ['b', 'a']
    const input = { file_path: '/work/src/x.ts', old_string: from, new_string: to }
    scene.calls({ tool: 'Edit', input, result: { filePath: '/work/src/x.ts' } })
  }),
  'three in a round': loop((scene, n) => {
    if (n % 3 === 0) scene.reads('src/a.ts', 'a')
    else if (n % 3 === 1) scene.bash('npm test', { ...TESTS, ms: 3 * SECOND })
    else scene.calls({ tool: 'Grep', input: { pattern: 'b' }, result: { filenames: ['src/b.ts'] } })
  }),
  'six in a round': loop((scene, n) => {
    const look = ['git status', 'git log -3', 'ls', 'npm run lint', 'npm run types', 'cat package.json'][n % 6] ?? ''
    scene.bash(look, { ms: scene.random.between(1, 6) * SECOND, result: `${look}: as ever` })
  }),
  'the same search that finds nothing': loop((scene) => scene.bash('grep -rn "court" src', { error: 'Exit code 1' })),
  'asks an empty background task': loop((scene) =>
    scene.calls({
      tool: 'BashOutput',
      input: { bash_id: 'b1' },
      ms: 100,
      result: { stdout: '', stderr: '', status: 'running' },
    }),
  ),
  'repeats itself with a stray look between': loop((scene, n) =>
    n % 6 === 5
      ? scene.bash('git status', { result: 'clean' })
      : scene.bash('make', { ...TESTS, ms: 4 * SECOND, error: 'Exit code 2\nmake: *** No rule' }),
  ),
  'whatever it calls fails in the same way': loop((scene) =>
    scene.bash(`./${scene.random.word()}.sh`, { error: 'Exit code 126\nbash: cannot execute: Permission denied' }),
  ),
  'a subagent that repeats itself': loop((scene) =>
    scene.calls({ tool: 'Read', input: { file_path: '/work/a.ts' }, result: 'a', actor: 'a1' }),
  ),
  'its context is full again at once': loop((scene) => {
    scene.compacts(scene.random.between(10, 50) * SECOND)
    scene.thinks(20 * SECOND)
  }, 12),
  'compacts after every call': loop((scene) => {
    scene.compacts(30 * SECOND)
    scene.reads()
  }, 12),
  'a hook that never lets it end': loop((scene) => {
    scene.hook('Stop', {
      stop_hook_active: true,
      last_assistant_message: 'The review found nothing.',
      background_tasks: [],
    })
    scene.wait(2 * SECOND)
    scene.step()
    scene.hook('PreToolUse', {
      tool_name: 'Read',
      tool_input: { file_path: '/work/review.md' },
      tool_use_id: `t${scene.at}`,
    })
    scene.hook('PostToolUse', {
      tool_name: 'Read',
      tool_input: { file_path: '/work/review.md' },
      tool_use_id: `t${scene.at}`,
      tool_response: 'review',
    })
    scene.thinks()
  }),
  'a flood of one word': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.thinks(6 * MINUTE)
    scene.loops()
    scene.fails('max_output_tokens', `I look at the ${'court '.repeat(2000)}`, 'looping')
    scene.step()
    scene.wait(10 * MINUTE)
  },
  'money without progress': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    scene.loops()
    for (let n = 0; n < 20; n += 1) {
      scene.thinks(scene.random.between(60, 200) * SECOND)
      scene.spends(scene.random.between(1.2, 3))
      scene.step()
    }
  },
  'repeats itself after every poke': (scene) => {
    scene.hears = true
    loop(() => scene.bash('npm run lint', { ...TESTS, ms: 30 * SECOND }), 90)(scene)
  },
}
