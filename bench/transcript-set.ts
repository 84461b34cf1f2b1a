/**
 * Writes transcripts like those of Claude Code 2.1.325, the same ones for the same seed: messages over one to three
 * lines with partial usage on all but the last, subagents in files of their own, forks that repeat the lines of
 * another session, results of tools that hold a usage as text and as an object, and now and then a tool call whose
 * input is itself a record with a usage.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface GeneratedSet {
  files: string[]
  bytes: number
  lines: number
}

interface Shape {
  files: number
  /** Of one file, on average. */
  fileBytes: number
  seed?: number
}

export function writeSet(folder: string, { files: count, fileBytes, seed = 1 }: Shape): GeneratedSet {
  const writer = new Writer(seed)
  const made: GeneratedSet = { files: [], bytes: 0, lines: 0 }
  let previous: string[] = []
  let session = ''
  for (let n = 0; n < count; n += 1) {
    const isSubagent = n % 7 === 6
    const isFork = n % 20 === 19
    if (!isSubagent) session = writer.uuid()
    const project = join(folder, 'projects', `-srv-project-${n % 40}`)
    const file = isSubagent
      ? join(folder, 'projects', 'subagents-of', session, 'subagents', `agent-${n}.jsonl`)
      : join(project, `${session}.jsonl`)
    const repeated = isFork ? previous.slice(0, Math.floor(previous.length * 0.6)) : []
    const wanted = fileBytes * (0.5 + writer.random())
    const lines = [...repeated, ...writer.lines({ session, isSubagent }, isFork ? wanted / 2 : wanted)]
    previous = lines
    const text = `${lines.join('\n')}\n`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    made.files.push(file)
    made.bytes += Buffer.byteLength(text)
    made.lines += lines.length
  }
  return made
}

/** New messages at the end of some files; how many lines. */
export function growSet({ files }: GeneratedSet, bytesEach: number, seed: number): number {
  const writer = new Writer(seed)
  let count = 0
  for (const file of files) {
    const lines = writer.lines({ session: writer.uuid(), isSubagent: false }, bytesEach)
    appendFileSync(file, `${lines.join('\n')}\n`)
    count += lines.length
  }
  return count
}

/** New messages, each as the lines that the client writes for it and for the result of its call: two to four. */
export function exchanges(count: number, seed: number): string[][] {
  const writer = new Writer(seed)
  const session = { session: writer.uuid(), isSubagent: false }
  return Array.from({ length: count }, () => writer.exchange(session))
}

interface Session {
  session: string
  isSubagent: boolean
}

const MODELS = ['claude-opus-5-5', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5']
const WORDS =
  'const return await function the file test error of src/main.ts import {readFile} === undefined => Promise<void> ' +
  '"quoted" `${value}` // why: é ü 測試 🙂 \\d+ 0x1f null true {} [] and then it was not found, because'

class Writer {
  #state: number
  #clock = Date.UTC(2026, 9, 1)
  readonly #texts: string[]
  readonly #signatures: string[]

  constructor(seed: number) {
    this.#state = seed
    // Made once, already as JSON: the generator must not take longer than what is measured.
    this.#texts = Array.from({ length: 400 }, () => JSON.stringify(this.#prose(200 + this.#below(4000))).slice(1, -1))
    this.#signatures = Array.from({ length: 60 }, () => this.#hex(400 + this.#below(2000)))
  }

  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  uuid(): string {
    const hex = this.#hex(32)
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  lines(session: Session, bytes: number): string[] {
    const lines = [this.#user(session, `"${this.#text(800)}"`)]
    let length = lines[0]?.length ?? 0
    while (length < bytes) {
      for (const line of this.exchange(session)) {
        lines.push(line)
        length += line.length + 1
      }
    }
    return lines
  }

  exchange(session: Session): string[] {
    return [...this.#message(session), this.#result(session)]
  }

  #message(session: Session): string[] {
    const id = `msg_01${this.#hex(22)}`
    const request = `req_011${this.#hex(21)}`
    const model = MODELS[this.#below(MODELS.length)] ?? ''
    const [written, isHour] = [this.#below(9000), this.random() < 0.3]
    const figures = { input: this.#below(40), read: this.#below(180_000), written, isHour }
    const output = 20 + this.#below(2500)
    const blocks = this.#blocks()
    return blocks.map((block, n) => {
      const isLast = n === blocks.length - 1
      const message =
        `{"model":"${model}","id":"${id}","type":"message","role":"assistant","content":[${block}],` +
        `"stop_reason":${isLast ? '"tool_use"' : 'null'},"stop_sequence":null,"usage":${usage(figures, isLast ? output : 1 + n)}}`
      return this.#line(
        session,
        `"message":${message},"apiBlockIndex":${n},"requestId":"${request}","type":"assistant"`,
      )
    })
  }

  #blocks(): string[] {
    const thinking = `{"type":"thinking","thinking":"","signature":"${this.#pick(this.#signatures)}"}`
    const text = `{"type":"text","text":"${this.#text(1200)}"}`
    const input =
      this.random() < 0.005
        ? `{"type":"assistant","requestId":"req_x","message":{"id":"msg_x","model":"claude-opus-5-5","usage":{"input_tokens":77777,"output_tokens":77777}}}`
        : `{"command":"${this.#text(1500)}","description":"${this.#text(60)}"}`
    const call = `{"type":"tool_use","id":"toolu_01${this.#hex(22)}","name":"Bash","input":${input}}`
    return [thinking, text, call].filter((_, n) => n === 2 || this.random() < 0.43)
  }

  #result(session: Session): string {
    const body = Array.from({ length: 1 + this.#below(5) }, () => this.#pick(this.#texts)).join('\\n')
    const shown = this.random() < 0.1 ? `${body}{\\"message\\":{\\"usage\\":{\\"input_tokens\\":5555}}}` : body
    const own =
      this.random() < 0.1
        ? `{"totalTokens":5,"usage":{"input_tokens":5555,"output_tokens":555,"cache_read_input_tokens":5}}`
        : `{"stdout":"${this.#text(400)}","stderr":"","interrupted":false,"isImage":false}`
    const content = `[{"tool_use_id":"toolu_01${this.#hex(22)}","type":"tool_result","content":"${shown}","is_error":false}]`
    return this.#user(session, content, `,"toolUseResult":${own}`)
  }

  #user(session: Session, content: string, more = ''): string {
    return this.#line(session, `"type":"user","message":{"role":"user","content":${content}}${more}`)
  }

  #line({ session, isSubagent }: Session, own: string): string {
    this.#clock += 1 + this.#below(4000)
    const agent = isSubagent ? `,"agentId":"a${session.slice(0, 7)}"` : ''
    return (
      `{"parentUuid":"${this.uuid()}","isSidechain":${isSubagent}${agent},${own},"uuid":"${this.uuid()}",` +
      `"timestamp":"${new Date(this.#clock).toISOString()}","userType":"external","cwd":"/srv/project","sessionId":"${session}",` +
      `"version":"2.1.325","gitBranch":"main"}`
    )
  }

  #text(length: number): string {
    const text = this.#pick(this.#texts).slice(0, 1 + this.#below(length))
    // Neither half an escape nor half a character.
    const odd = /(\\*)$/.exec(text)?.[1]?.length ?? 0
    return (odd % 2 === 1 ? text.slice(0, -1) : text).replace(/\\u[0-9a-f]{0,3}$/, '').toWellFormed()
  }

  #prose(length: number): string {
    const words = WORDS.split(' ')
    let text = ''
    while (text.length < length) text += `${this.#pick(words)}${this.random() < 0.12 ? '\n  ' : ' '}`
    return text
  }

  #hex(length: number): string {
    let text = ''
    while (text.length < length) text += Math.floor(this.random() * 2 ** 32).toString(36)
    return text.slice(0, length)
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit)
  }
}

interface Input {
  input: number
  read: number
  written: number
  isHour: boolean
}

function usage({ input, read, written, isHour }: Input, output: number): string {
  const [hour, minutes] = isHour ? [written, 0] : [0, written]
  return (
    `{"input_tokens":${input},"cache_creation_input_tokens":${written},"cache_read_input_tokens":${read},` +
    `"cache_creation":{"ephemeral_1h_input_tokens":${hour},"ephemeral_5m_input_tokens":${minutes}},` +
    `"output_tokens":${output},"service_tier":"standard","inference_geo":"not_available"}`
  )
}
