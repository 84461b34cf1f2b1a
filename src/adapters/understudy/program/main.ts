/**
 * The understudy: a simulated agent that is a real program. It prints plain lines, reads what is typed, and calls
 * the hooks that a real agent calls. It ends with its terminal, on /exit and on signals, unless its script says else.
 *
 *   main.js [--script file.yaml] [--model name] [--resume session] [--] [prompt]
 *
 * CLOISTER_HOOK_REPORT, CLOISTER_HOOK_ASK: the hook programs. CLOISTER_UNDERSTUDY_DIR: where transcripts and states go.
 * CLOISTER_UNDERSTUDY_SPEED: durations are divided by it.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Hooks } from './hooks.ts'
import { Keyboard, PASTE_OFF, PASTE_ON, type Stroke } from './keyboard.ts'
import { Performer } from './performer.ts'
import { LABEL, Screen } from './screen.ts'
import { RegistryFile } from './registry-file.ts'
import { NO_SCRIPT, toScript, type Script } from './script.ts'
import { Stage } from './stage.ts'
import { Transcript } from './transcript.ts'

/** Told to outlive its terminal, it still does not stay for ever. */
const OUTLIVES_MS = 10 * 60_000
const SIGNALS = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const

const { env, stdin, stdout } = process
const { values, positionals } = parseArgs({
  options: {
    script: { type: 'string' },
    model: { type: 'string', default: 'understudy' },
    resume: { type: 'string' },
  },
  allowPositionals: true,
})
const script = await readScript(values.script)
const cwd = process.cwd()
const folder = env['CLOISTER_UNDERSTUDY_DIR']
const transcript = openTranscript()
const registry = new RegistryFile(folder, () => transcript.session)
const hooks = new Hooks({ report: env['CLOISTER_HOOK_REPORT'], ask: env['CLOISTER_HOOK_ASK'] }, () => ({
  session_id: transcript.session,
  transcript_path: transcript.file,
  cwd,
  permission_mode: 'acceptEdits',
}))
const screen = new Screen(stdout)
const speed = Number(env['CLOISTER_UNDERSTUDY_SPEED'] ?? 1)
const stage = new Stage({ hooks, screen, transcript, registry, cwd, speed: speed > 0 ? speed : 1 })
const performer = new Performer({ stage, script, parseYaml })
const keyboard = new Keyboard(strike)
let isLeaving = false

for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => void leave('other', code))
stdin
  .on('data', (chunk: string) => keyboard.take(chunk))
  .on('end', hangUp)
  .on('error', hangUp)
stdout.on('error', hangUp)
stdin.setEncoding('utf8')
if (stdin.isTTY) stdin.setRawMode(true)
if (stdout.isTTY) stdout.write(PASTE_ON)

screen.say(`${LABEL} · ${script.name}: ${script.about}`)
registry.say('idle')
await hooks.report('SessionStart', { source: values.resume === undefined ? 'startup' : 'resume', model: values.model })
const prompt = positionals.join(' ')
if (prompt.trim() !== '') performer.hear(prompt)
await performer.perform()

function strike(stroke: Stroke): void {
  switch (stroke.kind) {
    case 'draft':
      return screen.type(stroke.text)
    case 'escape':
      return performer.interrupt()
    case 'quit':
      return void leave('prompt_input_exit', 0)
    case 'line':
      if (stage.deaf || stage.dialog?.(stroke.text) === true) return
      if (stroke.text === '/exit') return void leave('prompt_input_exit', 0)
      return performer.hear(stroke.text)
  }
}

function hangUp(): void {
  keyboard.end()
  if (stage.outlives) setTimeout(() => void leave('other', 0), OUTLIVES_MS)
  else void leave('prompt_input_exit', 0)
}

async function leave(reason: string, code: number): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  stage.end()
  registry.remove()
  await hooks.report('SessionEnd', { reason })
  if (stdout.isTTY) stdout.write(PASTE_OFF)
  if (stdin.isTTY) stdin.setRawMode(false)
  process.exit(code)
}

/** A session that is not there ends it at once, as in the client that is imitated. */
function openTranscript(): Transcript {
  const { resume: session, model } = values
  const opened = new Transcript({ folder, cwd, model, ...(session === undefined ? {} : { session }) })
  if (session === undefined || opened.isThere) return opened
  process.stderr.write(`No conversation found with session ID: ${session}\n`)
  process.exit(1)
}

async function readScript(file: string | undefined): Promise<Script> {
  if (file === undefined) return NO_SCRIPT
  try {
    return toScript(await parseYaml(await readFile(file, 'utf8')))
  } catch (error) {
    process.stderr.write(`${LABEL}: the script ${file} cannot be used: ${(error as Error).message}\n`)
    process.exit(2)
  }
}

/** The parser is loaded only when there is something to parse. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(text)
}
