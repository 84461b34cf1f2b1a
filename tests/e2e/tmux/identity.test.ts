/** Whom a deed reaches, whatever else lives on the socket or lived there before. */
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle } from '../../../src/core/ports.ts'
import { TmuxPlace } from './tmux-place.ts'

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }
const OTHER: Handle = { agent: 'agent-pan-18', generation: 1, run: 'run-eighteen' }

let place: TmuxPlace
let neighbour: TmuxPlace
let terminal: TmuxTerminal

beforeEach(async () => {
  place = new TmuxPlace()
  neighbour = new TmuxPlace()
  terminal = await place.open()
})

afterEach(async () => {
  await place.remove()
  await neighbour.remove()
})

const start = async (handle: Handle, on = { place, terminal }) => {
  expect(await on.terminal.start(handle, on.place.launch(handle))).toEqual({ result: 'done' })
  await on.place.ready(handle)
}
const paneIds = (of = place) => of.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_id}').trim().split('\n')

test('a server that came later and repeats the ids gets nothing', async () => {
  await start(ONE)
  const before = paneIds()
  const pid = place.serverPid()
  place.tmux('kill-server')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 10_000)

  const later = await place.open()
  await start(OTHER, { place, terminal: later })
  expect(paneIds().map((line) => line.split(' ')[1])).toEqual(before.map((line) => line.split(' ')[1]))

  expect([await terminal.type(ONE, 'hello'), await terminal.press(ONE, 'Enter')]).toMatchObject([
    { result: 'fenced' },
    { result: 'fenced' },
  ])
  expect(await terminal.screen(ONE)).toBeUndefined()
  await terminal.remove(ONE)
  expect(await place.received(OTHER)).toBe('')
  expect(await terminal.list()).toMatchObject([{ ...OTHER, dead: false }])
})

test('a pane whose run was changed by hand is left alone', async () => {
  await start(ONE)
  await terminal.list()
  place.tmux('set-option', '-p', '-t', `=${terminal.attachCommand(ONE).at(-1)?.slice(1)}:`, '@cloister_run', 'run-two')
  expect(await terminal.type(ONE, 'hello')).toMatchObject({ result: 'fenced' })
  expect(await place.received(ONE)).toBe('')
})

test('sessions made by hand on the same socket and on another are neither listed nor touched', async () => {
  await start(ONE)
  const neighbours = await neighbour.open()
  await start(ONE, { place: neighbour, terminal: neighbours })
  place.tmux('new-session', '-d', '-s', 'agent-pan-1', '--', 'cat', '-')
  place.tmux('new-session', '-d', '-s', 'agent-pan-1@1', '--', 'cat', '-')
  const canaries = () =>
    place.tmux(
      'list-panes',
      '-a',
      '-f',
      '#{m:agent-pan-1*,#{session_name}}',
      '-F',
      '#{session_name} #{pane_pid} #{pane_dead}',
    )
  const before = canaries()

  await terminal.type(ONE, 'hello')
  await place.crash(ONE)
  await vi.waitFor(async () => expect(await terminal.list()).toMatchObject([{ ...ONE, dead: true }]), 10_000)
  await terminal.remove(ONE)

  expect(canaries()).toBe(
    before
      .split('\n')
      .filter((line) => !line.includes(ONE.run))
      .join('\n'),
  )
  expect(await terminal.list()).toEqual([])
  expect(await neighbours.list()).toMatchObject([{ ...ONE, dead: false }])
  expect(await neighbour.received(ONE)).toBe('')
})

test('a pane that a person splits off is not the agent', async () => {
  await start(ONE)
  const target = `${terminal.attachCommand(ONE).at(-1)}:`
  place.tmux('split-window', '-t', target, '--', 'cat', '-')
  expect(await terminal.list()).toMatchObject([ONE])
  expect(await terminal.type(ONE, 'hello')).toEqual({ result: 'done' })
  await vi.waitFor(async () => expect(await place.received(ONE)).toBe('hello\n'), 10_000)

  await place.crash(ONE)
  await vi.waitFor(async () => expect(await terminal.list()).toMatchObject([{ ...ONE, dead: true }]), 10_000)
  await start({ ...ONE, generation: 2, run: 'run-two' })
  await terminal.remove(ONE)
  expect(place.tmux('list-panes', '-t', target, '-F', '#{pane_start_command}')).toBe('cat -\n')
})

test('a person who scrolls back does not keep a text from being submitted', async () => {
  await start(ONE)
  place.tmux('copy-mode', '-t', `${terminal.attachCommand(ONE).at(-1)}:`)
  expect(await terminal.type(ONE, 'hello')).toEqual({ result: 'done' })
  await vi.waitFor(async () => expect(await place.received(ONE)).toBe('hello\n'), 10_000)
})

test('a pane whose input a person switched off is not typed to', async () => {
  await start(ONE)
  place.tmux('select-pane', '-d', '-t', `${terminal.attachCommand(ONE).at(-1)}:`)
  expect(await terminal.type(ONE, 'hello')).toEqual({
    result: 'not_done',
    detail: 'the input of its terminal is switched off',
  })
})

test('the attach command finds exactly this session, whatever TMUX_TMPDIR a person has', async () => {
  await start(ONE)
  await start(OTHER)
  const socket = place.tmux('display-message', '-p', '#{socket_path}').trim()
  const [program = '', ...words] = terminal.attachCommand(ONE)
  const target = words.at(-1) ?? ''
  expect([program, ...words]).toEqual(['tmux', '-S', socket, 'attach-session', '-t', target])
  // Listing in the place of attaching, which wants a terminal.
  const listed = execFileSync(program, ['-S', socket, 'list-panes', '-t', target, '-F', '#{@cloister_run}'], {
    env: { PATH: process.env['PATH'] ?? '', TMUX_TMPDIR: '/elsewhere' },
    encoding: 'utf8',
  })
  expect(listed).toBe('run-one\n')
  const away = await place.open({ environment: { TMUX_TMPDIR: join(place.folder, 'not-there') } })
  expect(away.attachCommand(ONE)[2]).toBe(join(realpathSync('/tmp'), `tmux-${process.getuid?.()}`, place.socket))
})

test('the whole tree carries its tags, and nothing of our own environment', async () => {
  process.env['CANARY_OF_THE_TEST'] = 'secret'
  terminal = await place.open({ environment: { ALLOWED: 'yes; #{pid} $HOME' } })
  await start(ONE)
  delete process.env['CANARY_OF_THE_TEST']
  const environ = Object.fromEntries(
    readFileSync(`/proc/${place.pidOf(ONE)}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(environ).toMatchObject({
    CLOISTER_RUN: `${place.homeId}.run-one`,
    PANOPTICON_AGENT_ID: 'agent-pan-1',
    CLOISTER_GENERATION: '1',
    ALLOWED: 'yes; #{pid} $HOME',
    HOME: place.folder,
  })
  const usual = /^(CLOISTER_.*|PANOPTICON_AGENT_ID|ALLOWED|HOME|PATH|PWD|OLDPWD|TERM.*|SHELL|USER|LANG|LC_.*|TMUX.*|_)$/
  expect(Object.keys(environ).filter((name) => !usual.test(name))).toEqual([])
})

test.each(['', '../x', 'A', 'a b', 'x;y', '-x'])('no socket is named after «%s»', (homeId) => {
  expect(() => new TmuxTerminal({ homeId })).toThrow('not a home id')
})

test('a server that somebody else started on the socket is not used', async () => {
  const env = { ...process.env, ...place.environment }
  execFileSync('tmux', ['-L', place.socket, '-f', '/dev/null', 'new-session', '-d', '--', 'sleep', '60'], { env })
  expect(await terminal.list()).toEqual([])
  await expect(terminal.start(ONE, place.launch(ONE))).rejects.toThrow(/was not started by Cloister.*kill-server/)
  expect(await terminal.list()).toEqual([])
})
