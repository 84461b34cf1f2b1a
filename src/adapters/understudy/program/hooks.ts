/** Calls the real hook programs as Claude Code does: JSON on standard input, answers as JSON on standard output. */
import { startChild, type Child } from '../../process/start-child.ts'

export interface HookPrograms {
  report: string | undefined
  ask: string | undefined
}

export type Body = Readonly<Record<string, unknown>>

const REPORT_TIMEOUT_MS = 10_000

export class Hooks {
  readonly #programs: HookPrograms
  readonly #base: () => Body

  constructor(programs: HookPrograms, base: () => Body) {
    this.#programs = programs
    this.#base = base
  }

  /** What the hook printed, as an object; empty when it printed nothing that can be read, or there is no hook. */
  async report(kind: string, body: Body = {}): Promise<Body> {
    const child = this.#start(this.#programs.report, kind, body)
    if (child === undefined) return {}
    const timer = setTimeout(() => child.kill('SIGKILL'), REPORT_TIMEOUT_MS)
    const { stdout } = await child.ended
    clearTimeout(timer)
    return toBody(stdout)
  }

  /** The answer comes when a person gives it; `cancel` when it was given elsewhere. */
  ask(body: Body): { answer: Promise<Body>; cancel: () => void } {
    const child = this.#start(this.#programs.ask, 'PermissionRequest', body)
    if (child === undefined) return { answer: Promise.resolve({}), cancel: () => undefined }
    return { answer: child.ended.then(({ stdout }) => toBody(stdout)), cancel: () => child.kill('SIGTERM') }
  }

  #start(program: string | undefined, kind: string, body: Body): Child | undefined {
    if (program === undefined) return undefined
    const input = JSON.stringify({ ...this.#base(), hook_event_name: kind, ...body })
    return startChild([program, kind], { input, listen: true })
  }
}

export function toBody(value: unknown): Body {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Body) : {}
  } catch {
    return {}
  }
}

export function textIn(body: Body, key: string): string {
  const text = body[key]
  return typeof text === 'string' && text !== '' ? text : 'no reason was given'
}
