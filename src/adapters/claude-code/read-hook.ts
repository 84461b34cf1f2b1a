/**
 * One hook report of Claude Code in our own words: facts, of which the core makes what the agent does. Remembers nothing.
 * Garbage is nothing; a kind that is not known is a sign of life.
 */
import type { Activity, Doing, Gauges } from '../../contract/evidence.ts'
import { askId, sessionId } from '../../contract/ids.ts'
import type { CallBounds, Fact } from '../../contract/open-work.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import { readEcho } from '../../core/handoffs/echo.ts'
import type { RawReport } from '../../core/ports.ts'
import type { Said } from '../../core/runtime-port.ts'
import type { RecogniseTestRun } from '../../core/test-runs.ts'
import { parseAsk, requestOf, type Ask } from './ask.ts'
import { listOf, oneLine, parseBody, textOf, type Fields } from './hook-body.ts'
import { readStatusLine } from './read-status-line.ts'
import { callTrace, textTrace } from './call-trace.ts'
import { rejectedCalls } from './rejected-calls.ts'
import { failureOf } from './stop-failure.ts'
import { boundOf, delegates } from './call-bounds.ts'
import { ACTION_LIMIT, actionOf, identityOf, toolCallOf } from './tool-call.ts'

export interface Reading {
  /** Time zone of the machine, by which its program tells times of day. */
  zone: string
  /** How long its program lets its calls run; undefined where nobody knows. */
  bounds: CallBounds | undefined
  recognise: RecogniseTestRun
}

export function readHook(report: RawReport, reading: Reading): Said | undefined {
  const fields = parseBody(report.body)
  if (fields === undefined) return undefined
  if (report.kind === 'StatusLine') return statusLine(report, fields)
  const actor = (textOf(fields['agent_id']) ?? '').slice(0, 100)
  const { activity, ...told } = (KINDS.get(report.kind) ?? nothing)({ report, fields, reading, actor })
  const session = sessionId.safeParse(fields['session_id']).data
  const mode = textOf(fields['permission_mode'])
  return {
    witness: 'hook',
    stamp: report.id.slice(0, 200),
    ...told,
    ...(activity === undefined ? {} : { activity: { ts: instant(report.wallAt), ...activity } }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(mode === undefined ? {} : { gauges: { permissionMode: oneLine(mode, 40) } }),
  }
}

/** It says nothing before the first answer. */
function statusLine(report: RawReport, fields: Fields): Said | undefined {
  const { context, limits, costUsd } = readStatusLine(fields)
  if (context === undefined) return undefined
  const gauges: Gauges = {
    context,
    ...(limits.length === 0 ? {} : { limits: [...limits] }),
    ...(costUsd === undefined ? {} : { sessionCostUsd: costUsd }),
  }
  return { witness: 'hook', stamp: report.id.slice(0, 200), gauges }
}

interface Told extends Pick<Said, 'trace' | 'echo'> {
  facts?: Fact[]
  progress?: string
  heard?: string
  activity?: Omit<Activity, 'ts'>
}

interface Given {
  report: RawReport
  fields: Fields
  reading: Reading
  /** The subagent that reports, or the empty text for the main conversation. */
  actor: string
}

const KINDS = new Map<string, (given: Given) => Told>(
  Object.entries({
    SessionStart: sessionStart,
    SessionEnd: ({ fields }: Given) => ({ activity: said('idle', 'session ended', fields['reason']) }),
    UserPromptSubmit: userPromptSubmit,
    PreToolUse: preToolUse,
    PostToolUse: (given: Given) => postToolUse(given, false),
    PostToolUseFailure: (given: Given) => postToolUse(given, true),
    PostToolBatch: postToolBatch,
    PermissionRequest: permissionRequest,
    PermissionDenied: ({ fields }: Given) => ({ activity: called(fields, 'denied') }),
    Elicitation: elicitation,
    ElicitationResult: () => ({ facts: [{ fact: 'wait_closed', key: ELICITATION }] satisfies Fact[] }),
    Notification: notification,
    Stop: stop,
    StopFailure: stopFailure,
    SubagentStart: ({ fields }: Given) => subagent(fields, 'subagent started', fields['agent_type']),
    SubagentStop: subagentStop,
    TaskCreated: ({ fields }: Given) => ({ activity: said('active', 'task', fields['task_subject']) }),
    TaskCompleted: taskCompleted,
    PostModelSwitch: ({ fields }: Given) => ({ activity: said('active', 'model', fields['to_model']) }),
    PreCompact: preCompact,
    // After a compaction that a person asked for the client rests; else it goes on with its turn.
    PostCompact: ({ fields, actor }: Given) =>
      between(actor, { kind: fields['trigger'] === 'manual' ? 'idle' : 'thinking' }),
  }),
)

function nothing(): Told {
  return {}
}

function sessionStart({ fields }: Given): Told {
  const source = fields['source']
  // In the middle of a compaction, which PostCompact ends.
  if (source === 'compact') return nothing()
  return { facts: [{ fact: 'session_began' }], activity: said('idle', 'session started', source) }
}

/** Reported also when the text only waits for the end of the present calls. */
function userPromptSubmit({ fields }: Given): Told {
  const facts: Fact[] = [{ fact: 'prompt_heard' }]
  const prompt = textOf(fields['prompt'])
  if (prompt === undefined) return { facts }
  return { facts, heard: fingerprint(prompt), activity: said('active', 'heard', prompt) }
}

function preToolUse({ fields, reading, actor }: Given): Told {
  const call = toolCallOf(fields)
  if (call === undefined) return nothing()
  const boundMs = boundOf(call, reading.bounds)
  const says = actor === '' && echoOf(call.input['command']).echo !== undefined
  const opened: Fact = {
    fact: 'call_opened',
    ...{ id: callId(fields), actor, tool: call.tool, identity: identityOf(call) },
    ...(boundMs === undefined ? {} : { boundMs }),
    ...(says ? { says } : {}),
    ...(delegates(call) ? { delegates: true } : {}),
  }
  return { facts: [opened], activity: { tool: call.tool, action: actionOf(call), state: 'active' } }
}

function callId(fields: Fields): string {
  return (textOf(fields['tool_use_id']) ?? '').slice(0, 200)
}

/** A finished call, also one that failed, leaves a trace, by which a repeated one is known. */
function postToolUse({ report, fields, actor, reading: { recognise } }: Given, failed: boolean): Told {
  const facts: Fact[] = [{ fact: 'call_closed', id: callId(fields), actor }]
  const trace = callTrace(fields, { failed, actor, wallAt: report.wallAt, recognise })
  const said = actor === '' ? echoOf(toolCallOf(fields)?.input['command']) : {}
  if (trace === undefined) return { facts, ...said }
  return { facts, trace: said.echo === undefined ? trace : { ...trace, says: true }, ...said }
}

/** All calls of one answer of the model are over, also those that a person refused, which end without a word. */
function postToolBatch({ report, fields, actor }: Given): Told {
  const { traces, activity } = rejectedCalls(fields['tool_calls'], { actor, wallAt: report.wallAt })
  const rejected = traces.length === 0 ? {} : { rejected: traces }
  return { facts: [{ fact: 'calls_closed', actor, ...rejected }], ...(activity === undefined ? {} : { activity }) }
}

/** The line by which one who takes over shows that it read what it was given. */
function echoOf(text: unknown): Pick<Told, 'echo'> {
  const echo = typeof text === 'string' ? readEcho(text) : undefined
  return echo === undefined ? {} : { echo }
}

function permissionRequest({ report, fields, actor }: Given): Told {
  const asked = parseAsk(report.body)
  const call = toolCallOf(fields)
  if (asked === undefined || call === undefined) return nothing()
  const ask = askOf(report, asked)
  const doing: Doing =
    asked.kind === 'question'
      ? { kind: 'question', what: asked.what, ...ask, questions: [...asked.questions] }
      : { kind: 'permission', what: asked.what, ...ask }
  const key = report.id.slice(-200)
  return {
    facts: [{ fact: 'wait_opened', key, actor, identity: identityOf(call), doing }],
    activity: { tool: asked.tool, ...said('active', 'asks', asked.what) },
  }
}

/** What is needed to answer it from here; nothing when it cannot be kept. */
function askOf(report: RawReport, asked: Ask): { ask?: { id: string; request: string } } {
  const id = askId.safeParse(report.id.slice(report.id.lastIndexOf('.') + 1)).data
  const request = requestOf(asked)
  return id === undefined || request === undefined ? {} : { ask: { id, request } }
}

const ELICITATION = 'elicitation'

/** A server of tools asks the person; that dialog is answered in the client's own terminal. */
function elicitation({ fields, actor }: Given): Told {
  const asker = textOf(fields['mcp_server_name']) ?? 'a tool'
  const what = oneLine(`${asker}: ${textOf(fields['message']) ?? 'it asks for input'}`, 400)
  const doing: Doing = { kind: 'question', what }
  return {
    facts: [{ fact: 'wait_opened', key: ELICITATION, actor, doing }],
    activity: said('active', 'asks', what),
  }
}

/** Inner forks of the client, such as a compaction, end like subagents, but have no type. */
function subagent(fields: Fields, verb: string, what: unknown): Told {
  return textOf(fields['agent_type']) === undefined ? nothing() : { activity: said('active', verb, what) }
}

function subagentStop({ fields, actor }: Given): Told {
  const told = subagent(fields, 'subagent finished', fields['last_assistant_message'])
  return actor === '' ? told : { ...told, facts: [{ fact: 'calls_closed', actor }] }
}

function taskCompleted({ fields }: Given): Told {
  const id = textOf(fields['task_id'])
  const progress = id === undefined ? {} : { progress: oneLine(`task ${id}`, 200) }
  return { ...progress, activity: said('active', 'task done', fields['task_subject']) }
}

function called(fields: Fields, verb: string): Omit<Activity, 'ts'> {
  const call = toolCallOf(fields)
  return call === undefined
    ? said('active', verb, undefined)
    : { tool: call.tool, ...said('active', verb, actionOf(call)) }
}

/** Comes some seconds after the request itself, and for dialogs that send no request. */
function notification({ report, fields, actor }: Given): Told {
  const what = oneLine(textOf(fields['message']) ?? 'it waits for a person', 400)
  switch (fields['notification_type']) {
    case 'permission_prompt': {
      const doing: Doing = { kind: 'permission', what }
      return { facts: [{ fact: 'wait_opened', key: report.id.slice(-200), actor, doing, reminds: true }] }
    }
    case 'idle_prompt':
      return { facts: [{ fact: 'rest_noticed' }] }
    default:
      return nothing()
  }
}

/** One that a person asked for is no sign of anything. */
function preCompact({ report, fields, actor }: Given): Told {
  const isOwn = fields['trigger'] !== 'manual'
  return {
    ...between(actor, { kind: 'compacting' }),
    ...(isOwn ? { trace: { kind: 'compaction', wallAt: report.wallAt } } : {}),
  }
}

/** A subagent's context is its own concern. */
function between(actor: string, rest: Doing): Told {
  return actor === '' ? { facts: [{ fact: 'between_calls', rest }] } : nothing()
}

/** The end of a turn is rest only when nothing runs on in the background. */
function stop({ report, fields, actor }: Given): Told {
  const tasks = listOf(fields['background_tasks']).length + listOf(fields['session_crons']).length
  const message = textOf(fields['last_assistant_message'])
  const trace = message === undefined ? {} : { trace: textTrace(message, report.wallAt), ...echoOf(message) }
  const rest: Doing = tasks === 0 ? { kind: 'idle' } : { kind: 'background', tasks }
  const facts: Fact[] = actor === '' ? [{ fact: 'turn_ended', rest }] : [{ fact: 'calls_closed', actor }]
  const activity = tasks === 0 ? said('idle', 'finished', message) : said('active', 'waits for the background', message)
  return { facts, ...trace, activity }
}

function stopFailure({ report, fields, reading, actor }: Given): Told {
  const message = textOf(fields['last_assistant_message']) ?? textOf(fields['error']) ?? 'the API failed'
  const activity = said('active', 'stopped by', message)
  // A subagent's end is not the end of the conversation.
  if (actor !== '') return { activity }
  const told = { wallAt: report.wallAt, zone: reading.zone }
  return { facts: [{ fact: 'turn_ended', rest: failureOf({ error: fields['error'], message, told }) }], activity }
}

function said(state: Activity['state'], verb: string, what: unknown): Omit<Activity, 'ts'> {
  const text = textOf(what)
  return { action: oneLine(text === undefined ? verb : `${verb}: ${text}`, ACTION_LIMIT), state }
}

function instant(wallAt: number): string {
  const date = new Date(wallAt)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}
