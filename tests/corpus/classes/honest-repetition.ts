/** What looks like a loop and is none. */
import { MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

function session(middle: (scene: Scene) => void): (scene: Scene) => void {
  return (scene) => {
    scene.starts()
    scene.works(scene.random.between(2, 8) * MINUTE)
    middle(scene)
    scene.works(scene.random.between(3, 10) * MINUTE)
  }
}

export const HONEST_REPETITION: Record<string, (scene: Scene) => void> = {
  'tests run again with other results': session((scene) => {
    let failed = scene.random.int(20, 60)
    for (let n = 0; n < scene.random.int(8, 16); n += 1) {
      failed -= scene.random.int(1, 2)
      const error = `Exit code 1\n${failed} failed, ${400 - failed} passed in ${scene.random.between(9, 60).toFixed(2)}s`
      scene.bash('npm test', { ms: scene.random.between(8, 60) * SECOND, cpu: true, error })
    }
  }),

  'the same failure after each of many edits': session((scene) => {
    for (let n = 0; n < scene.random.int(8, 16); n += 1) {
      scene.edits('src/stubborn.ts')
      scene.bash('npm test', {
        ms: scene.random.between(5, 50) * SECOND,
        cpu: true,
        error: 'Exit code 1\n1 failed: stubborn',
      })
    }
  }),

  'reads many files again after its context was compacted': session((scene) => {
    const files = Array.from({ length: scene.random.int(15, 25) }, () => `src/${scene.random.word()}.ts`)
    for (const file of files) scene.reads(file, file)
    scene.compacts(scene.random.between(10, 50) * SECOND)
    for (const file of files) scene.reads(file, file)
    scene.edits(files[0])
  }),

  'waits for CI, asking every so often': session((scene) => {
    const pause = scene.random.int(30, 90)
    const untilAt = scene.at + scene.random.between(5, 24) * MINUTE
    while (scene.at < untilAt) {
      scene.bash(`sleep ${pause} && gh pr checks`, { ms: pause * SECOND, result: 'build  pending  0  https://ci/1' })
    }
    scene.bash(`sleep ${pause} && gh pr checks`, { ms: pause * SECOND, result: 'build  pass  4m' })
  }),

  'sleeps and asks in turns': session((scene) => {
    const pause = scene.random.int(30, 60)
    for (let n = 0; n < scene.random.int(6, 14); n += 1) {
      scene.bash(`sleep ${pause}`, { ms: pause * SECOND, result: '' })
      scene.bash('kubectl get pods', { result: 'web-1  ContainerCreating' })
    }
    scene.bash('kubectl get pods', { result: 'web-1  Running' })
  }),

  'waits for a server to come up': session((scene) => {
    for (let n = 0; n < scene.random.int(5, 11); n += 1) {
      scene.bash('sleep 3; curl -fsS localhost:3000', { ms: 3200, error: 'Exit code 7\ncurl: (7) Failed to connect' })
    }
    scene.bash('sleep 3; curl -fsS localhost:3000', { ms: 3200, result: 'hello' })
  }),

  'a watcher in the background says something new each time': session((scene) => {
    for (let n = 0; n < scene.random.int(10, 25); n += 1) {
      const result = { stdout: `change ${n} seen, ${scene.random.int(0, 9)} of ${n + 10} tests fail`, stderr: '' }
      scene.calls({ tool: 'BashOutput', input: { bash_id: 'b1' }, result })
    }
  }),

  'polls progress in percent': session((scene) => {
    for (let share = 1; share < 100; share += scene.random.int(2, 9)) {
      scene.bash('./status', { result: { stdout: `${share} % done`, stderr: '' } })
    }
  }),

  'makes sure that a name is gone everywhere': session((scene) => {
    for (let n = 0; n < scene.random.int(6, 9); n += 1) {
      scene.calls({
        tool: 'Grep',
        input: { pattern: `old${scene.random.word()}` },
        result: { filenames: [], numFiles: 0 },
      })
    }
  }),

  'archaeology with one command': session((scene) => {
    for (let n = 0; n < scene.random.int(12, 30); n += 1) {
      const id = scene.random.int(1_000_000, 9_999_999).toString(16)
      scene.bash(`git show ${id}`, {
        result: { stdout: `${scene.random.word()} ${scene.random.word()} ${n}`, stderr: '' },
      })
    }
  }),

  'searches widely and finds': session((scene) => {
    for (let n = 0; n < scene.random.int(14, 30); n += 1) {
      const found = scene.random.chance(0.3) ? '' : `src/${scene.random.word()}.ts:${n}`
      scene.bash(
        `grep -rn ${scene.random.word()} src`,
        found === '' ? { error: 'Exit code 1' } : { result: { stdout: found } },
      )
    }
  }),

  'many different searches that find nothing': session((scene) => {
    for (let n = 0; n < scene.random.int(12, 30); n += 1) {
      if (scene.random.chance(0.5)) {
        scene.bash(`grep -rn ${scene.random.word()}${n} src`, { error: 'Exit code 1' })
      } else {
        const input = { pattern: `${scene.random.word()}${n}` }
        scene.calls({ tool: 'Grep', input, result: { filenames: [], numFiles: 0 } })
      }
    }
  }),

  'waits long for something slow': session((scene) => {
    const pause = scene.random.int(60, 240)
    const untilAt = scene.at + scene.random.between(30, 100) * MINUTE
    while (scene.at < untilAt) {
      scene.bash(`sleep ${pause}; gh run view 1`, { ms: pause * SECOND, result: 'in_progress' })
    }
    scene.bash('gh run view 1', { result: 'completed' })
  }),

  'many small commands that print nothing': session((scene) => {
    for (let n = 0; n < scene.random.int(12, 25); n += 1) {
      const verb = scene.random.pick(['git add', 'mkdir -p', 'touch', 'rm -f'])
      scene.bash(`${verb} src/${scene.random.word()}-${n}`, { result: { stdout: '', stderr: '' } })
    }
  }),

  'reads a large file piece by piece': session((scene) => {
    for (let n = 0; n < scene.random.int(10, 25); n += 1) {
      const input = { file_path: '/work/big.log', offset: n * 2000, limit: 2000 }
      scene.calls({ tool: 'Read', input, result: `lines ${n}` })
    }
  }),

  'runs a test some times to see whether it is flaky': session((scene) => {
    for (let n = 0; n < scene.random.int(4, 6); n += 1) {
      const stdout = `42 passed in ${scene.random.between(3, 9).toFixed(2)}s`
      scene.bash('npm test -- flaky', { ms: 5 * SECOND, cpu: true, result: { stdout, stderr: '' } })
    }
  }),

  'tries a failing download a few times': session((scene) => {
    for (let n = 0; n < scene.random.int(2, 4); n += 1) {
      scene.bash('npm install', {
        ms: scene.random.between(10, 70) * SECOND,
        error: 'Exit code 1\nnpm error code ETIMEDOUT',
      })
    }
    scene.bash('npm install', { ms: 20 * SECOND, cpu: true, result: 'added 812 packages' })
  }),

  'looks at its own state between its steps': session((scene) => {
    for (let n = 0; n < scene.random.int(8, 16); n += 1) {
      scene.bash('git status --short', { result: ' M src/a.ts' })
      scene.edits('src/a.ts')
    }
  }),

  'goes back and forth between two files': session((scene) => {
    for (let n = 0; n < scene.random.int(3, 4); n += 1) {
      scene.reads('src/left.ts', 'left')
      scene.reads('src/right.ts', 'right')
    }
  }),
}
