/** The live terminal by WebSocket: who comes in, who types, how many, and how slow they may be. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { MINUTE } from '../../src/core/durations.ts'
import { homeId } from '../../src/daemon/home-id.ts'
import { Keyboards } from '../../src/daemon/keyboards.ts'
import { runTokens } from '../../src/daemon/run-token.ts'
import { serve, type Serving } from '../../src/daemon/serve.ts'
import { homeToken } from '../../src/daemon/token.ts'
import { playedHouse, type ServedHouse } from './served-house.ts'
import { enter, knock, type Knocking, type TerminalClient } from './terminal-client.ts'

const AGENT = 'agent-1'

const opened: Serving[] = []
const clients: TerminalClient[] = []

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await Promise.all(opened.splice(0).map((serving) => serving.close()))
})

interface Place extends ServedHouse {
  url: string
  token: string
  keyboards: Keyboards
  serving: Serving
  enter: (knocking?: Partial<Knocking>) => Promise<TerminalClient>
}

async function place(...lines: string[]): Promise<Place> {
  const played = await playedHouse(`spawn ${AGENT}`, ...lines)
  const keyboards = new Keyboards()
  const dashboard = { host: '127.0.0.1', port: 0, folder: played.home }
  const serving = await serve({ ...played.options, keyboards, dashboard })
  opened.push(serving)
  const { url = '' } = serving
  const token = homeToken(played.home)
  return {
    ...{ ...played, url, token, keyboards, serving },
    enter: async (knocking = {}) => {
      const client = await enter({ url, token, agent: AGENT, ...knocking })
      clients.push(client)
      return client
    },
  }
}

const agentIn = ({ house }: Place) => house.fleet.agent(AGENT)

test.each([
  { who: 'the owner', give: {}, status: undefined },
  { who: 'nobody', give: { token: undefined }, status: 401 },
  { who: 'a wrong token', give: { token: 'x'.repeat(43) }, status: 401 },
  { who: 'no Origin', give: { origin: undefined }, status: 403 },
  { who: 'Origin null', give: { origin: 'null' }, status: 403 },
  { who: 'an evil Origin', give: { origin: 'http://evil.example' }, status: 403 },
  { who: 'another Host', give: { headers: { host: 'evil.example' } }, status: 403 },
])('$who', async ({ give, status }) => {
  const { url, token } = await place()
  const met = await knock({ url, agent: AGENT, token, ...give })
  if (typeof met !== 'number') clients.push(met)
  expect(typeof met === 'number' ? met : undefined).toBe(status)
})

test('an agent cannot watch, not even itself', async () => {
  const here = await place()
  const agent = here.house.loop.world.agents.get(AGENT)
  const handle = { agent: AGENT, generation: agent?.generation ?? 0, run: agent?.run ?? '' }
  const token = runTokens(here.token, homeId(here.home)).tokenOf(handle)
  expect(await knock({ url: here.url, agent: AGENT, token })).toBe(403)
})

test('the token is not sent back as the protocol, and a plain GET is told what it is', async () => {
  const { url, token, enter: come } = await place()
  expect((await come()).socket.protocol).toBe('cloister.terminal')
  const answer = await fetch(`${url}/api/agents/${AGENT}/terminal`, { headers: { authorization: `Bearer ${token}` } })
  expect([answer.status, await answer.json()]).toEqual([426, expect.objectContaining({ code: 'invalid' })])
})

test('shows the screen first, then what is printed; who only watches does not type', async () => {
  const here = await place()
  const client = await here.enter()
  await client.hears('writer', { you: false, taken: false })
  expect(client.messages[0]).toEqual({ type: 'screen', cols: 200, rows: 50, reset: true })
  client.say({ type: 'keys', data: 'rm -rf /\r' })
  expect(await client.hears('refused')).toMatchObject({ sentence: 'You only watch this terminal' })
  client.say({ type: 'resize', cols: 40, rows: 20 })
  client.say({ type: 'take-over' })
  await client.hears('writer', { you: true })
  expect(agentIn(here)?.typed.filter((text) => text.includes('rm'))).toEqual([])
  expect(client.last('screen')).toMatchObject({ cols: 200 })
})

test('one at a time takes over; his keys arrive; all are told; the audit keeps it', async () => {
  const here = await place()
  const [first, second] = [await here.enter(), await here.enter()]
  first.say({ type: 'take-over' })
  await Promise.all([
    first.hears('writer', { you: true, taken: true }),
    second.hears('writer', { you: false, taken: true }),
  ])
  second.say({ type: 'take-over' })
  expect(await second.hears('refused')).toMatchObject({ sentence: 'Somebody else types in this terminal' })
  first.say({ type: 'keys', data: 'make té' })
  first.say({ type: 'paste', data: ' now' })
  first.say({ type: 'keys', data: '\r' })
  await vi.waitFor(() => expect(agentIn(here)?.typed.at(-1)).toBe('make té now'))
  await second.shows('make té now')
  first.say({ type: 'give-back' })
  await Promise.all([first, second].map((each) => each.hears('writer', { you: false, taken: false })))
  second.say({ type: 'take-over' })
  await second.hears('writer', { you: true, taken: true })
  second.socket.close()
  await first.hears('writer', { you: false, taken: false })
  const lines = readFileSync(join(here.home, 'logs', 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const deeds = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ what }) => String(what).startsWith('terminal '))
  expect(deeds.map(({ what, who, via, agent }) => ({ what, who, via, agent }))).toEqual(
    ['take-over', 'give-back', 'take-over', 'give-back'].map((what) => ({
      ...{ what: `terminal ${what}`, who: 'you', via: 'cli', agent: AGENT },
    })),
  )
})

test('a size is his who types, and the old one comes back when he gives back or leaves', async () => {
  const here = await place()
  const [writer, other] = [await here.enter(), await here.enter()]
  writer.say({ type: 'take-over' })
  writer.say({ type: 'resize', cols: 90, rows: 30 })
  await other.hears('screen', { cols: 90, rows: 30, reset: true })
  writer.say({ type: 'give-back' })
  await other.hears('screen', { cols: 200, rows: 50, reset: true })
  writer.say({ type: 'take-over' })
  writer.say({ type: 'resize', cols: 80, rows: 24 })
  await other.hears('screen', { cols: 80 })
  writer.socket.terminate()
  await other.hears('screen', { cols: 200 })
})

test('nobody takes over while Cloister types', async () => {
  const here = await place()
  const client = await here.enter()
  const letGo = here.keyboards.take(AGENT, 'act')
  client.say({ type: 'take-over' })
  expect(await client.hears('refused')).toMatchObject({ sentence: 'Cloister is typing to the agent right now' })
  letGo?.()
  client.say({ type: 'take-over' })
  await client.hears('writer', { you: true })
  expect(here.keyboards.take(AGENT, 'act')).toBeUndefined()
})

test('who types nothing for long gives back by himself', async () => {
  const here = await place()
  const client = await here.enter()
  client.say({ type: 'take-over' })
  await client.hears('writer', { you: true })
  await here.house.clock.advance(6 * MINUTE)
  client.say({ type: 'keys', data: 'x' })
  await client.shows('x')
  await here.house.clock.advance(6 * MINUTE)
  expect(here.keyboards.heldBy(AGENT)).toBe('person')
  await here.house.clock.advance(5 * MINUTE)
  await client.hears('writer', { you: false, taken: false })
  expect(client.last('refused')?.sentence).toContain('typed nothing for a while')
})

test('the ninth of one agent is told so, and the place of who leaves is free again', async () => {
  const here = await place()
  const eight = await Promise.all(Array.from({ length: 8 }, () => here.enter()))
  await Promise.all(eight.map((client) => client.hears('screen')))
  const ninth = await here.enter()
  expect(await ninth.hears('gone')).toMatchObject({ sentence: '8 people watch the terminal of agent-1 already' })
  await ninth.until(() => ninth.closed !== undefined, 'the close')
  eight[0]?.socket.terminate()
  await vi.waitFor(async () => {
    const next = await here.enter()
    await next.until(() => next.messages.length > 0, 'an answer')
    expect(next.messages[0]).toMatchObject({ type: 'screen' })
  })
})

test('no agent, no terminal', async () => {
  const here = await place()
  const client = await here.enter({ agent: 'agent-none' })
  expect(await client.hears('gone')).toMatchObject({ sentence: 'agent-none has no terminal' })
})

test.each([
  { what: 'not JSON', data: 'hello', code: 1008 },
  { what: 'an unknown message', data: '{"type":"kill"}', code: 1008 },
  { what: 'bytes', data: Buffer.from('{"type":"take-over"}'), code: 1008 },
  { what: 'a window of no size', data: '{"type":"resize","cols":0,"rows":0}', code: 1008 },
  { what: 'a frame that is too large', data: 'x'.repeat(200_000), code: 1009 },
])('$what ends the connection and no other', async ({ data, code }) => {
  const here = await place()
  const [rude, other] = [await here.enter(), await here.enter()]
  await rude.hears('screen')
  rude.socket.send(data)
  await rude.until(() => rude.closed !== undefined, 'the close')
  expect([rude.closed, other.closed]).toEqual([code, undefined])
})

test('after the first message that is none nothing more is obeyed', async () => {
  const here = await place()
  const rude = await here.enter()
  await rude.hears('screen')
  rude.socket.send('hello')
  rude.say({ type: 'take-over' })
  rude.say({ type: 'keys', data: 'rm -rf' })
  await rude.until(() => rude.closed !== undefined, 'the close')
  expect([here.keyboards.heldBy(AGENT), rude.last('writer')?.you]).toEqual([undefined, false])
  const audit = join(here.home, 'logs/audit.jsonl')
  expect(existsSync(audit) && readFileSync(audit, 'utf8').includes('take-over')).toBe(false)
})

test('all are told when the agent ends and when the daemon stops', async () => {
  const here = await place()
  const client = await here.enter()
  await client.hears('screen')
  agentIn(here)?.dies(1)
  expect(await client.hears('gone')).toMatchObject({ sentence: 'The terminal of agent-1 ended: its program has ended' })
  await client.until(() => client.closed !== undefined, 'the close')
  const other = await place()
  const watcher = await other.enter()
  await watcher.hears('screen')
  await other.serving.close()
  expect(await watcher.hears('gone')).toMatchObject({ sentence: 'The terminal of agent-1 ended: the daemon stops' })
})

test('a login that ends ends its terminals', async () => {
  const here = await place()
  const code = here.serving.invite()?.split('#login=')[1]
  const login = await fetch(`${here.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: here.url },
    body: JSON.stringify({ code }),
  })
  const { token } = (await login.json()) as { token: string }
  const client = await here.enter({ token })
  client.say({ type: 'take-over' })
  await client.hears('writer', { you: true })
  await fetch(`${here.url}/api/logins/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${here.token}` },
    body: '{}',
  })
  client.say({ type: 'keys', data: 'too late\r' })
  expect(await client.hears('gone')).toMatchObject({ sentence: 'You were signed out' })
  expect(agentIn(here)?.typed).toEqual([])
})

test('who reads nothing is shown nothing more, and begins anew when he reads again', async () => {
  const here = await place()
  const [slow, quick] = [await here.enter(), await here.enter()]
  await Promise.all([slow, quick].map((client) => client.hears('screen')))
  slow.socket.pause()
  const handle = { agent: AGENT, generation: 1, run: here.house.loop.world.agents.get(AGENT)?.run ?? '' }
  const line = 'y'.repeat(100_000)
  for (let n = 0; n < 200; n += 1) {
    await here.house.fleet.type(handle, line)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await here.house.fleet.type(handle, 'the end')
  await quick.shows('the end')
  slow.socket.resume()
  await slow.shows('the end')
  expect([slow.screens > 1, slow.messages.every(({ type }) => type !== 'gone')]).toEqual([true, true])
})
