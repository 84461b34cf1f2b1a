/** The tag `CLOISTER_RUN=<homeId>.<run>` that every process of an agent inherits in its environment. */
import { readProcFile } from './proc-stat.ts'

const NAME = Buffer.from('CLOISTER_RUN=')

export interface RunTag {
  homeId: string
  run: string
}

/**
 * «blank» is an environment without a single variable: that of `env -i`, and for a moment that of every process
 * which is just starting its program.
 */
export function readTag(pid: number): RunTag | 'blank' | undefined {
  const environ = readProcFile(`/proc/${pid}/environ`)
  if (environ === undefined) return undefined
  return environ.length === 0 ? 'blank' : findTag(environ)
}

/** The agent whose process it is, as it carries it; only what may be an agent's name. */
export function readAgent(pid: number): string | undefined {
  const environ = readProcFile(`/proc/${pid}/environ`)?.toString('utf8') ?? ''
  return /(?:^|\0)PANOPTICON_AGENT_ID=([A-Za-z0-9][A-Za-z0-9_.-]{0,127})(?:\0|$)/.exec(environ)?.[1]
}

/** The variable counts only as a whole entry; its first entry counts, as for getenv. */
export function findTag(environ: Buffer): RunTag | undefined {
  for (let at = environ.indexOf(NAME); at >= 0; at = environ.indexOf(NAME, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue
    const end = environ.indexOf(0, at)
    const value = environ.toString('utf8', at + NAME.length, end < 0 ? environ.length : end)
    const dot = value.indexOf('.')
    return dot > 0 && dot < value.length - 1 ? { homeId: value.slice(0, dot), run: value.slice(dot + 1) } : undefined
  }
  return undefined
}
