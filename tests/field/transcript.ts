/** A transcript as one version of the client writes it, line by line, with the mess that is found in strangers' files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Random } from '../corpus/random.ts'
import type { Shape } from './client-shapes.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export class Transcript {
  readonly session: string
  readonly random: Random
  readonly shape: Shape
  readonly #lines: string[] = []
  readonly #others = new Map<string, string[]>()
  #wallAt: number
  #ids = 0
  mode = 'bypassPermissions'

  constructor(shape: Shape, seed: number) {
    this.shape = shape
    this.random = new Random(seed)
    this.session = `${(10_000_000 + seed).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    this.#wallAt = Date.UTC(2026, 1, 1 + (seed % 20), 19, seed % 60)
    for (const type of shape.keeping.slice(0, 1)) this.#lines.push(JSON.stringify({ type, sessionId: this.session }))
  }

  get wallAt(): number {
    return this.#wallAt
  }

  wait(ms: number): void {
    this.#wallAt += ms
  }

  prompt(text: string): void {
    const mode = this.shape.permissionMode ? { permissionMode: this.mode } : {}
    this.#record({ type: 'user', ...mode, message: { role: 'user', content: text } })
  }

  interrupt(isInTool = false): void {
    const text = `[Request interrupted by user${isInTool ? ' for tool use' : ''}]`
    this.#record({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } })
  }

  /** Gives the id of the call. */
  call(name: string, input: object, words?: string): string {
    const id = this.#id('toolu')
    const message = this.#id('msg')
    if (words !== undefined) {
      this.#answer(message, { type: 'text', text: words }, 'tool_use')
      this.wait(SECOND)
    }
    this.#answer(message, { type: 'tool_use', id, name, input }, 'tool_use')
    return id
  }

  result(id: string, content: string, isError = false): void {
    const block = { tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) }
    const toolUseResult = isError ? `Error: ${content}` : { stdout: content, stderr: '', interrupted: false }
    this.#record({ type: 'user', message: { role: 'user', content: [block] }, toolUseResult })
  }

  /** A call with what came of it, and how long it took. */
  does(name: string, input: object, { takes = 3 * SECOND, says = 'ok', fails = false } = {}): void {
    const id = this.call(name, input, this.random.chance(0.3) ? 'I look.' : undefined)
    this.wait(takes)
    this.result(id, says, fails)
    this.wait(this.random.int(2, 20) * SECOND)
  }

  /** The end of a turn in words. */
  says(text: string): void {
    const message = this.#id('msg')
    if (this.random.chance(0.4)) {
      this.#answer(message, { type: 'thinking', thinking: 'hm' }, 'end_turn')
      this.wait(2 * SECOND)
    }
    this.#answer(message, { type: 'text', text }, 'end_turn')
    const { turnEnd } = this.shape
    this.wait(100)
    if (turnEnd !== undefined) this.#record({ type: 'system', subtype: turnEnd, durationMs: 1000 })
  }

  /** Words of the client in place of an answer. */
  fails(text: string, { error, status }: { error: string; status: number }): void {
    const { errors } = this.shape
    const told = {
      ...(errors === 'words' ? {} : { error }),
      ...(errors === 'status' ? { apiErrorStatus: status } : {}),
    }
    const message = { id: this.#id('msg'), model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] }
    this.#record({ type: 'assistant', isApiErrorMessage: true, ...told, message })
  }

  /** A subagent at work for some calls, where this version keeps it. */
  delegates(calls: number): void {
    const task = this.call('Task', { description: 'look around', prompt: 'look', subagent_type: 'Explore' })
    const agentId = this.#id('a')
    for (let n = 0; n < calls; n += 1) {
      this.wait(this.random.int(20, 90) * SECOND)
      const id = this.#id('toolu')
      const use = { type: 'tool_use', id, name: 'Grep', input: { pattern: `p${n}` } }
      this.#ofSubagent(agentId, { type: 'assistant', message: this.#message(this.#id('msg'), use, 'tool_use') })
      this.wait(2 * SECOND)
      const result = { type: 'tool_result', tool_use_id: id, content: `${n} files` }
      this.#ofSubagent(agentId, { type: 'user', message: { role: 'user', content: [result] } })
    }
    this.wait(5 * SECOND)
    const block = { tool_use_id: task, type: 'tool_result', content: [{ type: 'text', text: 'found' }] }
    const toolUseResult = { status: 'completed', agentId, totalDurationMs: 1000 }
    this.#record({ type: 'user', message: { role: 'user', content: [block] }, toolUseResult })
    this.wait(3 * SECOND)
  }

  retries(times: number): void {
    for (let n = 1; n <= times; n += 1) {
      this.#record({
        type: 'system',
        subtype: 'api_error',
        level: 'error',
        error: {},
        retryInMs: 546,
        retryAttempt: n,
        maxRetries: 10,
      })
      this.wait(30 * SECOND)
    }
  }

  write(folder: string): string {
    const file = join(folder, `${this.session}.jsonl`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, this.#messy())
    for (const [name, lines] of this.#others) {
      const other = join(folder, name)
      mkdirSync(dirname(other), { recursive: true })
      writeFileSync(other, `${lines.join('\n')}\n`)
    }
    return file
  }

  /** Strangers' files: a mark at the beginning, other line ends, two records on a line, half a record, no end. */
  #messy(): string {
    const { random } = this
    const end = random.chance(0.2) ? '\r\n' : '\n'
    const lines = this.#lines.map((line) => (random.chance(0.02) ? line : `${line}${end}`))
    if (random.chance(0.3)) lines.splice(random.int(1, lines.length - 1), 0, `{"type":"user","message":{"role":${end}`)
    if (random.chance(0.3))
      lines.splice(1, 0, `${end}not json${end}[1,2]${end}{"type":7}${end}{"type":"assistant"}${end}`)
    return `${random.chance(0.2) ? '\uFEFF' : ''}${lines.join('')}`
  }

  #answer(id: string, block: object, why: string): void {
    this.#record({ type: 'assistant', requestId: `req_${id}`, message: this.#message(id, block, why) })
    if (this.shape.keeping.includes('api-request') && why === 'tool_use') {
      this.#push({ type: 'api-request', requestDigest: this.#id('d'), querySource: 'repl_main_thread' })
    }
  }

  #message(id: string, block: object, why: string): object {
    const usage = {
      input_tokens: 10,
      output_tokens: 20,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 10,
    }
    const stop = this.shape.stopReasons ? why : null
    return {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [block],
      stop_reason: stop,
      usage,
    }
  }

  #ofSubagent(agentId: string, record: object): void {
    const sidechain = { ...this.#common(), isSidechain: true, agentId, ...record }
    switch (this.shape.subagents) {
      case 'sidechain':
        return this.#push({ isSidechain: true, ...record })
      case 'progress':
        return this.#record({ type: 'progress', data: { type: 'agent_progress', agentId, message: record } })
      case 'beside':
        return this.#other(`agent-${agentId}.jsonl`, sidechain)
      case 'folder':
        return this.#other(`${this.session}/subagents/agent-${agentId}.jsonl`, sidechain)
    }
  }

  #other(name: string, record: object): void {
    this.#others.set(name, [...(this.#others.get(name) ?? []), JSON.stringify(record)])
  }

  #record(record: object): void {
    this.#push({ isSidechain: false, ...record })
    const type = this.shape.keeping.at(-1)
    if (this.random.chance(0.2) && type !== 'api-request')
      this.#lines.push(JSON.stringify({ type, sessionId: this.session }))
  }

  #push(record: object): void {
    this.#lines.push(JSON.stringify({ ...this.#common(), ...record }))
    // Some are written a little after what came later.
    const [before, last] = this.#lines.slice(-2)
    if (before !== undefined && last !== undefined && this.random.chance(0.02)) this.#lines.splice(-2, 2, last, before)
  }

  #common(): object {
    return {
      ...{ parentUuid: null, userType: 'external', cwd: '/home/someone/shop', sessionId: this.session },
      ...{ version: this.shape.version, gitBranch: 'main', uuid: this.#id('u') },
      timestamp: new Date(this.#wallAt).toISOString(),
    }
  }

  #id(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${this.session.slice(0, 8)}${this.#ids}`
  }
}
