/** What a person has begun to type in an agent's terminal is never sent along with a text of ours. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ActivityView } from '../../../src/contract/views.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'
const TYPING = `somebody is typing in its terminal; try again when its input line is empty, or attach with \`pan agents attach ${ID}\``

let live: LiveHome
let pane: string

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  await live.up()
  await live.spawn(ID, 'steady')
  const panes = live.tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}').split('\n')
  pane = panes.find((line) => line.endsWith(` ${ID}`))?.split(' ')[0] ?? ''
  await live.until(async () => (await live.agent(ID)).lifecycle === 'idle', 'it has come up')
})

afterEach(() => live.remove())

async function draft(text: string): Promise<void> {
  live.tmux('send-keys', '-t', pane, '-l', text)
  await live.until(() => live.tmux('capture-pane', '-p', '-t', pane).includes(text), 'the draft is on the screen', 20)
}

async function ask(kind: 'poke', body: object): Promise<object> {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/${kind}`, body)
  const { act, result, detail } = await live.event('act.ended', ID, since)
  return { act, result, detail }
}

async function heard(): Promise<string[]> {
  const { activities } = await live.client.get<ActivityView>(`/api/agents/${ID}/activity`)
  return activities.flatMap(({ action }) => (action?.startsWith('heard: ') ? [action.slice('heard: '.length)] : []))
}

test('a message waits and a poke is not done while a draft stands there; then the draft is as it was, and it arrives', async () => {
  await draft('rm -rf old-')
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/message`, { message: 'Please go on.' })
  expect(await live.event('message.held', ID, since)).toMatchObject({ why: TYPING })
  expect(await ask('poke', {})).toEqual({ act: 'poke', result: 'not_done', detail: TYPING })
  await draft('stuff')
  expect(live.tmux('capture-pane', '-p', '-t', pane).trimEnd()).toMatch(/> rm -rf old-stuff$/)
  expect(await heard()).toEqual([])

  live.tmux('send-keys', '-t', pane, 'C-u')
  expect(await live.event('message.heard', ID, since)).toMatchObject({ evidence: 'hook' })
  expect(await heard()).toEqual(['Please go on.'])
})
