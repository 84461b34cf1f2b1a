/** What every witness and ender of process trees promises, the real one and the one in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Processes } from '../../src/core/ports.ts'

export interface TreeWish {
  run: string
  /** Another home on the same machine, with its own agents; ours when left out. */
  home?: 'ours' | 'other'
  /** Does not end when asked to. */
  stubborn?: boolean
}

/** A machine with two homes; `processes` is that of ours. */
export interface ProcessesPlace {
  processes: Processes
  /** Resolves when the tree, a leader with children, is up. */
  start: (tree: TreeWish) => Promise<void>
  /** Lets the run's children use the CPU for a moment. */
  work: (run: string) => Promise<void>
  /** The tree ends without our doing. */
  die: (run: string) => Promise<void>
  /** Asked past the port. */
  lives: (tree: Pick<TreeWish, 'run' | 'home'>) => boolean
  /** A person resumes from a stop while no daemon runs. */
  resumeAside: () => Promise<void>
  remove: () => Promise<void>
}

const pid = expect.any(Number) as number

export function processesSuite(name: string, makePlace: () => ProcessesPlace): void {
  describe(`processes: ${name}`, () => {
    let place: ProcessesPlace
    let processes: Processes

    beforeEach(() => {
      place = makePlace()
      processes = place.processes
    })

    afterEach(() => place.remove())

    test('a run that was never started is not alive, and ending it is no work', async () => {
      expect(await processes.lookAt('run-1')).toEqual({ alive: false })
      expect(await processes.end('run-1')).toEqual({ survivors: [] })
    })

    test('says alive, and from the second question on whether children worked since the one before', async () => {
      await place.start({ run: 'run-1' })
      expect(await processes.lookAt('run-1')).toEqual({ alive: true, pid })
      expect(await processes.lookAt('run-1')).toEqual({ alive: true, pid, busy: false })
      await place.work('run-1')
      expect(await processes.lookAt('run-1')).toEqual({ alive: true, pid, busy: true })
      expect(await processes.lookAt('run-1')).toEqual({ alive: true, pid, busy: false })
    })

    test('a tree that ended by itself is not alive at the next question', async () => {
      await place.start({ run: 'run-1' })
      expect(await processes.lookAt('run-1')).toEqual({ alive: true, pid })
      await place.die('run-1')
      expect(await processes.lookAt('run-1')).toEqual({ alive: false })
    })

    test.each([false, true])('ends a tree, stubborn: %s, and may be asked twice', async (stubborn) => {
      await place.start({ run: 'run-1', stubborn })
      expect(await processes.end('run-1')).toEqual({ survivors: [] })
      expect(place.lives({ run: 'run-1' })).toBe(false)
      expect(await processes.lookAt('run-1')).toEqual({ alive: false })
      expect(await processes.end('run-1')).toEqual({ survivors: [] })
    })

    test('ends only the run that was named', async () => {
      const others: TreeWish[] = [{ run: 'run-18' }, { run: 'run-1', home: 'other' }]
      for (const tree of [{ run: 'run-1' }, ...others]) await place.start(tree)
      expect(await processes.end('run-1')).toEqual({ survivors: [] })
      expect([{ run: 'run-1' }, ...others].map(place.lives)).toEqual([false, true, true])
      expect(await processes.lookAt('run-18')).toEqual({ alive: true, pid })
    })

    test('several ends and looks at once do not disturb each other', async () => {
      for (const run of ['run-1', 'run-2', 'run-3']) await place.start({ run, stubborn: run === 'run-2' })
      const ends = Promise.all([processes.end('run-1'), processes.end('run-2')])
      expect(await processes.lookAt('run-3')).toEqual({ alive: true, pid })
      expect(await ends).toEqual([{ survivors: [] }, { survivors: [] }])
      expect(['run-1', 'run-2', 'run-3'].map((run) => place.lives({ run }))).toEqual([false, false, true])
    })

    test('stops the fleet: all runs of this home, stubborn ones too, and nobody else', async () => {
      const ours: TreeWish[] = [{ run: 'run-1' }, { run: 'run-18', stubborn: true }, { run: 'run-2' }]
      const other: TreeWish = { run: 'run-1', home: 'other' }
      for (const tree of [...ours, other]) await place.start(tree)
      const { runs, survivors } = await processes.stopFleet()
      expect({ runs: runs.toSorted(), survivors }).toEqual({ runs: ['run-1', 'run-18', 'run-2'], survivors: [] })
      expect([...ours, other].map(place.lives)).toEqual([false, false, false, true])
    })

    test('the stop is latched until it is re-armed; each may be repeated', async () => {
      expect(await processes.sentinel()).toBe(false)
      for (const _ of [1, 2]) {
        expect(await processes.stopFleet()).toMatchObject({ runs: [], survivors: [] })
        expect(await processes.sentinel()).toBe(true)
      }
      for (const _ of [1, 2]) {
        await processes.rearm()
        expect(await processes.sentinel()).toBe(false)
      }
      await processes.stopFleet()
      expect(await processes.sentinel()).toBe(true)
    })

    test('a stop that ended while no daemon ran is known until it is forgotten, or until the next stop', async () => {
      const state = async () => ({ latched: await processes.sentinel(), unrecorded: await processes.unrecordedStop() })
      await processes.stopFleet()
      expect(await state()).toEqual({ latched: true, unrecorded: false })
      await place.resumeAside()
      expect(await state()).toEqual({ latched: false, unrecorded: true })
      await processes.stopFleet()
      expect(await state()).toEqual({ latched: true, unrecorded: false })
      await place.resumeAside()
      for (const _ of [1, 2]) await processes.forgetStop()
      expect(await state()).toEqual({ latched: false, unrecorded: false })
    })

    test('what is started after the stop is found by the next stop', async () => {
      await processes.stopFleet()
      await place.start({ run: 'run-7' })
      expect(await processes.stopFleet()).toMatchObject({ runs: ['run-7'], survivors: [] })
      expect(place.lives({ run: 'run-7' })).toBe(false)
    })
  })
}
