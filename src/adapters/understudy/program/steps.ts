/** How each step of a script is performed. A step says whether the turn goes on or is over. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { startChild } from '../../process/start-child.ts'
import { leaveOrphan, runChild } from './children.ts'
import { textIn, toBody } from './hooks.ts'
import type { Step } from './script.ts'
import { Interruption, type Stage } from './stage.ts'
import { askPerson, useTool, words, type Result } from './tool.ts'
import { WINDOW_TOKENS } from './transcript.ts'
import type { Call } from './values.ts'

export type Simple = Exclude<Step, { do: 'stop' | 'repeat' }>

export function performStep(stage: Stage, step: Simple): Promise<'on' | 'over'> {
  return PERFORM[step.do](stage, step as never)
}

const OK: Result = { ok: true, response: { stdout: 'ok', stderr: '', interrupted: false } }
const WORK_CALL_MS = 5000

type Perform = { [K in Simple['do']]: (stage: Stage, step: Extract<Simple, { do: K }>) => Promise<'on' | 'over'> }

const PERFORM: Perform = {
  work,
  think: async (stage, { ms }) => {
    stage.screen.say('… thinking')
    await stage.wait(ms)
    return 'on'
  },
  say: async (stage, { text }) => {
    speak(stage, text)
    return 'on'
  },
  tool: (stage, { call, ms, cpu, fails }) =>
    useTool(stage, call, async () => {
      await runChild(stage, ms, cpu)
      return fails ? { ok: false, error: 'Exit code 1' } : OK
    }),
  permission: (stage, { call }) => useTool(stage, call, () => permission(stage, call)),
  question,
  limit,
  fail: (stage, { error }) => failTurn(stage, { error, text: `API Error: ${error}`, status: STATUS[error] ?? 500 }),
  hang: async (stage, { hard }) => {
    stage.deaf = hard
    return stage.until<'on'>(() => () => {
      stage.deaf = false
    })
  },
  crash: async (stage, { code }) => {
    stage.end()
    process.exit(code)
  },
  edit,
  commit,
  loop,
  orphan: async (stage, { how, ms }) => {
    stage.screen.say(`(leaves a process behind: ${how})`)
    leaveOrphan(stage, how, ms)
    return 'on'
  },
  ignore: async (stage, { signals }) => {
    stage.screen.say(`(ignores ${signals.join(', ')})`)
    if (signals.includes('SIGHUP')) stage.outlives = true
    for (const signal of signals) process.removeAllListeners(signal).on(signal, () => undefined)
    return 'on'
  },
  context: async (stage, { share }) => {
    const tokens = stage.transcript.fill(share)
    const context_window = { context_window_size: WINDOW_TOKENS, current_usage: { input_tokens: tokens } }
    await stage.hooks.report('StatusLine', { context_window })
    speak(stage, `My context is ${Math.round(share * 100)} % full.`)
    return 'on'
  },
  compact: async (stage) => {
    await stage.hooks.report('PreCompact', { trigger: 'auto', custom_instructions: null })
    await stage.wait(2000)
    stage.transcript.fill(0.1)
    await stage.hooks.report('SessionStart', { source: 'compact' })
    await stage.hooks.report('PostCompact', { trigger: 'auto', compact_summary: 'a simulated summary' })
    return 'on'
  },
}

export function speak(stage: Stage, text: string): void {
  stage.transcript.assistant([{ type: 'text', text }], 'end_turn')
  stage.screen.say(text)
}

/** Small calls, each another one than those before, until the time is over. */
async function work(stage: Stage, { ms }: { ms: number }): Promise<'on' | 'over'> {
  for (let left = ms; left > 0; left -= WORK_CALL_MS) {
    const call = smallCall()
    const goesOn = await useTool(stage, call, async () => {
      await stage.wait(Math.min(left, WORK_CALL_MS))
      return OK
    })
    if (goesOn === 'over') return 'over'
  }
  return 'on'
}

let calls = 0

function smallCall(): Call {
  calls += 1
  const inputs: readonly Call[] = [
    { tool: 'Read', input: { file_path: `src/part-${calls}.ts` } },
    { tool: 'Grep', input: { pattern: `part${calls}` } },
    { tool: 'Bash', input: { command: `npm test -- part-${calls}`, description: 'Run some tests' } },
  ]
  return inputs[calls % inputs.length] ?? { tool: 'Read', input: {} }
}

async function permission(stage: Stage, call: Call): Promise<Result> {
  const dialog = { call, title: `May I run ${words(call)}?`, options: ['Yes', 'No'], free: false }
  const answer = await askPerson(stage, dialog)
  if ('label' in answer) return answer.label === 'Yes' ? OK : { ok: false, error: 'The user said no.', denied: true }
  const { behavior } = answer.decision
  return behavior === 'allow' ? OK : { ok: false, error: textIn(answer.decision, 'message'), denied: true }
}

function question(
  stage: Stage,
  { text, options }: { text: string; options: readonly string[] },
): Promise<'on' | 'over'> {
  const labels = options.map((label) => ({ label, description: label }))
  const input = { questions: [{ question: text, header: 'Question', options: labels, multiSelect: false }] }
  const call = { tool: 'AskUserQuestion', input }
  return useTool(stage, call, async () => {
    const answer = await askPerson(stage, { call, title: text, options, free: true })
    if ('label' in answer) return { ok: true, response: { answers: { [text]: answer.label } } }
    const { behavior, updatedInput } = answer.decision
    if (behavior !== 'allow') return { ok: false, error: 'The user did not answer.', denied: true }
    const { answers } = toBody(updatedInput)
    stage.screen.say(`  answered: ${String(toBody(answers)[text])}`)
    return { ok: true, response: { answers } }
  })
}

async function limit(stage: Stage, { ms, resumes }: { ms: number; resumes: boolean }): Promise<'on' | 'over'> {
  stage.limitedUntil = Date.now() + stage.scaled(ms)
  await reportLimit(stage)
  if (!resumes) return 'over'
  await stage.wait(ms)
  return 'on'
}

export function reportLimit(stage: Stage): Promise<'over'> {
  const text = `Usage limit reached|${Math.ceil(stage.limitedUntil / 1000)}`
  return failTurn(stage, { error: 'rate_limit', text, status: 429 })
}

const STATUS: Readonly<Record<string, number>> = { rate_limit: 429, server_error: 529, authentication_failed: 401 }

async function failTurn(
  stage: Stage,
  { error, text, status }: { error: string; text: string; status: number },
): Promise<'over'> {
  stage.transcript.failure(text, status)
  stage.screen.say(text)
  await stage.hooks.report('StopFailure', { error, last_assistant_message: text })
  return 'over'
}

function edit(stage: Stage, { file, text }: { file: string; text: string }): Promise<'on' | 'over'> {
  const path = resolve(stage.cwd, file)
  return useTool(stage, { tool: 'Write', input: { file_path: path, content: text } }, async () => {
    if (relative(stage.cwd, path).startsWith('..')) return { ok: false, error: `${file} is outside the workspace` }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return { ok: true, response: { filePath: path } }
  })
}

function commit(stage: Stage, { message }: { message: string }): Promise<'on' | 'over'> {
  const git = ['git', '-C', stage.cwd, '-c', 'user.name=understudy', '-c', 'user.email=understudy@localhost']
  const input = { command: `git add -A && git commit -m ${JSON.stringify(message)}`, description: 'Commit' }
  return useTool(stage, { tool: 'Bash', input }, async () => {
    for (const args of [
      ['add', '-A'],
      ['commit', '--quiet', '--no-verify', '-m', message],
    ]) {
      const { code, stdout } = await startChild([...git, ...args], { listen: true }).ended
      if (code !== 0) return { ok: false, error: `Exit code ${code}: git ${args[0]} ${stdout.trim()}` }
    }
    return OK
  })
}

async function loop(
  stage: Stage,
  { call, times, ms }: { call: Call; times: number; ms: number },
): Promise<'on' | 'over'> {
  for (let k = 0; k < times; k += 1) {
    const goesOn = await useTool(stage, call, async () => {
      await stage.wait(ms)
      return { ok: false, error: 'Exit code 1' }
    })
    if (goesOn === 'over') return 'over'
  }
  return 'on'
}

export function whyCut(error: unknown): 'interrupt' | 'skip' | undefined {
  return error instanceof Interruption ? error.why : undefined
}
