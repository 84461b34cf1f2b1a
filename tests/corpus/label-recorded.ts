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
  /** It hangs by that, until it hears what is typed to it; each time anew. */
  isWoken?: true
  /** A request that is refused is waited out: until the next report it is limited. */
  waitsOut?: boolean
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
  const open = new Set<unknown>()
  for (const { at, hook, body } of hooks) {
    const truth = truthOf(hook, body)
    note(open, hook, body)
    // What is typed waits for the end of the calls, and the end of one is not that of the others.
    if (truth !== undefined) marks.push({ at, truth: truth === 'thinking' && open.size > 0 ? 'working_tool' : truth })
  }
  const refused =
    plot.waitsOut === true ? items.find((item) => 'see' in item && item.see.own?.tail?.refused) : undefined
  if (refused !== undefined) marks.push({ at: refused.at, truth: 'rate_limited' })
  return withTrouble(
    spansOf(
      marks.toSorted((a, b) => a.at - b.at),
      plot.lengthMs,
    ),
    items,
    plot,
  )
}

/** Which calls have begun and not ended. */
function note(open: Set<unknown>, hook: string, body: object): void {
  const id = 'tool_use_id' in body ? body.tool_use_id : undefined
  if (hook === 'PreToolUse') open.add(id)
  else if (hook === 'PostToolUse' || hook === 'PostToolUseFailure') open.delete(id)
  else if (hook === 'PostToolBatch' || hook.startsWith('Stop')) open.clear()
}

function truthOf(hook: string, body: object): Truth | undefined {
  if (hook === 'StopFailure') return failure(body)
  if (isQuestion(hook, body)) return 'waiting_user'
  const isBackground = hook === 'Stop' && 'background_tasks' in body && String(body.background_tasks) !== ''
  return isBackground ? 'waiting_background' : TRUTH[hook]
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
  if (hangAfterMs !== undefined && plot.isWoken === true) return wokenSpans(spans, items, { hangAfterMs, lengthMs })
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

/** Every silence that lasts for so long is a hang, from then until the next sign. */
function wokenSpans(
  spans: readonly Label[],
  items: readonly Item[],
  { hangAfterMs, lengthMs }: { hangAfterMs: number; lengthMs: number },
): Label[] {
  const signs = items.filter(isSign).map(({ at }) => at)
  const hangs = signs.flatMap((at, n) => {
    const [fromAt, toAt] = [at + hangAfterMs, signs[n + 1] ?? lengthMs]
    const isOpen = spans.some((span) => span.fromAt <= fromAt && fromAt < span.toAt && span.truth !== 'idle')
    return isOpen && fromAt < toAt ? [{ agent: 0, fromAt, toAt, truth: 'hung', trouble: 'hang' } as const] : []
  })
  const cut = (span: Label): Label[] => {
    const hang = hangs.find(({ fromAt, toAt }) => fromAt < span.toAt && span.fromAt < toAt)
    if (hang === undefined) return [span]
    const parts = [
      { ...span, toAt: hang.fromAt },
      { ...span, fromAt: hang.toAt },
    ]
    return parts.filter(({ fromAt, toAt }) => fromAt < toAt)
  }
  return [...spans.flatMap(cut), ...hangs].toSorted((a, b) => a.fromAt - b.fromAt)
}

/** A report of work, or CPU. The client reminds of an open dialog, and draws a clock, whatever happens. */
function isSign(item: Item): boolean {
  return 'hook' in item ? item.hook !== 'Notification' : 'see' in item && item.see.busy === true
}

function before(spans: readonly Label[], at: number): Label[] {
  return spans.flatMap((span) => (span.fromAt >= at ? [] : { ...span, toAt: Math.min(span.toAt, at) }))
}
