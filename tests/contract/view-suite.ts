/** What every live view of a terminal promises, on tmux and in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Handle, Terminal, View } from '../../src/core/ports.ts'
import { RecordingViewer } from './recording-viewer.ts'
import type { TerminalPlace } from './terminal-suite.ts'

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }
const LOOK_ALIKE: Handle = { agent: 'agent-pan-18', generation: 1, run: 'run-eighteen' }

export function viewSuite(name: string, makePlace: () => TerminalPlace): void {
  describe(`live view: ${name}`, () => {
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
    const watch = async (handle: Handle, viewer = new RecordingViewer()): Promise<[RecordingViewer, View]> => {
      const view = await terminal.view(handle, viewer)
      if (view === undefined) throw new Error(`${handle.run} cannot be watched`)
      await viewer.until(() => viewer.screens > 0, 'a screen')
      return [viewer, view]
    }

    test('shows what was printed before, then what comes', async () => {
      await start(ONE)
      await terminal.type(ONE, 'early words')
      await vi.waitFor(async () => expect(await terminal.screen(ONE)).toContain('early words'), 10_000)
      const [viewer] = await watch(ONE)
      await viewer.shows('early words')
      await terminal.type(ONE, 'later wörds 🦉')
      await viewer.shows('later wörds 🦉')
      expect(viewer).toMatchObject({ screens: 1, size: { cols: 200, rows: 50 }, why: undefined })
    })

    test('shows it to several, each as long as it wants', async () => {
      await start(ONE)
      const [first, firstView] = await watch(ONE)
      const [second] = await watch(ONE)
      await terminal.type(ONE, 'for both')
      await Promise.all([first.shows('for both'), second.shows('for both')])
      await firstView.close()
      const before = first.text
      await terminal.type(ONE, 'for one')
      await second.shows('for one')
      expect([first.text, first.why]).toEqual([before, undefined])
    })

    test('who takes no more gets nothing until he is ready, and then begins anew', async () => {
      await start(ONE)
      const [slow, slowView] = await watch(ONE)
      const [quick] = await watch(ONE)
      slow.isFull = true
      await terminal.type(ONE, 'one too many')
      await slow.shows('one too many')
      const chunks = slow.chunks.length
      await terminal.type(ONE, 'and another')
      await quick.shows('and another')
      expect(slow.chunks).toHaveLength(chunks)
      slow.isFull = false
      slowView.ready()
      await slow.until(() => slow.screens === 2, 'a second screen')
      await slow.shows('and another')
      await terminal.type(ONE, 'goes on')
      await Promise.all([slow.shows('goes on'), quick.shows('goes on')])
      expect([slow.screens, quick.screens]).toEqual([2, 1])
    })

    test('goes on after nobody took anything', async () => {
      await start(ONE)
      const [viewer, view] = await watch(ONE)
      viewer.isFull = true
      await terminal.type(ONE, 'the last for now')
      await viewer.shows('the last for now')
      await terminal.type(ONE, 'missed')
      viewer.isFull = false
      view.ready()
      await viewer.until(() => viewer.screens === 2, 'a second screen')
      await viewer.shows('missed')
      await terminal.type(ONE, 'goes on')
      await viewer.shows('goes on')
    })

    test('takes keys and pastes for this agent only', async () => {
      await start(ONE)
      await start(LOOK_ALIKE)
      const [viewer, view] = await watch(ONE)
      expect(await view.keys(Buffer.from('ls -la; é $(x) #{pid}\r'))).toEqual({ result: 'done' })
      expect(await view.paste(`it's "pasted" \\ 🦉`)).toEqual({ result: 'done' })
      expect(await view.keys(Buffer.from('\r'))).toEqual({ result: 'done' })
      const all = `ls -la; é $(x) #{pid}\nit's "pasted" \\ 🦉\n`
      await vi.waitFor(async () => expect(await place.received(ONE)).toBe(all), 10_000)
      await viewer.shows('🦉')
      expect(await place.received(LOOK_ALIKE)).toBe('')
    })

    test('looking changes no size; a size is told to all and given back', async () => {
      await start(ONE)
      const [viewer, view] = await watch(ONE)
      const [other] = await watch(ONE)
      expect(viewer.size).toEqual({ cols: 200, rows: 50 })
      expect(await view.resize({ cols: 90, rows: 30 })).toEqual({ result: 'done' })
      await Promise.all([viewer, other].map((each) => each.until(() => each.size?.cols === 90, 'the new size')))
      expect(other.size).toEqual({ cols: 90, rows: 30 })
      await view.close()
      await other.until(() => other.size?.cols === 200, 'the old size')
      expect(other.size).toEqual({ cols: 200, rows: 50 })
    })

    test.each([
      { what: 'another run', handle: { ...ONE, run: 'run-none' } },
      { what: 'another generation', handle: { ...ONE, generation: 2 } },
      { what: 'another agent', handle: { ...ONE, agent: 'agent-pan-18' } },
    ])('there is nothing to see of $what', async ({ handle }) => {
      await start(ONE)
      expect(await terminal.view(handle, new RecordingViewer())).toBeUndefined()
    })

    test('tells when the program ends, types nothing more, and shows the last screen to who comes later', async () => {
      await start(ONE)
      await terminal.type(ONE, 'famous last words')
      const [viewer, view] = await watch(ONE)
      await viewer.shows('famous last words')
      await place.crash(ONE)
      await viewer.until(() => viewer.why !== undefined, 'the end')
      expect(await view.keys(Buffer.from('hello\r'))).not.toEqual({ result: 'done' })
      await view.close()
      const [late] = await watch(ONE)
      await late.until(() => late.why !== undefined, 'the end')
      expect([viewer.why, viewer.late, late.late]).toEqual([expect.stringMatching(/^its program has ended/), 0, 0])
      expect(late.text).toContain('famous last words')
    })

    test('ends all views when it is closed', async () => {
      await start(ONE)
      const [viewer] = await watch(ONE)
      await terminal.close()
      expect(viewer.why).toBe('the daemon stopped showing it')
      terminal = await place.open()
    })
  })
}
