/** A real pane through the whole daemon side to a WebSocket: 5 MB at once, a reader that is quick and one that sleeps. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import { serve, type Serving } from '../../../src/daemon/serve.ts'
import { homeToken } from '../../../src/daemon/token.ts'
import { playedHouse } from '../../api/served-house.ts'
import { enter, type TerminalClient } from '../../api/terminal-client.ts'
import { TmuxPlace } from './tmux-place.ts'

const AGENT = 'agent-1'
const BYTES = 5 * 1024 * 1024
const PRINTER = 'stty raw -echo; printf ready; head -c 1 >/dev/null; cat "$1"; printf "the very end"; exec sleep 600'

let place: TmuxPlace
let terminal: TmuxTerminal
let serving: Serving | undefined
const clients: TerminalClient[] = []

beforeEach(async () => {
  place = new TmuxPlace()
  terminal = await place.open()
})

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await serving?.close()
  await place.remove()
})

test('a flood arrives whole or begins anew, and a sleeping reader is bounded', async () => {
  const { home, house, options } = await playedHouse(`spawn ${AGENT}`)
  const line = 'é 漢字 🦉 0123456789 abcdefghijklmnopqrstuvwxyz\r\n'
  const content = Buffer.from(line.repeat(Math.ceil(BYTES / Buffer.byteLength(line))))
  writeFileSync(join(place.folder, 'flood.txt'), content)
  const run = house.loop.world.agents.get(AGENT)?.run ?? ''
  const handle = { agent: AGENT, generation: 1, run }
  const argv = ['/bin/sh', '-c', PRINTER, 'printer', join(place.folder, 'flood.txt')]
  expect(await terminal.start(handle, { argv, cwd: place.folder, env: {} })).toEqual({ result: 'done' })
  await vi.waitFor(async () => expect(await terminal.screen(handle)).toContain('ready'), 10_000)
  serving = await serve({ ...options, terminal, dashboard: { host: '127.0.0.1', port: 0, folder: home } })
  const knocking = { url: serving.url ?? '', token: homeToken(home), agent: AGENT }
  clients.push(await enter(knocking), await enter(knocking))
  const [quick, asleep] = clients as [TerminalClient, TerminalClient]
  await Promise.all(clients.map((client) => client.shows('ready')))
  const before = quick.bytes.length
  asleep.socket.pause()
  quick.say({ type: 'take-over' })
  quick.say({ type: 'keys', data: 'x' })
  await quick.shows('the very end')
  if (quick.screens === 1) {
    expect(quick.bytes.subarray(before).equals(Buffer.concat([content, Buffer.from('the very end')]))).toBe(true)
  } else expect(quick.bytes.toString()).toContain(line)
  asleep.socket.resume()
  await asleep.shows('the very end')
  expect(asleep.messages.filter(({ type }) => type === 'gone')).toEqual([])
})
