/** A script for the understudy: what it does, step by step, read from a small YAML file and refused with a reason. */
import { toCall, toDuration, toShare, toText, toTimes, toWhole, type Call } from './values.ts'

export type Step =
  | { do: 'work'; ms: number }
  | { do: 'think'; ms: number }
  | { do: 'say'; text: string }
  | { do: 'tool'; call: Call; ms: number; cpu: boolean; fails: boolean }
  | { do: 'permission'; call: Call }
  | { do: 'question'; text: string; options: readonly string[] }
  | { do: 'limit'; ms: number; resumes: boolean }
  | { do: 'fail'; error: string }
  | { do: 'hang'; hard: boolean }
  | { do: 'crash'; code: number }
  | { do: 'edit'; file: string; text: string }
  | { do: 'commit'; message: string }
  | { do: 'loop'; call: Call; times: number; ms: number }
  | { do: 'orphan'; how: Orphan; ms: number }
  | { do: 'ignore'; signals: readonly Ignorable[] }
  | { do: 'context'; share: number }
  | { do: 'compact' }
  | { do: 'stop'; background: number; ms: number }
  | { do: 'repeat'; times: number; steps: readonly Step[] }

export const ORPHANS = ['setsid', 'nohup', 'double-fork', 'stubborn'] as const
export type Orphan = (typeof ORPHANS)[number]
export const IGNORABLE = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
export type Ignorable = (typeof IGNORABLE)[number]
export const ON_MESSAGE = ['continue', 'ignore', 'next'] as const

export interface Script {
  name: string
  about: string
  /** What a message in the middle of a step does: it waits its turn, is lost, or ends the step. */
  onMessage: (typeof ON_MESSAGE)[number]
  /** Whether it saves its state when it is told to, all of it or half, and says its next step when it takes over. */
  onHandoff: (typeof ON_HANDOFF)[number]
  steps: readonly Step[]
}

const ON_HANDOFF = ['obey', 'ignore', 'half'] as const

export const NO_SCRIPT: Script = {
  name: 'none',
  about: 'answers messages',
  onMessage: 'continue',
  onHandoff: 'obey',
  steps: [],
}

/** Throws with a sentence that names the place. `value` is what the YAML file holds. */
export function toScript(value: unknown): Script {
  const { name, about, repeat, steps, ...rest } = fields(value, 'a script')
  const { on_message: onMessage = 'continue', on_handoff: onHandoff = 'obey', ...others } = rest
  refuseOthers(others, 'a script')
  const list = toSteps(steps, 'steps')
  return {
    name: toText(name, 'name'),
    about: toText(about, 'about'),
    onMessage: oneOf(ON_MESSAGE, onMessage, 'on_message'),
    onHandoff: oneOf(ON_HANDOFF, onHandoff, 'on_handoff'),
    steps: repeat === undefined ? list : [{ do: 'repeat', times: toTimes(repeat, 'repeat'), steps: list }],
  }
}

/** A step is its bare name, or its name with a value. */
export function toStep(value: unknown, where: string): Step {
  const [[name, given] = [], ...more] =
    typeof value === 'string' ? [[value, undefined]] : Object.entries(fields(value, where))
  if (typeof name !== 'string' || more.length > 0) throw new Error(`${where} must be one step, such as \`work: 30s\``)
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined
  if (read !== undefined) return read(given, `${where} (${name})`)
  throw new Error(`${where} is «${name}», which is no step. Steps are: ${Object.keys(READERS).join(', ')}`)
}

type Reader = (value: unknown, where: string) => Step

const READERS: Partial<Record<string, Reader>> = {
  work: (value, where) => ({ do: 'work', ms: toDuration(value ?? '10s', where) }),
  think: (value, where) => ({ do: 'think', ms: toDuration(value ?? '10s', where) }),
  say: (value, where) => ({ do: 'say', text: toText(value, where) }),
  tool: (value, where) => {
    const { name = 'Bash', takes = '5s', cpu = false, fails = false, ...input } = fields(value ?? {}, where)
    const call = { tool: toText(name, where), input: Object.keys(input).length === 0 ? { command: 'npm test' } : input }
    return { do: 'tool', call, ms: toDuration(takes, where), cpu: cpu === true, fails: fails === true }
  },
  permission: (value, where) => ({ do: 'permission', call: toCall(value, where) }),
  question: (value, where) => {
    const { text, options = ['yes', 'no'] } = typeof value === 'string' ? { text: value } : fields(value, where)
    return {
      do: 'question',
      text: toText(text, where),
      options: list(options, where).map((each) => toText(each, where)),
    }
  },
  limit: (value, where) => {
    const { for: ms = '60s', resumes = false } = fields(value ?? {}, where)
    return { do: 'limit', ms: toDuration(ms, where), resumes: resumes === true }
  },
  fail: (value, where) => ({ do: 'fail', error: toText(value ?? 'server_error', where) }),
  hang: (value, where) => ({ do: 'hang', hard: value !== undefined && oneOf(['hard'], value, where) === 'hard' }),
  crash: (value, where) => ({ do: 'crash', code: toWhole(value ?? 1, where, 255) }),
  edit: (value, where) => {
    const { file, text = '' } = fields(value, where)
    return { do: 'edit', file: toText(file, where), text: String(text) }
  },
  commit: (value, where) => ({ do: 'commit', message: toText(value, where) }),
  loop: (value, where) => {
    const { call = 'npm test', times = 10, every = '2s' } = fields(value ?? {}, where)
    return { do: 'loop', call: toCall(call, where), times: toTimes(times, where), ms: toDuration(every, where) }
  },
  orphan: (value, where) => {
    const { how = 'setsid', for: ms = '10m' } = typeof value === 'string' ? { how: value } : fields(value ?? {}, where)
    return { do: 'orphan', how: oneOf(ORPHANS, how, where), ms: toDuration(ms, where) }
  },
  ignore: (value, where) => ({
    do: 'ignore',
    signals: (Array.isArray(value) ? value : [value ?? 'SIGTERM']).map((each) => oneOf(IGNORABLE, each, where)),
  }),
  context: (value, where) => ({ do: 'context', share: toShare(value, where) }),
  compact: () => ({ do: 'compact' }),
  stop: (value, where) => {
    const { background = 0, for: ms = '10s' } = fields(value ?? {}, where)
    return { do: 'stop', background: toWhole(background, where, 100), ms: toDuration(ms, where) }
  },
  repeat: (value, where) => {
    const { times = 2, steps } = fields(value, where)
    return { do: 'repeat', times: toTimes(times, where), steps: toSteps(steps, where) }
  },
}

function toSteps(value: unknown, where: string): Step[] {
  return list(value, where).map((each, index) => toStep(each, `step ${index + 1} of ${where}`))
}

function refuseOthers(others: object, where: string): void {
  const [first] = Object.keys(others)
  if (first !== undefined) throw new Error(`${where} has no key «${first}»`)
}

function fields(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Error(`${where} must be keys with values`)
}

function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new Error(`${where} must be a list`)
}

function oneOf<T extends string>(choices: readonly T[], value: unknown, where: string): T {
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  throw new Error(`${where} must be one of ${choices.join(', ')}`)
}
