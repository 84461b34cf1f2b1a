/** Writes what is said as Claude Code writes it: one JSON line per content block, usage repeated on each of them. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectName } from './project-name.ts'

export type Block = Readonly<Record<string, unknown>> & { type: string }

export interface TranscriptOptions {
  /** Where transcripts are kept; nothing is written without it. */
  folder: string | undefined
  cwd: string
  model: string
  /** One that was there before. */
  session?: string
}

export const WINDOW_TOKENS = 200_000
const TOKENS_AT_START = 12_000
const TOKENS_A_MESSAGE = 400

export class Transcript {
  readonly #options: TranscriptOptions
  #session: string
  #parent: string | null = null
  #context = TOKENS_AT_START
  #messages = 0

  constructor(options: TranscriptOptions) {
    this.#options = options
    this.#session = options.session ?? randomUUID()
  }

  get session(): string {
    return this.#session
  }

  get isThere(): boolean {
    return existsSync(this.file)
  }

  /** A session stays where it was begun. */
  get file(): string {
    const { folder, cwd } = this.#options
    if (folder === undefined) return ''
    const projects = join(folder, 'projects')
    const own = join(projects, projectName(cwd), `${this.#session}.jsonl`)
    if (existsSync(own) || !existsSync(projects)) return own
    const others = readdirSync(projects).map((each) => join(projects, each, `${this.#session}.jsonl`))
    return others.find((each) => existsSync(each)) ?? own
  }

  /** A cleared context is another session. */
  begin(): void {
    this.#session = randomUUID()
    this.#parent = null
    this.#context = TOKENS_AT_START
  }

  fill(share: number): number {
    this.#context = Math.round(share * WINDOW_TOKENS)
    return this.#context
  }

  user(content: string | readonly Block[]): void {
    this.#write({ type: 'user', message: { role: 'user', content } })
  }

  /** A text that came while it is busy. */
  queued(content: string): void {
    this.#write({ type: 'queue-operation', operation: 'enqueue', content })
  }

  assistant(blocks: readonly Block[], stop: 'end_turn' | 'tool_use'): void {
    this.#messages += 1
    this.#context = Math.min(WINDOW_TOKENS, this.#context + TOKENS_A_MESSAGE)
    const id = `msg_${this.#session.slice(0, 8)}${String(this.#messages).padStart(6, '0')}`
    const message = { id, type: 'message', role: 'assistant', model: this.#options.model, stop_reason: stop }
    const requestId = id.replace('msg_', 'req_')
    for (const [index, block] of blocks.entries()) {
      const said = { ...message, content: [block], usage: this.#usage() }
      this.#write({ type: 'assistant', message: said, requestId, apiBlockIndex: index })
    }
  }

  failure(text: string, status: number): void {
    const message = { model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }], usage: noUsage }
    this.#write({ type: 'assistant', message, isApiErrorMessage: true, apiErrorStatus: status })
  }

  #usage(): object {
    return {
      input_tokens: 10,
      cache_creation_input_tokens: TOKENS_A_MESSAGE,
      cache_read_input_tokens: Math.max(0, this.#context - TOKENS_A_MESSAGE - 10),
      output_tokens: 120,
      cache_creation: { ephemeral_5m_input_tokens: TOKENS_A_MESSAGE, ephemeral_1h_input_tokens: 0 },
      service_tier: 'standard',
    }
  }

  #write(line: object): void {
    const { file } = this
    if (file === '') return
    const uuid = randomUUID()
    const where = { cwd: this.#options.cwd, sessionId: this.#session, version: 'understudy', simulated: true }
    const full = { parentUuid: this.#parent, isSidechain: false, ...line, uuid, timestamp: now(), ...where }
    this.#parent = uuid
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, `${JSON.stringify(full)}\n`, { mode: 0o600 })
  }
}

const noUsage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

function now(): string {
  return new Date().toISOString()
}
