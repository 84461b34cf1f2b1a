/** What every terminal promises, tmux and the one in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Handle, Launch, Terminal } from '../../src/core/ports.ts'

/** A terminal server that outlives the terminals opened on it. */
export interface TerminalPlace {
  open: () => Promise<Terminal>
  /** A program that keeps running, prints what it gets and knows what it got. */
  launch: (handle: Handle) => Launch
  /** Resolves when the started program takes text. */
  ready: (handle: Handle) => Promise<void>
  /** All the text that it got so far. */
  received: (handle: Handle) => Promise<string>
  /** Ends the program from outside, as a crash would; gives the exit code that must be seen. */
  crash: (handle: Handle) => Promise<number | undefined>
  remove: () => Promise<void>
}

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }
const LOOK_ALIKE: Handle = { agent: 'agent-pan-18', generation: 1, run: 'run-eighteen' }

export function terminalSuite(name: string, makePlace: () => TerminalPlace): void {
  describe(`terminal: ${name}`, () => {
    let place: TerminalPlace
    let terminal: Terminal

    beforeEach(async () => {
      place = makePlace()
      terminal = await place.open()
    })

    afterEach(async () => {
      await terminal.close()
      await place.remove()
    })

    const start = async (handle: Handle) => {
      expect(await terminal.start(handle, place.launch(handle))).toEqual({ result: 'done' })
      await place.ready(handle)
    }
    /** Crashes it and waits until a look sees it. */
    const crash = async (handle: Handle) => {
      const exitCode = await place.crash(handle)
      await vi.waitFor(async () => {
        const pane = (await terminal.list()).find(({ run }) => run === handle.run)
        expect({ dead: pane?.dead, exitCode: pane?.exitCode }).toEqual({ dead: true, exitCode })
      }, 10_000)
    }
    const seen = async () =>
      (await terminal.list())
        .map(({ agent, generation, run, dead }) => ({ agent, generation, run, dead }))
        .toSorted((a, b) => a.run.localeCompare(b.run))

    test('is empty before anything was started', async () => {
      expect(await terminal.list()).toEqual([])
    })

    test('lists what was started, also to a terminal opened later', async () => {
      await start(ONE)
      await start(LOOK_ALIKE)
      const both = [
        { ...LOOK_ALIKE, dead: false },
        { ...ONE, dead: false },
      ]
      expect(await seen()).toEqual(both)
      await terminal.close()
      terminal = await place.open()
      expect(await seen()).toEqual(both)
    })

    test('never starts an agent that still lives', async () => {
      await start(ONE)
      const next = { ...ONE, generation: 2, run: 'run-two' }
      expect(await terminal.start(next, place.launch(next))).toMatchObject({ result: 'not_done' })
      expect(await seen()).toEqual([{ ...ONE, dead: false }])
    })

    test('starts one of several that come at once', async () => {
      const all = [1, 2, 3, 4].map((generation) => ({ ...ONE, generation, run: `run-${generation}` }))
      const outcomes = await Promise.all(all.map((handle) => terminal.start(handle, place.launch(handle))))
      expect(outcomes.map(({ result }) => result).toSorted()).toEqual(['done', 'not_done', 'not_done', 'not_done'])
      expect(await terminal.list()).toHaveLength(1)
    })

    test('keeps what has ended, with its exit code, until it is removed; a next generation can start', async () => {
      await start(ONE)
      await start(LOOK_ALIKE)
      await crash(ONE)
      const next = { ...ONE, generation: 2, run: 'run-two' }
      await start(next)
      const others = [
        { ...LOOK_ALIKE, dead: false },
        { ...next, dead: false },
      ]
      expect(await seen()).toEqual([others[0], { ...ONE, dead: true }, others[1]])
      await terminal.remove(ONE)
      await terminal.remove(ONE)
      expect(await seen()).toEqual(others)
    })

    test('does not remove what still runs', async () => {
      await start(ONE)
      await expect(terminal.remove(ONE)).rejects.toThrow(/agent-pan-1.*still runs/)
      expect(await seen()).toEqual([{ ...ONE, dead: false }])
    })

    test('types a text and then Enter, to this agent only', async () => {
      await start(ONE)
      await start(LOOK_ALIKE)
      expect(await terminal.type(ONE, 'go on, please')).toEqual({ result: 'done' })
      await vi.waitFor(async () => expect(await place.received(ONE)).toBe('go on, please\n'), 10_000)
      expect(await place.received(LOOK_ALIKE)).toBe('')
    })

    test('presses keys', async () => {
      await start(ONE)
      expect(await terminal.press(ONE, 'Escape')).toEqual({ result: 'done' })
      expect(await terminal.press(ONE, 'Enter')).toEqual({ result: 'done' })
    })

    test.each([
      { what: 'another run', handle: { ...ONE, run: 'run-none' } },
      { what: 'another generation', handle: { ...ONE, generation: 2 } },
      { what: 'another agent', handle: { ...ONE, agent: 'agent-pan-18' } },
      { what: 'a look-alike', handle: { agent: 'agent-pan', generation: 1, run: 'run' } },
    ])('does nothing for $what', async ({ handle }) => {
      await start(ONE)
      expect([await terminal.type(handle, 'hello'), await terminal.press(handle, 'Enter')]).toMatchObject([
        { result: 'fenced' },
        { result: 'fenced' },
      ])
      expect(await terminal.screen(handle)).toBeUndefined()
      await terminal.remove(handle)
      expect(await seen()).toEqual([{ ...ONE, dead: false }])
      expect(await place.received(ONE)).toBe('')
    })

    test('types nothing to what has ended', async () => {
      await start(ONE)
      await crash(ONE)
      expect([await terminal.type(ONE, 'hello'), await terminal.press(ONE, 'Enter')]).toEqual([
        { result: 'not_done', detail: 'its process has ended' },
        { result: 'not_done', detail: 'its process has ended' },
      ])
    })

    test('stamps what was printed and shows it', async () => {
      await start(ONE)
      const [before] = await terminal.list()
      await terminal.type(ONE, 'a word')
      await vi.waitFor(async () => {
        expect(await terminal.screen(ONE)).toContain('a word')
        const [after] = await terminal.list()
        expect(after?.stamp).not.toBe(before?.stamp)
      }, 10_000)
      expect((await terminal.list())[0]?.ageMs).toBeGreaterThanOrEqual(0)
    })

    test('gives the screen of what lives, and of nothing else', async () => {
      await start(ONE)
      await start(LOOK_ALIKE)
      await terminal.type(ONE, 'a word')
      await vi.waitFor(async () => expect(await terminal.screen(ONE)).toContain('a word'), 10_000)
      expect(await terminal.screen(LOOK_ALIKE)).not.toContain('a word')
      expect(await terminal.screen({ ...ONE, generation: 2 })).toBeUndefined()
      await crash(ONE)
      expect(await terminal.screen(ONE)).toBeUndefined()
    })

    test('tells its watchers of a death, until they have enough', async () => {
      await start(ONE)
      const died = Promise.withResolvers<void>()
      const ended = { first: 0, second: 0 }
      const stopFirst = terminal.watch(() => {
        ended.first += 1
      })
      const stop = terminal.watch(() => {
        ended.second += 1
        void terminal.list().then((panes) => panes.some(({ dead }) => dead) && died.resolve())
      })
      stopFirst()
      const before = ended.first
      await place.crash(ONE)
      await died.promise
      stop()
      expect(ended).toEqual({ first: before, second: expect.toSatisfy((count: number) => count > 0) })
    })

    test('says how a person sees it', () => {
      expect(terminal.attachCommand(ONE).length).toBeGreaterThan(0)
      expect(terminal.attachCommand(ONE)).not.toEqual(terminal.attachCommand(LOOK_ALIKE))
    })
  })
}
