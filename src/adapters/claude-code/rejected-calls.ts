/**
 * Calls that the client refused before they began: input that fits no schema, a file that was not read, a permission that
 * a rule denies. Of these no hook tells but the one of the whole answer. What a person refused is nothing that the agent
 * did, and left out.
 */
import type { Activity } from '../../contract/evidence.ts'
import { REJECTED_MOST } from '../../contract/open-work.ts'
import type { CallTrace } from '../../contract/trace.ts'
import { callTrace, type Told } from './call-trace.ts'
import { fieldsOf, listOf, oneLine, textOf, type Fields } from './hook-body.ts'
import { ACTION_LIMIT, actionOf, toolCallOf } from './tool-call.ts'

export interface Rejected {
  traces: CallTrace[]
  /** Of the last one. */
  activity?: Omit<Activity, 'ts'>
}

/** No answer of a model has more. */
const LOOKED_AT = 200

export function rejectedCalls(calls: unknown, told: Pick<Told, 'actor' | 'wallAt'>): Rejected {
  const rejected = listOf(calls)
    .slice(-LOOKED_AT)
    .flatMap((call) => rejectedOf(fieldsOf(call)))
    .slice(-REJECTED_MOST)
  // They ran nothing, no tests either.
  const traces = rejected.flatMap(
    (call) => callTrace(call, { ...told, failed: true, recognise: () => undefined }) ?? [],
  )
  const last = rejected.at(-1)
  const call = last === undefined ? undefined : toolCallOf(last)
  if (last === undefined || call === undefined) return { traces }
  const action = oneLine(`${actionOf(call)}: refused: ${textOf(last['error']) ?? ''}`, ACTION_LIMIT)
  return { traces, activity: { tool: call.tool, action, state: 'active' } }
}

const REFUSED = /^<tool_use_error>([^]*?)(?:<\/tool_use_error>|$)/
const DENIED = /^Permission to use \S{1,100} (?:has been denied|with)/

/** As the client reports a call that failed. */
function rejectedOf(call: Fields): Fields[] {
  const response = textOf(call['tool_response'])
  if (response === undefined) return []
  const error = REFUSED.exec(response)?.[1] ?? (DENIED.test(response) ? response : undefined)
  return error === undefined ? [] : [{ tool_name: call['tool_name'], tool_input: call['tool_input'], error }]
}
