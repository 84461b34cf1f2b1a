/** Recordings as people ask for them: one at a time, in the home's folder for them. */
import { join } from 'node:path'
import type { ApiDeps } from '../api/deps.ts'
import type { Clock } from '../core/ports.ts'
import type { Loop } from './loop.ts'
import type { Recorder } from './recorder.ts'
import { wrongDeps } from './wrong-verdicts.ts'

interface Given {
  loop: Pick<Loop, 'recorder' | 'lately' | 'world'>
  home: string
  clock: Clock
}

export function recordingDeps({ loop, home, clock }: Given): Pick<ApiDeps, 'recording' | 'wrong'> {
  const { recorder, lately, world } = loop
  return { recording: oneAtATime(recorder, home, clock), wrong: wrongDeps({ world, lately, home, clock }) }
}

function oneAtATime(recorder: Recorder, home: string, clock: Clock): ApiDeps['recording'] {
  return {
    view: () => recorder.view(),
    start: (seconds) => {
      const forMs = seconds === undefined ? undefined : seconds * 1000
      try {
        if (recorder.start({ folder: join(home, 'recordings'), ...clock.now(), forMs })) return recorder.view()
      } catch (error) {
        const hint = 'Make room on the disk, or mend the folder `recordings` of the home.'
        return { code: 'failed', sentence: `The recording could not begin: ${(error as Error).message}`, hint }
      }
      const hint = 'End it first with `pan record stop`.'
      return { code: 'conflict', sentence: `A recording runs already, in ${recorder.view().last?.file}`, hint }
    },
    stop: () => {
      if (!recorder.view().recording) {
        const hint = 'Begin one with `pan record start`.'
        return { code: 'conflict', sentence: 'No recording runs', hint }
      }
      recorder.stop('it was stopped')
      return recorder.view()
    },
  }
}
