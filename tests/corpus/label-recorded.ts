/** Labels of a recorded session, by what its scenario made it do. Reads the order of its reports and judges nothing. */
import { SECOND } from '../../src/core/durations.ts'
import type { Item, Label, Truth } from './timeline.ts'

/** What is known of a session because it was made so. */
export interface Plot {
  /** From its call of this number on it repeats itself. */
  loopFrom?: number
  /** Only calls of which this stands in the input belong to the loop. */
  loopTool?: string
  /** So long after its last report it hangs, by what is promised. */
  hangAfterMs?: number
  dies?: boolean
}

type HookItem = Extract<Item, { hook: string }>

const TRUTH: Record<string, Truth> = {
  UserPromptSubmit: 'thinking',
  PreToolUse: 'working_tool',
  PermissionRequest: 'waiting_permission',
  PostToolUse: 'thinking',
  PostToolUseFailure: 'thinking',
  Stop: 'idle',
}

export function labelsOf(items: readonly Item[], plot: Plot & { lengthMs: number }): Label[] {
  const hooks = items.filter((item): item is HookItem => 'hook' in item)
  const marks: { at: number; truth: Truth }[] = [{ at: 0, truth: 'starting' }]
  for (const { at, hook, body } of hooks) {
    const truth = hook === 'StopFailure' ? failure(body) : isQuestion(hook, body) ? 'waiting_user' : TRUTH[hook]
    if (truth !== undefined) marks.push({ at, truth })
  }
  return withTrouble(spansOf(marks, plot.lengthMs), items, plot)
}

function failure(body: object): Truth {
  return 'error' in body && body.error === 'rate_limit' ? 'rate_limited' : 'api_error'
}

function isQuestion(hook: string, body: object): boolean {
  return hook === 'PermissionRequest' && 'tool_name' in body && body.tool_name === 'AskUserQuestion'
}

function spansOf(marks: readonly { at: number; truth: Truth }[], lengthMs: number): Label[] {
  return marks
    .map(({ at, truth }, n) => ({ agent: 0, fromAt: at, toAt: marks[n + 1]?.at ?? lengthMs, truth }))
    .filter(({ fromAt, toAt }) => toAt > fromAt)
}

function withTrouble(spans: readonly Label[], items: readonly Item[], plot: Plot & { lengthMs: number }): Label[] {
  const { loopFrom, loopTool = '', hangAfterMs, dies, lengthMs } = plot
  const hooks = items.filter((item): item is HookItem => 'hook' in item)
  if (loopFrom !== undefined) {
    const over = hooks.filter(
      ({ hook, body }) => hook.startsWith('PostToolUse') && JSON.stringify(body).includes(loopTool),
    )
    const steps = over.slice(loopFrom).map(({ at }) => at)
    const fromAt = (over[loopFrom - 1]?.at ?? 0) + 1
    const toAt = (steps.at(-1) ?? lengthMs) + SECOND
    return [...before(spans, fromAt), { agent: 0, fromAt, toAt, truth: 'looping', trouble: 'loop', steps }]
  }
  if (hangAfterMs !== undefined) {
    const sign = items.findLast((item) => isSign(item))
    const fromAt = (sign?.at ?? 0) + hangAfterMs
    return [...before(spans, fromAt), { agent: 0, fromAt, toAt: lengthMs, truth: 'hung', trouble: 'hang' }]
  }
  const death = dies === true ? items.find((item) => 'see' in item && item.see.alive === false) : undefined
  if (death === undefined) return [...spans]
  const { at: fromAt } = death
  return [...before(spans, fromAt), { agent: 0, fromAt, toAt: lengthMs, truth: 'dead', trouble: 'death' }]
}

/** A report of work, or CPU. The client reminds of an open dialog, and draws a clock, whatever happens. */
function isSign(item: Item): boolean {
  return 'hook' in item ? item.hook !== 'Notification' : 'see' in item && item.see.busy === true
}

function before(spans: readonly Label[], at: number): Label[] {
  return spans.flatMap((span) => (span.fromAt >= at ? [] : { ...span, toAt: Math.min(span.toAt, at) }))
}
