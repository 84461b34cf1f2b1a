/** Messages to the real Claude Code: each arrives exactly once and as it was written, whatever stands in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { phrase } from '../../../src/adapters/claude-code/dialect.ts'
import type { InboxView, MessagesView, MessageView } from '../../../src/contract/views.ts'
import { typeable } from '../../../src/core/typeable.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor, gateIn, killed, prompts, rested, started, transcribed, type RealClaude } from './real-claude.ts'

/** Sends a message and gives its id in the ledger. */
async function send({ live }: RealClaude, message: string): Promise<string> {
  const { seq } = await live.client.post<{ seq: number }>(`/api/agents/${ID}/message`, { message })
  return `m-${seq}`
}

/** Its row as soon as it fits. */
async function row({ live }: RealClaude, id: string, fits: (row: MessageView) => boolean): Promise<MessageView> {
  let found: MessageView | undefined
  await live.until(async () => {
    const { messages } = await live.client.get<MessagesView>(`/api/agents/${ID}/messages`)
    found = messages.find((each) => each.id === id)
    return found !== undefined && fits(found)
  }, `message ${id} comes that far`)
  return found as MessageView
}

async function settled(real: RealClaude, message: string): Promise<MessageView> {
  return row(real, await send(real, message), ({ state }) => state === 'heard' || state === 'undelivered')
}

/** What a program takes of a text, but for the width of its white space. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

const COMMANDS = ['/exit', 'exit', ' quit', ':q', ':wq!', '/clear', ' /compact', '/model opus', '! touch pwned']

const HOSTILE: readonly (readonly [string, string])[] = [
  ['several lines', 'one\ntwo\n\n  three, indented\n'],
  ['two hundred lines', Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n')],
  ['quotes and substitutions', `"a" 'b' \`id\` $(id) \${HOME} ; && | > /dev/null # no comment; end;`],
  ['emoji and other scripts', 'Grüße 👩‍👩‍👧 🇩🇪 漢字 עברית é'],
  ...COMMANDS.map((text) => [`the command «${text}»`, text] as const),
  ['a backslash at the end', 'ends with a backslash \\'],
  ['carriage returns and tabs', 'a\r\nb\tc\rd'],
  ['control bytes', 'x\u001b[201~\u0003\u0004 y\u0000\u0007\u009b31m'],
  ['what nobody sees', 'x \u200b y\u00ad \u202ez\u202c \u2066q\u2069 \u{e0067}end'],
  ['a composed sign, and a control byte between blanks', 'ame\u0301lie a \u0001 b'],
  ['100 KB', `big ${'0123456789abcde '.repeat(6_240)}end`],
]

test('hostile, long and many-lined messages arrive exactly once, as they were written', async (ctx) => {
  const real = await started(ctx)
  await real.live.until(() => prompts(real).length === 1, 'its first prompt is in the transcript')
  for (const [what, text] of HOSTILE) {
    expect(await settled(real, text), what).toMatchObject({ state: 'heard', evidence: 'hook', attempts: 1 })
    await rested(real)
  }
  await real.live.until(() => prompts(real).length > HOSTILE.length, 'the transcript has them all')
  const taken = prompts(real).slice(1)
  expect(taken.map(squeezed)).toEqual(HOSTILE.map(([, text]) => squeezed(phrase(typeable(text)))))
  expect(existsSync(join(real.workspace, 'pwned'))).toBe(false)
  expect(await real.agent()).toMatchObject({ generation: 1 })
  expect((await real.live.client.get<InboxView>('/api/inbox')).items).toEqual([])
}, 300_000)

test('what its program puts back into the line after an interrupt is no draft of a person', async (ctx) => {
  const real = await started(ctx)
  await send(real, scripted('Think\nabout\nthis.', [{ delayMs: 60_000, text: 'thought' }]))
  await real.seen('it thinks', ({ lifecycle }) => lifecycle === 'active')
  await real.live.until(() => prompts(real).length === 2, 'the transcript has it')
  await real.live.client.post(`/api/agents/${ID}/interrupt`)
  await rested(real)
  await real.shows('this.')
  expect(await settled(real, 'Do this instead.')).toMatchObject({ state: 'heard', attempts: 1 })
  // The client writes its transcript a moment later.
  await real.live.until(() => prompts(real).includes('Do this instead.'), 'it stands in the transcript, alone')
}, 300_000)

test('to a busy client: a message, and the daemon killed before it is confirmed; both arrive once', async (ctx) => {
  const real = await started(ctx)
  const gate = gateIn(ctx, real)
  const tool = { name: 'Bash', input: { command: 'head -n 1 gate', description: 'wait' } }
  const first = await settled(real, scripted('Wait.', [{ tools: [tool] }, { text: 'done' }]))
  expect(first).toMatchObject({ state: 'heard' })
  await real.seen('its tool is open', ({ cause }) => cause?.kind === 'working_tool')
  expect(await settled(real, 'Meanwhile, note this.')).toMatchObject({ state: 'heard', attempts: 1 })
  const id = await send(real, 'And this, too.')
  await killed(real)
  expect(await row(real, id, ({ state }) => state === 'heard' || state === 'undelivered')).toMatchObject({
    state: 'heard',
  })
  gate.open()
  await rested(real)
  const all = real.live.events.filter(({ type }) => type === 'message.heard')
  expect(all).toHaveLength(3)
  // The client writes its transcript a moment later.
  await real.live.until(() => enqueued(real).length >= 2, 'the transcript has both')
  expect(enqueued(real)).toEqual(['Meanwhile, note this.', 'And this, too.'])
}, 300_000)

test('a draft and a question hold a message back; it is typed when the way is free', async (ctx) => {
  const real = await started(ctx)
  // The very words that it was told before, and has answered.
  keys(real, '-l', 'Begin.')
  await real.shows('❯\u00A0Begin.')
  const held = await send(real, 'Go on.')
  expect(await row(real, held, ({ why }) => why?.startsWith('somebody') === true)).toMatchObject({
    state: 'queued',
    attempts: 0,
    why: expect.stringMatching(/^somebody is typing in its terminal; /),
  })
  expect(real.screen()).toContain('❯\u00A0Begin.')
  keys(real, 'C-u')
  expect(await row(real, held, ({ state }) => state === 'heard')).toMatchObject({ attempts: 1 })
  await rested(real)

  const options = ['SQLite', 'Postgres'].map((label) => ({ label, description: label }))
  const questions = [{ question: 'Which database?', header: 'Database', options, multiSelect: false }]
  const ask = { name: 'AskUserQuestion', input: { questions } }
  await settled(real, scripted('Ask me.', [{ tools: [ask] }, { text: 'thank you' }]))
  const { item } = await real.live.event('needs-you.raised')
  const waits = await send(real, 'Not an answer.')
  expect(await row(real, waits, ({ why }) => why !== undefined)).toMatchObject({
    state: 'queued',
    why: `${ID} shows a dialog (question)`,
  })
  await real.live.client.post(`/api/inbox/${item.id}/answer`, { answer: 'Postgres' })
  expect(await row(real, waits, ({ state }) => state === 'heard')).toMatchObject({ attempts: 1 })
  await rested(real)
  // The second one may have lain in the queue of the client before it became a prompt, or have been taken out of it.
  const times = (text: string) =>
    [prompts(real), enqueued(real)].map((all) => all.filter((each) => each === text).length)
  await real.live.until(() => Math.max(...times('Go on.'), 0) * Math.max(...times('Not an answer.'), 0) > 0, 'both')
  expect(times('Go on.')).toEqual([1, 0])
  expect(Math.max(...times('Not an answer.'))).toBe(1)
}, 300_000)

test('what is too long to be typed goes by a file that the agent may read', async (ctx) => {
  const real = await started(ctx)
  const text = '漢'.repeat(60_000)
  const id = await send(real, text)
  expect(await row(real, id, ({ state }) => state === 'heard')).toMatchObject({ evidence: 'hook', attempts: 1 })
  const file = join(real.live.home, 'letters', ID, `${id}.md`)
  expect(readFileSync(file, 'utf8')).toBe(text)
  await real.live.until(() => prompts(real).at(-1)?.includes(file) === true, 'it was told where it is')
  await rested(real)
  // No permission is asked for: the folder was named when the client was started.
  const read = { name: 'Read', input: { file_path: file, limit: 1 } }
  await settled(real, scripted('Read it.', [{ tools: [read] }, { text: 'I have read it' }]))
  await rested(real)
  expect((await real.live.client.get<InboxView>('/api/inbox')).items).toEqual([])
}, 300_000)

test('a first prompt that is too long for an argument goes by a file, too', async (ctx) => {
  const real = await clientFor(ctx)
  const text = 'x'.repeat(140_000)
  await real.spawn(text)
  await rested(real)
  const folder = join(real.live.home, 'letters', ID)
  const [letter = ''] = readdirSync(folder)
  expect(readFileSync(join(folder, letter), 'utf8')).toBe(text)
  await real.live.until(() => prompts(real).at(-1)?.includes(join(folder, letter)) === true, 'it was told where it is')
  expect(prompts(real)).toHaveLength(1)
}, 300_000)

/** As a person types, without sending it. */
function keys({ live }: RealClaude, ...given: string[]): void {
  const panes = live.tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}').split('\n')
  const pane = panes.find((line) => line.endsWith(` ${ID}`))?.split(' ')[0] ?? ''
  live.tmux('send-keys', '-t', pane, ...given)
}

/** What came to the client while it was busy. */
function enqueued(real: RealClaude): string[] {
  return transcribed(real, '"queue-operation"').flatMap(({ type, operation, content }) =>
    type === 'queue-operation' && operation === 'enqueue' ? [String(content)] : [],
  )
}
