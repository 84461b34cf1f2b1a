/** The understudy as a real program with the real hooks: every command once, on pipes; its terminal in tmux. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Doing } from '../../../src/contract/evidence.ts'
import { fingerprint } from '../../../src/core/fingerprint.ts'
import type { RawReport } from '../../../src/core/ports.ts'
import { Hearing } from '../../samples/hearing.ts'
import { makeHome, type TestHome } from './home.ts'
import { endTagged, tagged } from './tagged.ts'
import { openPane } from './tmux.ts'
import { launchOf, startUnderstudy, type Cast, type Understudy } from './understudy-process.ts'

let home: TestHome
let run: string
const started: Understudy[] = []

beforeEach(() => {
  home = makeHome()
  // Of its own in every test, so that what is left of one is never taken for another's.
  run = `run-${process.pid}-${Date.now().toString(36)}`
})
afterEach(async () => {
  for (const each of started.splice(0)) {
    each.process.kill('SIGKILL')
    await each.ended
  }
  endTagged(run)
  home.remove()
})

async function start(cast: Cast = {}): Promise<Understudy> {
  const actor = await startUnderstudy(home, { run, ...cast })
  started.push(actor)
  return actor
}

const kinds = () => home.reports().map(({ kind }) => kind)
/** One that waits for long is notified of, too. */
const calls = () => kinds().filter((kind) => kind !== 'Notification')
const next = (kind: string, fits: (report: RawReport) => boolean = () => true) =>
  home.next((report) => report.kind === kind && fits(report), kind)
const bodyOf = (report: RawReport) => JSON.parse(report.body) as Record<string, unknown>

const OK = ['PreToolUse', 'PostToolUse', 'PostToolBatch']
const FAILED = ['PreToolUse', 'PostToolUseFailure', 'PostToolBatch']

test.each<[string, string[]]>([
  ['say: hello', ['Stop']],
  ['think: 1s', ['Stop']],
  ['work: 10s', [...OK, ...OK, 'Stop']],
  ['tool: {takes: 1s}', [...OK, 'Stop']],
  ['tool: {takes: 1s, cpu: true}', [...OK, 'Stop']],
  ['tool: {takes: 1s, fails: true}', [...FAILED, 'Stop']],
  ['loop: {call: npm test, times: 3, every: 1s}', [...FAILED, ...FAILED, ...FAILED, 'Stop']],
  ['context: 0.86', ['StatusLine', 'Stop']],
  ['compact', ['PreCompact', 'SessionStart', 'PostCompact', 'Stop']],
  ['edit: {file: ../outside.txt, text: x}', [...FAILED, 'Stop']],
  ['fail: authentication_failed', ['StopFailure']],
  ['limit: {for: 1h}', ['StopFailure']],
  ['dance', ['Stop']],
])('/do %s', async (step, expected) => {
  const actor = await start({ prompt: `/do ${step}` })
  await next(expected.at(-1) ?? '')
  expect(await actor.leave()).toBe(0)
  expect(kinds()).toEqual(['SessionStart', 'UserPromptSubmit', ...expected, 'SessionEnd'])
  expect(tagged(run)).toEqual([])
})

test('is labelled, and its reports read as an agent that starts, thinks and rests', async () => {
  const actor = await start({ prompt: 'hello there' })
  await next('Stop')
  expect(actor.printed()).toMatch(/^understudy \(simulated agent\)/)
  await actor.leave()
  const said = home.reports().map((report) => actor.runtime.read(report))
  expect(believed()).toEqual(['starting', 'thinking', 'idle', 'idle'])
  expect(said[1]?.heard).toBe(fingerprint('hello there'))
})

test('writes a transcript in the shape of Claude Code, its context as it was told', async () => {
  const actor = await start({ prompt: '/do context: 0.86' })
  const { transcript_path: file, session_id: session } = bodyOf(await next('Stop'))
  await actor.leave()
  expect(statSync(String(file)).mode & 0o777).toBe(0o600)
  const lines = readFileSync(String(file), 'utf8').trim().split('\n')
  const [user, assistant] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(user).toMatchObject({ type: 'user', sessionId: session, simulated: true })
  const { message, ...line } = assistant as { message: { usage: Record<string, number> } }
  expect(line).toMatchObject({ type: 'assistant', isSidechain: false, sessionId: session, parentUuid: user?.['uuid'] })
  const { input_tokens = 0, cache_read_input_tokens: read = 0, cache_creation_input_tokens: made = 0 } = message.usage
  expect((input_tokens + read + made) / 200_000).toBeCloseTo(0.86, 2)
})

test('edits and commits in its workspace', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: home.workspace, encoding: 'utf8' })
  git('init', '--quiet')
  const actor = await start({ prompt: 'go\n/do edit: {file: src/a.ts, text: "one"}\n/do commit: Add a' })
  await next('Stop')
  expect(await actor.leave()).toBe(0)
  expect(readFileSync(join(home.workspace, 'src/a.ts'), 'utf8')).toBe('one')
  expect(git('log', '--format=%an %s').trim()).toBe('understudy Add a')
  expect(git('status', '--porcelain')).toBe('')
})

test.each([
  ['y\n', 'PostToolUse'],
  ['1\n', 'PostToolUse'],
  ['no\n', 'PostToolBatch'],
  ['2\n', 'PostToolBatch'],
])('a permission answered %j at the keyboard', async (keys, then) => {
  const actor = await start({ prompt: '/do permission: rm -rf build' })
  await next('PermissionRequest')
  actor.type(keys)
  await next('Stop')
  expect(calls().slice(2, 5)).toEqual(['PreToolUse', 'PermissionRequest', then])
  expect(await actor.leave()).toBe(0)
  expect(tagged(run)).toEqual([])
})

/** What its reports so far come to, one after the other. */
function believed(): (string | undefined)[] {
  const hearing = new Hearing({ open: { calls: [], waits: [], promptDue: true } })
  return home.reports().map((report) => hearing.hear(report)?.kind)
}

function asksIn({ runtime }: Understudy, asked: RawReport): Doing | undefined {
  const [fact] = runtime.read(asked)?.facts ?? []
  return fact?.fact === 'wait_opened' ? fact.doing : undefined
}

function answer(actor: Understudy, asked: RawReport, text: string): void {
  const doing = asksIn(actor, asked)
  const ask = doing?.kind === 'permission' || doing?.kind === 'question' ? doing.ask : undefined
  const line = `${actor.runtime.answer(ask?.request ?? '', text)}\n`
  writeFileSync(join(home.path, 'asks', `${run}.${ask?.id}`), line, { flag: 'r+' })
}

test.each([
  ['yes', 'PostToolUse'],
  ['no', 'PostToolBatch'],
])('a permission answered «%s» through the ask hook', async (text, then) => {
  const actor = await start({ prompt: '/do permission: rm -rf build' })
  answer(actor, await next('PermissionRequest'), text)
  await next('Stop')
  expect(calls().slice(2, 5)).toEqual(['PreToolUse', 'PermissionRequest', then])
})

test('a question is answered through the ask hook, or at the keyboard', async () => {
  const question = '/do question: {text: Which one?, options: [Red, Blue]}'
  const actor = await start({ prompt: question })
  const asked = await next('PermissionRequest')
  expect(asksIn(actor, asked)).toMatchObject({
    kind: 'question',
    what: 'Which one?',
    questions: [{ question: 'Which one?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
  })
  answer(actor, asked, '2')
  expect(bodyOf(await next('PostToolUse'))).toMatchObject({ tool_response: { answers: { 'Which one?': 'Blue' } } })
  await next('Stop')
  actor.type(`${question}\n`)
  await next('PermissionRequest', ({ id }) => id !== asked.id)
  actor.type('something else\n')
  const typed = await next('PostToolUse', ({ body }) => body.includes('something else'))
  expect(bodyOf(typed)).toMatchObject({ tool_response: { answers: { 'Which one?': 'something else' } } })
})

test('a limit holds until it is over, then a message goes on', async () => {
  const actor = await start({ prompt: 'go', script: 'name: a\nabout: b\nsteps: [{limit: {for: 25s}}, {say: I go on}]' })
  const limited = await next('StopFailure')
  const [fact] = actor.runtime.read(limited)?.facts ?? []
  const doing = fact?.fact === 'turn_ended' ? fact.rest : undefined
  const untilAt = doing?.kind === 'limited' ? (doing.untilWallAt ?? 0) : 0
  actor.type('too early\n')
  await next('StopFailure', ({ id }) => id !== limited.id)
  await new Promise((done) => setTimeout(done, untilAt - Date.now()))
  actor.type('now\n')
  await next('Stop')
  expect(actor.printed()).toContain('I go on')
})

test('a hang is silent; a message ends it where the script says so', async () => {
  const script = 'name: a\nabout: b\non_message: next\nsteps: [{say: before}, hang, {say: after}]'
  const actor = await start({ prompt: 'go', script })
  await actor.prints('before')
  actor.type('are you there?\n')
  await actor.prints('after')
  await next('Stop')
  expect(kinds()).toEqual(['SessionStart', 'UserPromptSubmit', 'UserPromptSubmit', 'Stop'])
})

test('ignored messages are not heard; Escape ends the turn without a hook; the rest comes with the next message', async () => {
  const script = 'name: a\nabout: b\non_message: ignore\nsteps: [{say: before}, hang, {say: after}]'
  const actor = await start({ prompt: 'go', script })
  await actor.prints('before')
  actor.type('lost\n\u001B')
  await actor.prints('(interrupted)')
  actor.type('go on\n')
  await next('Stop')
  await actor.prints('after')
  const heard = home.reports().filter(({ kind }) => kind === 'UserPromptSubmit')
  expect(heard.map((report) => bodyOf(report)['prompt'])).toEqual(['go', 'go on'])
})

test('background work: the turn ends, and goes on by itself', async () => {
  await start({
    prompt: 'go',
    script: 'name: a\nabout: b\nsteps: [{stop: {background: 1, for: 5s}}, {say: done}]',
  })
  await next('Stop', ({ body }) => bodyOf({ body } as RawReport)['background_tasks']?.toString() === '')
  expect(believed()).toEqual(['starting', 'thinking', 'background', 'thinking', 'idle'])
})

test('obeys what a Stop hook orders, once, and a /clear', async () => {
  writeFileSync(join(home.path, 'orders', run), '{"decision":"block","reason":"/do edit: {file: handoff.md, text: x}"}')
  const actor = await start({ prompt: 'go' })
  await next('Stop', ({ body }) => body.includes('"stop_hook_active":true'))
  expect(existsSync(join(home.workspace, 'handoff.md'))).toBe(true)
  actor.type(`${actor.runtime.clearText}\n`)
  const cleared = await next('SessionStart', ({ body }) => body.includes('"clear"'))
  const first = await next('SessionStart')
  expect(bodyOf(cleared)['session_id']).not.toBe(bodyOf(first)['session_id'])
  expect(kinds().filter((kind) => kind === 'Stop')).toHaveLength(2)
})

test('crashes with its code and no farewell', async () => {
  const actor = await start({ prompt: '/do crash: 3' })
  expect(await actor.ended).toBe(3)
  expect(kinds()).toEqual(['SessionStart', 'UserPromptSubmit'])
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('ends on %s with its farewell and its tool', async (signal, code) => {
  const actor = await start({ prompt: '/do tool: {takes: 1h}' })
  await next('PreToolUse')
  actor.process.kill(signal)
  expect(await actor.ended).toBe(code)
  expect(kinds().at(-1)).toBe('SessionEnd')
  expect(tagged(run)).toEqual([])
})

test('/exit and a closed input end it', async () => {
  const actor = await start()
  await next('SessionStart')
  actor.type('/exit\n')
  expect(await actor.ended).toBe(0)
  expect(kinds()).toEqual(['SessionStart', 'SessionEnd'])
})

test('ignores signals and the loss of its input when it is told to', async () => {
  const actor = await start({ prompt: 'go\n/do ignore: [SIGTERM, SIGHUP]\n/do hang' })
  await actor.prints('(ignores SIGTERM, SIGHUP)')
  actor.process.kill('SIGTERM')
  actor.process.kill('SIGHUP')
  actor.process.stdin?.end()
  // It answers a signal that it was not told to ignore, so it has outlived the others.
  actor.process.kill('SIGINT')
  expect(await actor.ended).toBe(130)
})

test.each(['setsid', 'nohup', 'double-fork', 'stubborn'])('leaves an orphan behind: %s', async (how) => {
  const actor = await start({ prompt: `go\n/do orphan: {how: ${how}, for: 10m}\n/do work: 5s` })
  await next('Stop')
  expect(await actor.leave()).toBe(0)
  const orphans = tagged(run)
  expect(orphans.map(({ command }) => command)).toEqual(['sleep 12.00'])
  const pid = orphans[0]?.pid ?? 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const ignored = BigInt(`0x${/^SigIgn:\s*(\w+)$/m.exec(status)?.[1]}`)
  const ignores = (signal: number) => (ignored & (1n << BigInt(signal - 1))) !== 0n
  expect({ hup: ignores(1), term: ignores(15) }).toEqual({
    hup: how === 'nohup' || how === 'stubborn',
    term: how === 'stubborn',
  })
})

test('in a terminal: a paste of several lines is one message, Escape interrupts, and it goes with its terminal', async () => {
  const { launch, runtime } = await launchOf(home, { run, prompt: '/do hang' })
  const pane = openPane(home.path, launch)
  try {
    await next('UserPromptSubmit')
    pane.press('Escape')
    const text = runtime.phrase('first line\nsecond "line"; $(x)\t\\')
    // Whether before or after the interrupt: a message waits for its turn.
    pane.type(text)
    const heard = await next('UserPromptSubmit', ({ body }) => body.includes('second'))
    expect(bodyOf(heard)['prompt']).toBe(text)
    await next('Stop')
    expect(pane.screen()).toContain('understudy (simulated agent) >')
  } finally {
    pane.end()
  }
  await next('SessionEnd')
})

test('twenty at once start, work and end, and leave nothing behind', async () => {
  const runs = Array.from({ length: 20 }, (_, index) => `${run}-${index}`)
  const actors = await Promise.all(runs.map((each) => start({ run: each, prompt: '/do work: 10s' })))
  await Promise.all(
    runs.map((each) => home.next((report) => report.run === each && report.kind === 'Stop', `Stop of ${each}`)),
  )
  expect(await Promise.all(actors.map((actor) => actor.leave()))).toEqual(runs.map(() => 0))
  expect(runs.flatMap(tagged)).toEqual([])
  const counts = Map.groupBy(home.reports(), (report) => report.run)
  expect([...counts.values()].map((reports) => reports.length)).toEqual(runs.map(() => 10))
})
