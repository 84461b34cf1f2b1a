/** What sessions of other people showed: refused calls, turns that a person ended, errors that no hook tells, sleep. */
import { HOUR, MINUTE, SECOND } from '../../../src/core/durations.ts'
import type { Scene } from '../scene.ts'

const REFUSALS = [
  'InputValidationError: Write failed: the required parameter file_path is missing',
  'File has not been read yet. Read it first before writing to it.',
  'String to replace not found in file.',
]

/** The client refuses a call before it begins: only the report of the whole answer tells. */
function refused(scene: Scene, input: object, why: string): void {
  const response = `<tool_use_error>${why}</tool_use_error>`
  const call = { tool_name: 'Write', tool_input: input, tool_use_id: `r${scene.at}`, tool_response: response }
  scene.hook('PostToolBatch', { tool_calls: [call] })
  scene.step()
  scene.thinks(scene.random.between(5, 100) * SECOND)
}

/** A person ends the turn by a key, of which no hook tells; with the registry or without one. */
function escapes(scene: Scene, withRegistry: boolean): void {
  const tail = { promptWallAt: 0, interruptWallAt: scene.at }
  const status = { says: 'work', wallAt: scene.at - MINUTE } as const
  scene.see({ own: withRegistry ? { status, tail } : { tail }, ticking: false, busy: false })
  scene.truth('idle')
  scene.wait(scene.random.between(20, 200) * MINUTE)
  scene.see({ own: { tail: {} } })
  scene.told('go on')
  scene.works(5 * MINUTE)
}

/** It gave up, and says so to people only: older clients have no hook for it. */
function givesUp(scene: Scene, doing: Ended, truth: 'rate_limited' | 'auth_needed' | 'api_error'): void {
  scene.starts()
  scene.works(5 * MINUTE)
  scene.wait(SECOND)
  scene.see({ own: { tail: { promptWallAt: 0, failed: { wallAt: scene.at, doing } } }, ticking: false, busy: false })
  scene.truth(truth)
  scene.wait(scene.random.between(20, 300) * MINUTE)
  scene.see({ own: { tail: {} } })
  scene.told('go on')
  scene.works(5 * MINUTE)
}

type Ended = NonNullable<NonNullable<NonNullable<Parameters<Scene['see']>[0]['own']>['tail']>['failed']>['doing']

export const STRANGERS: Record<string, (scene: Scene) => void> = {
  'the same refused call again and again': (scene) => {
    scene.starts()
    scene.works(scene.random.between(3, 20) * MINUTE)
    const why = scene.random.pick(REFUSALS)
    refused(scene, {}, why)
    scene.loops()
    for (let n = 0; n < 12; n += 1) refused(scene, {}, why)
  },

  'refused calls that it corrects': (scene) => {
    scene.starts()
    for (let n = 0; n < scene.random.int(4, 9); n += 1) {
      for (let again = 0; again < scene.random.int(1, 3); again += 1) {
        refused(scene, { file_path: `/work/${n}.ts` }, scene.random.pick(REFUSALS))
      }
      scene.edits(`src/${n}.ts`)
    }
    scene.works(5 * MINUTE)
    scene.ends()
  },

  'a person ends the turn in a tool': (scene) => {
    scene.starts()
    scene.works(scene.random.between(3, 10) * MINUTE)
    scene.opens({ input: { command: 'npm test', timeout: 600_000 }, cpu: true })
    scene.wait(scene.random.between(5, 60) * SECOND)
    escapes(scene, scene.random.chance(0.5))
  },

  'a person ends the turn in a thought': (scene) => {
    scene.starts()
    scene.works(scene.random.between(3, 10) * MINUTE)
    scene.thinks(scene.random.between(5, 90) * SECOND)
    escapes(scene, scene.random.chance(0.5))
  },

  'a limit that only the transcript tells': (scene) => {
    const end = scene.random.chance(0.5) ? { untilWallAt: 20 * HOUR } : {}
    givesUp(scene, { kind: 'limited', ...end }, 'rate_limited')
  },

  'what may be spent is spent': (scene) => givesUp(scene, { kind: 'limited', spent: true }, 'rate_limited'),

  'nobody is signed in, and only the transcript tells': (scene) =>
    givesUp(scene, { kind: 'auth_needed', what: 'Not logged in' }, 'auth_needed'),

  'requests that are tried again and noted, and given up': (scene) => {
    scene.starts()
    scene.works(5 * MINUTE)
    for (let n = 1; n <= 10; n += 1) {
      scene.wait(SECOND)
      const waitMs = Math.min(5 * MINUTE, 2 ** n * SECOND)
      const refusal = { wallAt: scene.at, untilWallAt: scene.at + waitMs, status: 529 }
      scene.see({ own: { tail: { promptWallAt: 0, refused: refusal } }, busy: false })
      if (n === 1) scene.truth('api_error')
      scene.wait(waitMs)
    }
    const doing = { kind: 'api_error', what: 'API Error: 529', ended: true } as const
    scene.see({ own: { tail: { promptWallAt: 0, failed: { wallAt: scene.at, doing } } }, ticking: false })
    scene.wait(scene.random.between(20, 200) * MINUTE)
  },

  'laptops asleep with open turns, each in another way': (scene) => {
    scene.starts()
    scene.works(10 * MINUTE)
    const way = scene.random.int(0, 2)
    if (way === 0) scene.opens({ input: { command: 'npm test', timeout: 600_000 }, cpu: true })
    scene.wait(20 * SECOND)
    scene.house({ house: 'jump', ms: scene.random.between(1, 14) * HOUR })
    scene.wait(scene.random.between(10, 200) * SECOND)
    scene.over()
    scene.works(20 * MINUTE)
    if (way === 2) scene.house({ house: 'jump', ms: scene.random.between(0.2, 9) * HOUR })
    scene.works(10 * MINUTE)
    scene.ends()
  },

  'two on a laptop that sleeps': (scene) => {
    for (const n of [0, 1]) {
      if (n > 0) {
        scene.turnTo(0, 0)
        scene.another()
      }
      scene.starts()
      scene.works(15 * MINUTE)
      scene.turnTo(scene.agent, 20 * MINUTE)
      if (n === 0) scene.house({ house: 'jump', ms: 9 * HOUR })
      scene.wait(MINUTE)
      scene.works(20 * MINUTE)
    }
  },
}
