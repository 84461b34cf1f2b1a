/** What sessions of other people showed, played by the real client: refused calls, and turns that a person ended. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { scripted, type Turn } from '../../model-api/turn.ts'
import { clientFor, ID, type RealClaude } from './real-claude.ts'

const INVALID: Turn = { tools: [{ name: 'Write', input: {} }] }

test('calls that the client refuses, of which no other hook tells: the fifth of the same is a loop', async (ctx) => {
  const { live, spawn, seen, type } = await clientFor(ctx)
  const denied: Turn = { tools: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'x', new_string: 'y' } }] }
  await spawn('begin', [INVALID, denied, INVALID, INVALID, { text: 'I stop.' }])
  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  const kinds = () => live.events.flatMap((event) => (event.type === 'agent.health-changed' ? event.cause.kind : []))
  expect(kinds()).not.toContain('looping')
  type(scripted('again', [INVALID, INVALID, INVALID, INVALID, INVALID, { hangs: true }]))
  const { cause } = await seen('it loops', (agent) => agent.cause?.kind === 'looping')
  expect(cause).toMatchObject({ what: expect.stringMatching(/^Write: refused: .* fails in the same way$/) as string })
})

test('without a registry of sessions, what a person ended is rest, and nothing is said to it', async (ctx) => {
  const config = 'monitoring: { check_interval: 1 }\nthresholds: { stale: 0.05, warning: 0.1, stuck: 10 }\n'
  const settings = { permissions: { allow: ['Bash'], ask: ['Bash(rm:*)'] } }
  const real = await clientFor(ctx, { config, settings })
  const { live, spawn, seen, type, shows, screen } = real
  // Where its folder should be lies a file: the client goes on without.
  mkdirSync(join(live.root, '.claude'), { recursive: true })
  writeFileSync(join(live.root, '.claude/sessions'), '')
  const rm = { name: 'Bash', input: { command: 'rm -f x', description: 'remove' } }
  await spawn('begin', [{ tools: [rm] }, { text: 'never' }])
  await seen('it asks', ({ doing }) => doing?.kind === 'permission')
  await shows('Esc to cancel')
  await escaped(real, () => !screen().includes('Esc to cancel'))
  const refused = await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  expect(refused).toMatchObject({ doing: { kind: 'idle', witness: 'transcript' } })

  const endless = { name: 'Bash', input: { command: 'tail -f /dev/null --pid=1', description: 'never ends' } }
  type(scripted('go on', [{ text: 'I look.', tools: [endless] }]))
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await escaped(real, () => screen().split('Interrupted').length > 2)
  await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')
  // Longer than it takes until somebody would be poked.
  const looks = new Set<unknown>()
  const looked = async () => looks.add((await live.client.get<StatusView>('/api/cloister/status')).lastCheck).size > 15
  await live.until(looked, 'many looks')
  const acts = live.events.flatMap((event) => (event.type === 'act.decided' ? event.act.kind : []))
  expect(acts).toEqual(['spawn'])
})

/** Presses Escape until it was taken: a dialog that was just drawn takes no key yet. */
async function escaped({ live }: RealClaude, isTaken: () => boolean): Promise<void> {
  const panes = live.tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}').split('\n')
  const pane = panes.find((line) => line.endsWith(` ${ID}`))?.split(' ')[0] ?? ''
  let pressedAt = 0
  const press = () => {
    if (isTaken()) return true
    if (Date.now() - pressedAt > 1500) {
      live.tmux('send-keys', '-t', pane, 'Escape')
      pressedAt = Date.now()
    }
    return false
  }
  await live.until(press, 'Escape is taken', 50)
}
