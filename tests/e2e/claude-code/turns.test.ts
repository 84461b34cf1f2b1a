/** A real client at work: its tools, its rest, and its dialogs, answered by a person in its own terminal. */
import { expect, test } from 'vitest'
import type { InboxView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { clientFor, gateIn } from './real-claude.ts'

const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'one file' },
    { label: 'Postgres', description: 'a server' },
  ],
  multiSelect: false,
}

test('it starts, runs a tool, rests, waits for a permission and for an answer, each with its source', async (ctx) => {
  const real = await clientFor(ctx, { settings: { permissions: { allow: ['Bash'], ask: ['Bash(head:*)'] } } })
  const { live, spawn, seen, type, press, shows } = real
  const gate = gateIn(ctx, real)
  const tool = { name: 'Bash', input: { command: 'read -r line <gate', description: 'wait for the gate' } }
  await spawn('begin', [{ text: 'I look.', tools: [tool] }, { text: 'first done' }])
  const atWork = await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  expect(atWork).toMatchObject({
    lifecycle: 'active',
    doing: { kind: 'tool', what: 'Bash', witness: 'hook' },
    heartbeat: {
      source: 'active',
      confidence: 'high',
      witness: 'hook',
      tool: 'Bash',
      action: expect.stringContaining('read -r'),
    },
    permissionMode: 'acceptEdits',
  })
  gate.open()
  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')

  const asking = { name: 'Bash', input: { command: 'head -n 1 gate', description: 'needs a permission' } }
  type(scripted('go on', [{ tools: [asking] }, { text: 'second done' }]))
  await seen('it asks', ({ doing }) => doing?.kind === 'permission')
  const { items } = await live.client.get<InboxView>('/api/inbox')
  expect(items).toMatchObject([{ kind: 'waiting', answerable: true, options: ['allow', 'deny'] }])
  // Yes, in its own dialog. No hook tells of that; the registry does, long before the tool has ended.
  await shows('Do you want to proceed?')
  await press('Enter', 'busy')
  const allowed = await seen('it goes on', ({ doing }) => doing?.kind === 'tool')
  expect(allowed.doing).toMatchObject({ kind: 'tool', what: 'Bash', witness: 'registry' })
  expect((await live.client.get<InboxView>('/api/inbox')).items).toEqual([])
  gate.open()
  await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')

  type(
    scripted('ask me', [{ tools: [{ name: 'AskUserQuestion', input: { questions: [QUESTION] } }] }, { text: 'never' }]),
  )
  await seen('it asks a question', ({ doing }) => doing?.kind === 'question')
  await shows('Enter to select')
  await press('Escape', 'idle')
  const cancelled = await seen('it rests without an answer', ({ lifecycle }) => lifecycle === 'idle')
  expect(cancelled.doing).toMatchObject({ kind: 'idle', witness: 'registry' })
  expect((await live.client.get<InboxView>('/api/inbox')).items).toEqual([])
})
