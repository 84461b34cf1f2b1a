/** One hook report of Claude Code in our own words. Garbage is nothing; a kind that is not known is a sign of life. */
import type { Activity, Doing, Gauges, Limit } from '../../contract/evidence.ts'
import { askId, sessionId } from '../../contract/ids.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import { readEcho } from '../../core/handoffs/echo.ts'
import type { RawReport } from '../../core/ports.ts'
import type { Said } from '../../core/runtime-port.ts'
import { parseAsk, requestOf, type Ask } from './ask.ts'
import { listOf, oneLine, parseBody, textOf, type Fields } from './hook-body.ts'
import type { Actor, OpenWork } from './open-work.ts'
import { readStatusLine } from './read-status-line.ts'
import { callTrace, textTrace } from './call-trace.ts'
import { failureOf } from './stop-failure.ts'
import { ACTION_LIMIT, actionOf, boundOf, identityOf, toolCallOf } from './tool-call.ts'

export interface Hearing {
  work: OpenWork
  /** A first prompt was given at the start and has not been heard yet. */
  promptDue: boolean
  /** When its newest report was made, and the transcript that it named. */
  heardWallAt: number
  transcript?: string
  /** What the status line last said of the present session. */
  status?: string
  limits?: readonly Limit[]
  /** Time zone of the machine, by which its program tells times of day. */
  zone: string
}

export function readHook(report: RawReport, hearing: Hearing): Said | undefined {
  const fields = parseBody(report.body)
  if (fields === undefined) return undefined
  if (report.kind === 'StatusLine') return statusLine(report, fields, hearing)
  noteSource(report, fields, hearing)
  const told = (KINDS.get(report.kind) ?? nothing)({ report, fields, hearing, actor: textOf(fields['agent_id']) ?? '' })
  const { says = true, activity, ...rest } = told
  const doing = says ? hearing.work.news() : undefined
  const session = sessionId.safeParse(fields['session_id']).data
  const mode = textOf(fields['permission_mode'])
  return {
    witness: 'hook',
    stamp: report.id.slice(0, 200),
    ...rest,
    ...(doing === undefined ? {} : { doing }),
    ...(activity === undefined ? {} : { activity: { ts: instant(report.wallAt), ...activity } }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(mode === undefined ? {} : { gauges: { permissionMode: oneLine(mode, 40) } }),
  }
}

function noteSource(report: RawReport, fields: Fields, hearing: Hearing): void {
  hearing.heardWallAt = Math.max(hearing.heardWallAt, report.wallAt)
  const transcript = textOf(fields['transcript_path'])
  if (transcript === undefined || transcript === hearing.transcript) return
  hearing.transcript = transcript
  delete hearing.status
}

/** It is drawn anew for many reasons; only what it says of a new answer is news, and a sign of work. */
function statusLine(report: RawReport, fields: Fields, hearing: Hearing): Said | undefined {
  const { context, limits, costUsd } = readStatusLine(fields)
  const session = sessionId.safeParse(fields['session_id']).data
  const status = JSON.stringify([session, context, limits, costUsd])
  if (context === undefined || status === hearing.status) return undefined
  hearing.status = status
  if (limits.length > 0) hearing.limits = limits
  const gauges: Gauges = {
    context,
    ...(limits.length === 0 ? {} : { limits: [...limits] }),
    ...(costUsd === undefined ? {} : { sessionCostUsd: costUsd }),
  }
  return { witness: 'hook', stamp: report.id.slice(0, 200), gauges }
}

interface Told extends Pick<Said, 'trace' | 'echo'> {
  /** False when the report tells nothing of what the agent does now. */
  says?: boolean
  progress?: string
  heard?: string
  activity?: Omit<Activity, 'ts'>
}

interface Given {
  report: RawReport
  fields: Fields
  hearing: Hearing
  actor: Actor
}

const KINDS = new Map<string, (given: Given) => Told>(
  Object.entries({
    SessionStart: sessionStart,
    SessionEnd: ({ fields }: Given) => ({ says: false, activity: said('idle', 'session ended', fields['reason']) }),
    UserPromptSubmit: userPromptSubmit,
    PreToolUse: preToolUse,
    PostToolUse: (given: Given) => postToolUse(given, false),
    PostToolUseFailure: (given: Given) => postToolUse(given, true),
    PostToolBatch: postToolBatch,
    PermissionRequest: permissionRequest,
    PermissionDenied: ({ fields }: Given) => ({ says: false, activity: called(fields, 'denied') }),
    Elicitation: elicitation,
    ElicitationResult: ({ hearing }: Given) => {
      hearing.work.answered(ELICITATION)
      return {}
    },
    Notification: notification,
    Stop: stop,
    StopFailure: stopFailure,
    SubagentStart: ({ fields }: Given) => subagent(fields, 'subagent started', fields['agent_type']),
    SubagentStop: ({ fields }: Given) => subagent(fields, 'subagent finished', fields['last_assistant_message']),
    TaskCreated: ({ fields }: Given) => ({ says: false, activity: said('active', 'task', fields['task_subject']) }),
    TaskCompleted: taskCompleted,
    PostModelSwitch: ({ fields }: Given) => ({ says: false, activity: said('active', 'model', fields['to_model']) }),
    PreCompact: preCompact,
    // After a compaction that a person asked for the client rests; else it goes on with its turn.
    PostCompact: ({ hearing, fields }: Given) =>
      settled(hearing, { kind: fields['trigger'] === 'manual' ? 'idle' : 'thinking' }),
  }),
)

function nothing(): Told {
  return { says: false }
}

function sessionStart({ fields, hearing }: Given): Told {
  const source = fields['source']
  // In the middle of a compaction, which PostCompact ends.
  if (source === 'compact') return nothing()
  hearing.work.settle({ kind: hearing.promptDue ? 'starting' : 'idle' })
  return { activity: said(hearing.promptDue ? 'active' : 'idle', 'session started', source) }
}

function userPromptSubmit({ fields, hearing }: Given): Told {
  hearing.promptDue = false
  hearing.work.settle({ kind: 'thinking' })
  const prompt = textOf(fields['prompt'])
  if (prompt === undefined) return {}
  return { heard: fingerprint(prompt), activity: said('active', 'heard', prompt) }
}

function preToolUse({ fields, hearing, actor }: Given): Told {
  const call = toolCallOf(fields)
  if (call === undefined) return nothing()
  const says = actor === '' && echoOf(call.input['command']).echo !== undefined ? { says: true as const } : {}
  const doing: Doing = { kind: 'tool', name: call.tool, boundMs: boundOf(call), ...says }
  hearing.work.open(textOf(fields['tool_use_id']) ?? '', { actor, identity: identityOf(call), doing })
  return { activity: { tool: call.tool, action: actionOf(call), state: 'active' } }
}

/** A finished call, also one that failed, leaves a trace, by which a repeated one is known. */
function postToolUse({ report, fields, hearing, actor }: Given, failed: boolean): Told {
  hearing.work.close(textOf(fields['tool_use_id']) ?? '', actor)
  goOn(hearing, actor)
  const trace = callTrace(fields, { failed, actor, wallAt: report.wallAt })
  const said = actor === '' ? echoOf(toolCallOf(fields)?.input['command']) : {}
  if (trace === undefined) return said
  return { trace: said.echo === undefined ? trace : { ...trace, says: true }, ...said }
}

/** The line by which one who takes over shows that it read what it was given. */
function echoOf(text: unknown): Pick<Told, 'echo'> {
  const echo = typeof text === 'string' ? readEcho(text) : undefined
  return echo === undefined ? {} : { echo }
}

/** All calls of one answer of the model are over, also those that a person refused, which end without a word. */
function postToolBatch({ hearing, actor }: Given): Told {
  hearing.work.finish(actor)
  goOn(hearing, actor)
  return {}
}

/** A subagent's call may end long after the main conversation has come to rest. */
function goOn({ work }: Hearing, actor: Actor): void {
  if (actor === '' || work.rest === undefined) work.goOn({ kind: 'thinking' })
}

function permissionRequest({ report, fields, hearing, actor }: Given): Told {
  const asked = parseAsk(report.body)
  const call = toolCallOf(fields)
  if (asked === undefined || call === undefined) return nothing()
  const ask = askOf(report, asked)
  const doing: Doing =
    asked.kind === 'question'
      ? { kind: 'question', what: asked.what, ...ask, questions: [...asked.questions] }
      : { kind: 'permission', what: asked.what, ...ask }
  hearing.work.wait(report.id, { actor, identity: identityOf(call), doing })
  return { activity: { tool: asked.tool, ...said('active', 'asks', asked.what) } }
}

/** What is needed to answer it from here; nothing when it cannot be kept. */
function askOf(report: RawReport, asked: Ask): { ask?: { id: string; request: string } } {
  const id = askId.safeParse(report.id.slice(report.id.lastIndexOf('.') + 1)).data
  const request = requestOf(asked)
  return id === undefined || request === undefined ? {} : { ask: { id, request } }
}

const ELICITATION = 'elicitation'

/** A server of tools asks the person; that dialog is answered in the client's own terminal. */
function elicitation({ fields, hearing, actor }: Given): Told {
  const asker = textOf(fields['mcp_server_name']) ?? 'a tool'
  const what = oneLine(`${asker}: ${textOf(fields['message']) ?? 'it asks for input'}`, 400)
  hearing.work.wait(ELICITATION, { actor, identity: '', doing: { kind: 'question', what } })
  return { activity: said('active', 'asks', what) }
}

/** Inner forks of the client, such as a compaction, end like subagents, but have no type. */
function subagent(fields: Fields, verb: string, what: unknown): Told {
  return textOf(fields['agent_type']) === undefined ? nothing() : { says: false, activity: said('active', verb, what) }
}

function taskCompleted({ fields }: Given): Told {
  const id = textOf(fields['task_id'])
  const progress = id === undefined ? {} : { progress: oneLine(`task ${id}`, 200) }
  return { says: false, ...progress, activity: said('active', 'task done', fields['task_subject']) }
}

function called(fields: Fields, verb: string): Omit<Activity, 'ts'> {
  const call = toolCallOf(fields)
  return call === undefined
    ? said('active', verb, undefined)
    : { tool: call.tool, ...said('active', verb, actionOf(call)) }
}

/** Comes some seconds after the request itself, and for dialogs that send no request. */
function notification({ report, fields, hearing, actor }: Given): Told {
  const { work } = hearing
  const what = oneLine(textOf(fields['message']) ?? 'it waits for a person', 400)
  switch (fields['notification_type']) {
    case 'permission_prompt':
      if (work.waits) return nothing()
      work.wait(report.id, { actor, identity: '', doing: { kind: 'permission', what } })
      return {}
    case 'idle_prompt':
      if (work.waits || work.rest?.kind === 'background') return nothing()
      return settled(hearing, { kind: 'idle' })
    default:
      return nothing()
  }
}

/** One that a person asked for is no sign of anything. */
function preCompact({ report, fields, hearing }: Given): Told {
  const isOwn = fields['trigger'] !== 'manual'
  return {
    ...settled(hearing, { kind: 'compacting' }),
    ...(isOwn ? { trace: { kind: 'compaction', wallAt: report.wallAt } } : {}),
  }
}

/** The end of a turn is rest only when nothing runs on in the background. */
function stop({ report, fields, hearing, actor }: Given): Told {
  const tasks = listOf(fields['background_tasks']).length + listOf(fields['session_crons']).length
  const message = textOf(fields['last_assistant_message'])
  const trace = message === undefined ? {} : { trace: textTrace(message, report.wallAt), ...echoOf(message) }
  if (tasks === 0)
    return { ...settled(hearing, { kind: 'idle' }), ...trace, activity: said('idle', 'finished', message) }
  hearing.work.finish(actor)
  hearing.work.goOn({ kind: 'background', tasks })
  return { ...trace, activity: said('active', 'waits for the background', message) }
}

function stopFailure({ report, fields, hearing, actor }: Given): Told {
  const message = textOf(fields['last_assistant_message']) ?? textOf(fields['error']) ?? 'the API failed'
  const activity = said('active', 'stopped by', message)
  // A subagent's end is not the end of the conversation.
  if (actor !== '') return { says: false, activity }
  const told = { wallAt: report.wallAt, zone: hearing.zone }
  return { ...settled(hearing, failureOf({ error: fields['error'], message, limits: hearing.limits, told })), activity }
}

function settled({ work }: Hearing, doing: Doing): Told {
  work.settle(doing)
  return {}
}

function said(state: Activity['state'], verb: string, what: unknown): Omit<Activity, 'ts'> {
  const text = textOf(what)
  return { action: oneLine(text === undefined ? verb : `${verb}: ${text}`, ACTION_LIMIT), state }
}

function instant(wallAt: number): string {
  const date = new Date(wallAt)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}
