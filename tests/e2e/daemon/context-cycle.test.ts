/** A context cycle for real: a daemon that is killed on the way, a terminal server, an understudy and its files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HandoffsView } from '../../../src/contract/handoff-views.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'

let live: LiveHome

beforeEach(() => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring: { check_interval: 1 }\n')
})

afterEach(() => live.remove())

/** It has heard the order, and does what it is told while nobody watches. */
async function killedAfterTheOrder(): Promise<void> {
  const isHeard = () =>
    live.events.some((event) => event.type === 'act.ended' && event.act === 'nudge' && event.result === 'done')
  await live.until(isHeard, 'it has heard the order')
  await live.crash()
  await live.up()
}

test('full of its context it writes its document, is cleared and goes on, with the daemon killed on the way', async () => {
  await live.up()
  const workspace = await live.spawn(ID, 'steady', '/do context: 0.86')
  const pid = () => live.tmux('list-panes', '-a', '-F', '#{pane_pid} #{pane_dead}').trim()
  const before = pid()
  const { sessionId } = await live.agent(ID)
  await killedAfterTheOrder()
  const { result } = await live.event('handoff.ended', ID)
  expect(result).toBe('done')
  const clears = live.events.flatMap((event) => (event.type === 'agent.cleared' ? event : []))
  expect(clears).toMatchObject([
    { generation: 2, by: 'hand-off', ...(sessionId === undefined ? {} : { from: sessionId }) },
  ])
  const { handoffs } = await live.client.get<HandoffsView>('/api/handoffs')
  const document = handoffs[0]?.document ?? ''
  expect(document).toMatch(/^\.bmad\/handoffs\/handoff-\d{4}-\d\d-\d\d-\d\d-\d\d-[a-z0-9]+\.md$/)
  expect(handoffs).toMatchObject([
    {
      method: 'context_cycle',
      trigger: 'context_limit',
      context: { contextPercent: 95.5 },
      to: { sessionId: clears[0]?.sessionId },
    },
  ])
  expect(readFileSync(join(workspace, document), 'utf8')).toContain('1. the next part')
  // The same process, which nobody ended.
  expect(pid()).toBe(before)
  expect(await live.agent(ID)).toMatchObject({ generation: 2, sessionId: clears[0]?.sessionId, model: 'steady' })
})
