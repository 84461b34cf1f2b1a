/** Sessions of the real Claude Code that cannot be gone on with: the successor's first request has the whole task. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MessagesView } from '../../../src/contract/views.ts'
import { ID, clientFor, killed, rested, type RealClaude } from './real-claude.ts'

const FIRST =
  'Repair the login: a person who signs in on two devices is signed out on both after an hour, since the cookie of the ' +
  'first is taken for that of the second; do not touch the payment pages, and say READY at the very end of it all.'
const LATER =
  'And keep the old name of the cookie, since the phones have it and will not be updated before the summer; write a test ' +
  'first that fails on the code as it is, for two devices and for three, and only then change anything: LATER-END.'

const projects = ({ live }: RealClaude) => join(live.root, '.claude/projects')

function transcripts(real: RealClaude, session: string): string[] {
  const all = existsSync(projects(real)) && statSync(projects(real)).isDirectory() ? readdirSync(projects(real)) : []
  return all.map((folder) => join(projects(real), folder, `${session}.jsonl`)).filter((file) => existsSync(file))
}

async function toldAndAsleep(real: RealClaude): Promise<string> {
  await real.spawn(FIRST)
  await rested(real)
  await real.live.client.post(`/api/agents/${ID}/message`, { message: LATER })
  await real.live.until(async () => {
    const { messages } = await real.live.client.get<MessagesView>(`/api/agents/${ID}/messages`)
    return messages.at(-1)?.state === 'heard'
  }, 'it heard')
  await real.live.event(
    'task.kept',
    ID,
    real.live.events.findIndex(({ type }) => type === 'message.heard'),
  )
  const { sessionId = '' } = await rested(real)
  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/suspend`, {})
  expect(await real.live.event('act.ended', ID, since)).toMatchObject({ act: 'suspend', result: 'done' })
  return sessionId
}

/** What its model is asked first, once it is woken without a word. */
async function firstRequest(real: RealClaude): Promise<{ body: string; why: string }> {
  const asked = real.api.bodies.length
  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/resume`, {})
  const { why } = await real.live.event('agent.session-lost', ID, since)
  const isOfIt = (body: string) => body.includes('you begin anew')
  await real.live.until(() => real.api.bodies.slice(asked).some(isOfIt), 'it was told', 50)
  await rested(real)
  return { body: real.api.bodies.slice(asked).find(isOfIt) ?? '', why }
}

function expectWholeTask(body: string): void {
  expect({
    first: body.includes(FIRST),
    later: body.includes(LATER),
    waits: /say in one sentence what is left, and wait/.test(body),
  }).toEqual({ first: true, later: true, waits: false })
  expect(body.indexOf(FIRST)).toBeLessThan(body.indexOf(LATER))
}

test('deleted, with the daemon killed meanwhile: it begins anew with its whole task, and is forgotten with it', async (ctx) => {
  const real = await clientFor(ctx)
  const session = await toldAndAsleep(real)
  for (const file of transcripts(real, session)) rmSync(file)
  await killed(real)
  const { body, why } = await firstRequest(real)
  expect(why).toBe('its transcript was deleted')
  expectWholeTask(body)
  const folder = join(real.live.home, 'task-texts', ID)
  const files = readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))
  expect(files).toEqual(['600', '600'])
  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/kill`, {})
  await real.live.event('act.ended', ID, since)
  await real.live.client.post(`/api/agents/${ID}/forget`, {})
  await real.live.until(() => !existsSync(folder), 'its texts are gone', 50)
}, 300_000)

test('garbled: it begins anew with its whole task, and that is said', async (ctx) => {
  const real = await clientFor(ctx)
  const session = await toldAndAsleep(real)
  const files = transcripts(real, session)
  expect(files).toHaveLength(1)
  for (const file of files) writeFileSync(file, `${'\0'.repeat(5000)}\n{"type":"us\n${'x'.repeat(5000)}\n`)
  const { body, why } = await firstRequest(real)
  expect(why).toBe('its transcript is garbled')
  expectWholeTask(body)
}, 300_000)

test('never written: it begins anew with its whole task, and nobody says that it was deleted', async (ctx) => {
  const real = await clientFor(ctx)
  // Where its folder should be, a file lies.
  mkdirSync(join(real.live.root, '.claude'), { recursive: true })
  writeFileSync(projects(real), '')
  const session = await toldAndAsleep(real)
  expect(transcripts(real, session)).toEqual([])
  rmSync(projects(real))
  const { body, why } = await firstRequest(real)
  expect(why).toMatch(/none was ever written/)
  expectWholeTask(body)
}, 300_000)
