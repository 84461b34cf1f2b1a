/** The live view on real tmux: byte for byte, whoever is slow, whatever else goes on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle, View } from '../../../src/core/ports.ts'
import { RecordingViewer } from '../../contract/recording-viewer.ts'
import { TmuxPlace } from './tmux-place.ts'

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }
const TWO: Handle = { agent: 'agent-pan-2', generation: 1, run: 'run-two' }

let place: TmuxPlace
let terminal: TmuxTerminal

beforeEach(async () => {
  place = new TmuxPlace()
  terminal = await place.open()
})

afterEach(() => place.remove())

const watch = async (handle: Handle): Promise<[RecordingViewer, View]> => {
  const viewer = new RecordingViewer()
  const view = await terminal.view(handle, viewer)
  if (view === undefined) throw new Error(`${handle.run} cannot be watched`)
  await viewer.until(() => viewer.screens > 0, 'a screen')
  return [viewer, view]
}

/** Prints the file at the first key, unchanged, and stays. */
const PRINTER = `stty raw -echo; printf ready; head -c 1 >"$2"; cat "$1"; printf done; exec sleep 600`

const startPrinter = async (handle: Handle, content: Buffer): Promise<void> => {
  const file = join(place.folder, `${handle.run}.txt`)
  writeFileSync(file, content)
  const argv = ['/bin/sh', '-c', PRINTER, 'printer', file, '/dev/null']
  expect(await terminal.start(handle, { argv, cwd: place.folder, env: {} })).toEqual({ result: 'done' })
  await vi.waitFor(async () => expect(await terminal.screen(handle)).toContain('ready'), 10_000)
}

const clients = () =>
  place.tmux('list-clients', '-F', '#{session_name} #{client_flags}').trim().split('\n').filter(Boolean)

/** Letters of one to four bytes, escapes, control characters, and bytes that are no letter at all. */
function flood(bytes: number): Buffer {
  const line = 'plain é 漢字 🦉 \\ \\033 % \u001b[1;31mred\u001b[0m \t|\u0007\r\n'
  const odd = Buffer.from([0xff, 0xfe, 0x80, 0x0a, 0x0d])
  const one = Buffer.concat([Buffer.from(line), odd])
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / one.length) }, () => one)).subarray(0, bytes)
}

/** Its last word may come in pieces. */
function hasEnd({ chunks }: RecordingViewer): boolean {
  return Buffer.concat(chunks.slice(-4)).toString().endsWith('done')
}

test.each([
  { what: 'a page', bytes: 5_000 },
  { what: '5 MB at once', bytes: 5 * 1024 * 1024 },
])('$what arrives byte for byte at each of two viewers', async ({ bytes }) => {
  const content = flood(bytes)
  await startPrinter(ONE, content)
  const [first, view] = await watch(ONE)
  const [second] = await watch(ONE)
  const begins = [first, second].map((viewer) => viewer.bytes.length)
  await view.keys(Buffer.from('x'))
  for (const [index, viewer] of [first, second].entries()) {
    await viewer.until(() => hasEnd(viewer), 'the end')
    const seen = viewer.bytes.subarray(begins[index]).subarray(0, -4)
    expect(seen.equals(content)).toBe(true)
    expect(viewer.screens).toBe(1)
  }
})

test('a slow viewer costs nobody anything and ends up with the same screen', async () => {
  await startPrinter(ONE, flood(2 * 1024 * 1024))
  const [quick, view] = await watch(ONE)
  const [slow, slowView] = await watch(ONE)
  const before = slow.bytes.length
  slow.isFull = true
  await view.keys(Buffer.from('x'))
  await quick.until(() => hasEnd(quick), 'the end')
  expect(slow.bytes.length - before).toBeLessThan(64 * 1024)
  slow.isFull = false
  slowView.ready()
  await slow.until(() => slow.screens === 2, 'a fresh screen')
  const [fresh] = await watch(ONE)
  expect(slow.text).toBe(fresh.text)
})

test('while nobody takes anything, tmux keeps nothing for us', async () => {
  await startPrinter(ONE, flood(4 * 1024 * 1024))
  const [viewer, view] = await watch(ONE)
  viewer.isFull = true
  await view.keys(Buffer.from('x'))
  await vi.waitFor(async () => expect(await terminal.screen(ONE)).toContain('done'), 20_000)
  expect(viewer.bytes.length).toBeLessThan(256 * 1024)
  viewer.isFull = false
  view.ready()
  await viewer.until(() => viewer.screens === 2, 'a fresh screen')
  expect(viewer.text).toContain('done')
})

test('a letter or an escape that is cut when somebody comes is whole to him', async () => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  const [first, view] = await watch(ONE)
  await first.shows('ready')
  for (const [bytes, length] of [
    [Buffer.from('🦉'), 2],
    [Buffer.from('\u001b[31mred\u001b[0m'), 3],
  ] as const) {
    const before = first.bytes.length
    await view.keys(bytes.subarray(0, length))
    await first.until(() => first.bytes.length === before + length, 'the first part')
    const [late, lateView] = await watch(ONE)
    await view.keys(bytes.subarray(length))
    await late.shows(bytes.toString())
    await lateView.close()
  }
})

/** Scrolled, coloured to the end of the line, wide letters, line drawing, a scroll region, a hidden cursor. */
const MIXED = [
  ...Array.from({ length: 80 }, (_, n) => `\u001b[3${n % 8}mline ${n}\u001b[0m \u001b[44mblue \u001b[K\u001b[0m\r\n`),
  '\u001b[48;2;10;20;30m\u001b[38;5;200mtrue\u001b[0m 漢字🦉é \u001b(0lqqk\u001b(B\r\n',
  '\u001b[7mreverse   \u001b[0m\r\n',
  `${'w'.repeat(230)}\r\n`,
].join('')
const ON_TOP = '\u001b[?1049h\u001b[2J\u001b[H\u001b[41mtop\u001b[K\u001b[0m\r\n\r\n\u001b[1mbold\u001b[0m'
const MODES = '\u001b[3;20r\u001b[?25l\u001b[?1h\u001b[5;7H'

test.each([
  { what: 'a plain screen', content: 'hello\r\nworld' },
  { what: 'scrollback and colours', content: MIXED },
  { what: 'another screen on top', content: MIXED + ON_TOP },
  { what: 'modes', content: `${MIXED}${MODES}` },
  { what: 'all of it', content: MIXED + ON_TOP + MODES },
])('what it is given draws $what as it is', async ({ content }) => {
  await startPrinter(ONE, Buffer.from(content))
  const [first, view] = await watch(ONE)
  await view.keys(Buffer.from('x'))
  await first.shows('done')
  const [viewer] = await watch(ONE)
  // A second pane of the same size is the terminal that draws it.
  const file = join(place.folder, 'drawn.txt')
  writeFileSync(file, viewer.bytes)
  const argv = ['/bin/sh', '-c', 'stty raw -echo; cat "$1"; : >"$2"; exec sleep 600', 'drawer', file, `${file}.done`]
  await terminal.start(TWO, { argv, cwd: place.folder, env: {} })
  await vi.waitFor(() => expect(look(TWO)).toEqual(look(ONE)), 10_000)
})

/** All that tmux knows of a pane's looks. */
function look({ agent, generation, run }: Handle) {
  const target = `=${agent}@${generation}@${run}:`
  const flags = 'cursor_x cursor_y cursor_flag alternate_on keypad_cursor_flag scroll_region_upper scroll_region_lower'
  return {
    flags: place.tmux('display-message', '-p', '-t', target, flags.replaceAll(/\w+/g, '#{$&}')),
    screen: place.tmux('capture-pane', '-p', '-e', '-t', target, '-S', '-', '-E', '-'),
    below: place.tmux('capture-pane', '-p', '-e', '-a', '-q', '-t', target),
  }
}

test('one client for all viewers, which has no size, and none when they are gone', async () => {
  await startPrinter(ONE, Buffer.from(''))
  const [, first] = await watch(ONE)
  const [, second] = await watch(ONE)
  const ours = () => clients().filter((line) => line.startsWith('agent-pan-1@'))
  expect(ours()).toEqual([expect.stringContaining('ignore-size')])
  expect(place.tmux('display-message', '-p', '-t', '=agent-pan-1@1@run-one:', '#{window_width}')).toBe('200\n')
  await first.close()
  expect(ours()).toHaveLength(1)
  await second.close()
  await vi.waitFor(() => expect(ours()).toEqual([]), 10_000)
})

test('a pane that a person splits off is not shown, whatever it prints', async () => {
  await startPrinter(ONE, Buffer.from('mine'))
  const [viewer, view] = await watch(ONE)
  place.tmux('split-window', '-d', '-t', '=agent-pan-1@1@run-one:', '--', 'sh', '-c', 'printf foreign; exec sleep 600')
  await viewer.until(() => (viewer.size?.rows ?? 50) < 50, 'a smaller pane')
  await view.keys(Buffer.from('x'))
  await viewer.shows('mine')
  expect(viewer.text).not.toContain('foreign')
})

test('a size that a crash left behind is given back to the window at the next look', async () => {
  await startPrinter(ONE, Buffer.from(''))
  const target = '=agent-pan-1@1@run-one:'
  place.tmux('set-option', '-w', '-t', target, '@cloister_size', '200x50')
  place.tmux('resize-window', '-t', target, '-x', '70', '-y', '20')
  const [viewer] = await watch(ONE)
  await viewer.until(() => viewer.size?.cols === 200, 'the size before')
  await vi.waitFor(() =>
    expect(place.tmux('show-options', '-w', '-t', target)).not.toMatch(/cloister_size|window-size/),
  )
})

test('the pane is closed or the server killed: all are told', async () => {
  await startPrinter(ONE, Buffer.from(''))
  await startPrinter(TWO, Buffer.from(''))
  const [one] = await watch(ONE)
  const [two] = await watch(TWO)
  place.tmux('kill-session', '-t', '=agent-pan-1@1@run-one')
  await one.until(() => one.why !== undefined, 'the end of one')
  process.kill(place.serverPid(), 'SIGKILL')
  await two.until(() => two.why !== undefined, 'the end of two')
  expect([one.why, two.why]).toEqual(['the terminal was closed', 'tmux says «server exited unexpectedly»'])
})

test('another program in the same pane is not the agent: nothing is typed to it and nothing shown', async () => {
  await startPrinter(ONE, Buffer.from(''))
  const [viewer, view] = await watch(ONE)
  place.tmux('respawn-pane', '-k', '-t', '=agent-pan-1@1@run-one:', '--', 'sh', '-c', 'exec sleep 600')
  expect(await view.keys(Buffer.from('rm -rf\r'))).toEqual({ result: 'fenced', detail: 'this run has no terminal' })
  await viewer.until(() => viewer.why !== undefined, 'the end')
})

test('a server that does not answer is no end of the agent, but an end of the view that says so', async () => {
  terminal = await place.open({ timeoutMs: 500 })
  await startPrinter(ONE, Buffer.from(''))
  const [viewer, view] = await watch(ONE)
  const server = place.serverPid()
  process.kill(server, 'SIGSTOP')
  try {
    expect(await view.keys(Buffer.from('x'))).toMatchObject({ result: 'fenced' })
    expect(viewer.why).toMatch(/^tmux did not answer within 500 ms/)
    await expect(terminal.view(ONE, new RecordingViewer())).rejects.toThrow(/did not answer/)
  } finally {
    process.kill(server, 'SIGCONT')
  }
})

test('keys of 64 KB and pastes of 64 KB arrive whole', async () => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  const [, view] = await watch(ONE)
  const keys = Buffer.from('k'.repeat(65_535) + '\r')
  const text = `p;'"\\ $HOME #{pid}\n`.repeat(3_600)
  expect([await view.keys(keys), await view.paste(text)]).toEqual([{ result: 'done' }, { result: 'done' }])
  const all = `${'k'.repeat(65_535)}\n${text}`
  await vi.waitFor(async () => expect((await place.received(ONE)) === all).toBe(true), 20_000)
})
