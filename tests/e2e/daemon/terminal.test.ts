/** The live terminal of a real agent in a real daemon: watched, taken over, killed while watched, left alone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enter, type TerminalClient } from '../../api/terminal-client.ts'
import { LiveHome } from './live-home.ts'

const AGENT = 'agent-live-1'

let live: LiveHome
const clients: TerminalClient[] = []

beforeEach(async () => {
  live = new LiveHome()
  await live.up()
  await live.spawn(AGENT, 'steady')
  await live.until(async () => (await live.agent(AGENT)).lastAction !== undefined, 'it says that it is ready')
})

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await live.remove()
})

const address = () => (JSON.parse(readFileSync(join(live.home, 'dashboard.json'), 'utf8')) as { url: string }).url
const token = () => readFileSync(join(live.home, 'token'), 'utf8').trim()

const watch = async (): Promise<TerminalClient> => {
  const client = await enter({ url: address(), token: token(), agent: AGENT })
  clients.push(client)
  await client.hears('screen')
  return client
}

const post = async (path: string, body: object): Promise<number> => {
  const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json' }
  const answer = await fetch(`${address()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}

const watchers = () =>
  live
    .tmux('list-clients', '-F', '#{session_name}')
    .split('\n')
    .filter((name) => name.startsWith(AGENT))

test('a take-over types to the agent, a message waits its turn, and give-back lets it through', async () => {
  const [writer, other] = [await watch(), await watch()]
  expect(watchers()).toHaveLength(1)
  writer.say({ type: 'take-over' })
  await writer.hears('writer', { you: true, taken: true })
  other.say({ type: 'take-over' })
  await other.hears('refused')
  writer.say({ type: 'keys', data: 'a word from a person\r' })
  await other.shows('a word from a person')
  const since = live.events.length
  expect(await post(`/api/agents/${AGENT}/message`, { message: 'from the daemon' })).toBe(202)
  await live.until(
    () => live.events.slice(since).some((event) => JSON.stringify(event).includes('somebody types in its terminal')),
    'the message was held',
  )
  expect(writer.bytes.includes('from the daemon')).toBe(false)
  writer.say({ type: 'give-back' })
  await other.hears('writer', { you: false, taken: false })
  expect(await post(`/api/agents/${AGENT}/message`, { message: 'from the daemon again' })).toBe(202)
  await other.shows('from the daemon again')
  const heard = () => live.events.slice(since).filter(({ type }) => type === 'message.heard')
  await live.until(() => heard().length === 2, 'both are heard')
  for (const { socket } of [writer, other]) socket.close()
  await live.until(() => watchers().length === 0, 'nobody is left')
})

test('killed while it is watched: it is told, and who comes later is told too', async () => {
  const client = await watch()
  expect(await post(`/api/agents/${AGENT}/kill`, {})).toBe(202)
  await client.hears('gone')
  await client.until(() => client.closed !== undefined, 'the close')
  await live.event(
    'act.ended',
    AGENT,
    live.events.findIndex(({ type }) => type === 'agent.salvaged'),
  )
  const late = await enter({ url: address(), token: token(), agent: AGENT })
  clients.push(late)
  await late.hears('gone')
})

test('the daemon goes down: all are told, nobody is left behind, the agent goes on', async () => {
  const [first, second] = [await watch(), await watch()]
  expect(await live.down()).toBe(0)
  for (const client of [first, second]) {
    expect(await client.hears('gone')).toMatchObject({ sentence: `The terminal of ${AGENT} ended: the daemon stops` })
  }
  expect(watchers()).toEqual([])
  expect(live.tmux('list-panes', '-a', '-F', '#{@cloister_run} #{pane_dead}')).toMatch(/\S+ 0\n/)
})
