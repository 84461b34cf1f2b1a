/**
 * What the hooks of a client would have reported, told from the records that it wrote: the same kinds with the same
 * bodies, so that whoever reads hooks reads the past, too. What has no hook (an interrupt, a retry) is left to the tail.
 *
 *   prompt ──▶ turn open ──tool_use──▶ PreToolUse … tool_result ──▶ PostToolUse, and PostToolBatch after the last of them
 *   turn open ──answer without a call, and no more of it──▶ Stop      ──words of the client itself──▶ StopFailure
 *   turn open ──interrupt──▶ over, without a hook
 */
import { fieldsOf, listOf, textOf, type Fields } from '../hook-body.ts'
import { SYNTHETIC } from '../transcripts/finding.ts'
import { blocksOf, isInterrupt, promptOf, resultText, textIn } from './record-fields.ts'

export interface Hook {
  kind: string
  body: Fields
}

/** The next record of the main conversation; undefined when nobody can say, `end` when there is none. */
export type Upcoming = Fields | 'end' | undefined

interface Call {
  actor: string
  name: unknown
  input: unknown
}

const MAIN = ''
/** A person is asked by these tools in whatever mode the client is. */
const ASKING: readonly string[] = ['AskUserQuestion', 'ExitPlanMode']
const TEXT_MOST = 16 * 1024
/** What newer clients call these statuses. */
const WORDS = new Map<unknown, string>([
  [401, 'authentication_failed'],
  [429, 'rate_limit'],
])
const CALLS_MOST = 500

export class PastHooks {
  #common: Fields = {}
  #isOpen = false
  readonly #calls = new Map<string, Call>()
  /** What came of the calls of an answer, per actor, until its last one is over. */
  readonly #batches = new Map<string, Fields[]>()
  #answer: Fields | undefined

  /** A turn of the main conversation is open. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  begin(source: 'startup' | 'resume'): Hook {
    this.#end()
    return this.#hook('SessionStart', MAIN, { source })
  }

  take(record: Fields, next: Upcoming): Hook[] {
    this.#note(record)
    switch (record['type']) {
      case 'assistant':
        return this.#assistant(record, next)
      case 'user':
        return this.#user(record, next)
      case 'system':
        return this.#system(record)
      case 'attachment':
        return this.#attachment(fieldsOf(record['attachment']))
      case 'progress':
        return this.#progress(fieldsOf(record['data']), next)
      default:
        return []
    }
  }

  #note({ sessionId, cwd, permissionMode, isSidechain }: Fields): void {
    this.#common = {
      ...this.#common,
      ...(textOf(sessionId) === undefined || isSidechain === true ? {} : { session_id: sessionId }),
      ...(textOf(cwd) === undefined ? {} : { cwd }),
      ...(textOf(permissionMode) === undefined ? {} : { permission_mode: permissionMode }),
    }
  }

  #assistant(record: Fields, next: Upcoming): Hook[] {
    const blocks = blocksOf(record)
    const actor = actorOf(record)
    if (record['isApiErrorMessage'] === true) return actor === MAIN ? this.#failed(record, textIn(blocks)) : []
    if (fieldsOf(record['message'])['model'] === SYNTHETIC) return []
    const opening = actor === MAIN && !this.#isOpen ? [this.#hook('UserPromptSubmit', MAIN, {})] : []
    if (actor === MAIN) {
      this.#isOpen = true
      this.#answer = record
    }
    const calls = blocks.filter(({ type }) => type === 'tool_use')
    return [
      ...opening,
      ...calls.flatMap((block) => this.#opened(block, actor)),
      ...(calls.length === 0 && actor === MAIN && isLast(record, next) ? this.#stopped(textIn(blocks)) : []),
    ]
  }

  #opened({ id, name, input }: Fields, actor: string): Hook[] {
    const call = { tool_name: name, tool_input: input, tool_use_id: id }
    if (textOf(id) !== undefined && this.#calls.size < CALLS_MOST) this.#calls.set(String(id), { actor, name, input })
    const asks = ASKING.includes(String(name)) ? [this.#hook('PermissionRequest', actor, call)] : []
    return [this.#hook('PreToolUse', actor, call), ...asks]
  }

  #user(record: Fields, next: Upcoming): Hook[] {
    const actor = actorOf(record)
    const results = blocksOf(record).filter(({ type }) => type === 'tool_result')
    if (results.length > 0) return results.flatMap((block) => this.#closed(block, { record, actor, next }))
    if (actor !== MAIN) return []
    if (isInterrupt(record)) this.#end()
    const prompt = promptOf(record)
    if (prompt === undefined) return []
    this.#isOpen = true
    return [this.#hook('UserPromptSubmit', MAIN, { prompt: prompt.slice(0, TEXT_MOST) })]
  }

  #closed(block: Fields, { record, actor, next }: { record: Fields; actor: string; next: Upcoming }): Hook[] {
    const id = textOf(block['tool_use_id']) ?? ''
    const known = this.#calls.get(id)
    const call = known ?? { actor, name: undefined, input: undefined }
    const said = { tool_name: call.name, tool_input: call.input, tool_use_id: id }
    const text = resultText(block['content'])
    this.#calls.delete(id)
    const batch = [...(this.#batches.get(call.actor) ?? []), { ...said, tool_response: text }]
    this.#batches.set(call.actor, batch)
    const over = this.#over(record, { call, said, isError: block['is_error'] === true, text })
    const isCut = next !== undefined && next !== 'end' && isInterrupt(next)
    if (isCut || [...this.#calls.values()].some((each) => each.actor === call.actor)) return over
    this.#batches.delete(call.actor)
    return [...over, this.#hook('PostToolBatch', call.actor, { tool_calls: batch })]
  }

  #over(record: Fields, { call, said, isError, text }: { call: Call; said: Fields; isError: boolean; text: string }) {
    // Neither begun nor refused by anybody but the client itself, or refused by a person: only the batch tells of it.
    if (isError && UNTOLD.test(text)) return []
    const { actor } = call
    if (isError) return [this.#hook('PostToolUseFailure', actor, { ...said, error: text })]
    const result = record['toolUseResult']
    const response = typeof result === 'object' && result !== null ? result : text
    return [...this.#subagentOver(call, result), this.#hook('PostToolUse', actor, { ...said, tool_response: response })]
  }

  #subagentOver({ name }: Call, result: unknown): Hook[] {
    // One that was only begun goes on in the background.
    const { status, isAsync } = fieldsOf(result)
    if ((name !== 'Task' && name !== 'Agent') || status === 'async_launched' || isAsync === true) return []
    const actor = textOf(fieldsOf(result)['agentId']) ?? UNNAMED_ACTOR
    for (const [id, call] of this.#calls) if (call.actor === actor) this.#calls.delete(id)
    return [this.#hook('SubagentStop', actor, { agent_type: 'subagent' })]
  }

  #system({ subtype, compactMetadata }: Fields): Hook[] {
    if (subtype === 'compact_boundary') {
      const trigger = fieldsOf(compactMetadata)['trigger']
      if (trigger === 'manual') this.#end()
      return [this.#hook('PreCompact', MAIN, { trigger }), this.#hook('PostCompact', MAIN, { trigger })]
    }
    const isEnd = subtype === 'turn_duration' || subtype === 'stop_hook_summary'
    return isEnd && this.#isOpen && this.#openCalls() === 0 ? this.#stopped(textIn(blocksOf(this.#answer ?? {}))) : []
  }

  #attachment({ type, prompt }: Fields): Hook[] {
    const text = textOf(prompt)
    if (type !== 'queued_command' || text === undefined) return []
    return [this.#hook('UserPromptSubmit', MAIN, { prompt: text.slice(0, TEXT_MOST) })]
  }

  /** What a subagent does stood inside of such records for a while. */
  #progress({ type, message, agentId }: Fields, next: Upcoming): Hook[] {
    if (type !== 'agent_progress') return []
    return this.take({ ...fieldsOf(message), isSidechain: true, agentId: agentId ?? UNNAMED_ACTOR }, next)
  }

  #failed({ error, apiErrorStatus }: Fields, message: string): Hook[] {
    this.#end()
    const said = { error: textOf(error) ?? WORDS.get(apiErrorStatus) ?? 'unknown', last_assistant_message: message }
    return [this.#hook('StopFailure', MAIN, said)]
  }

  #stopped(message: string): Hook[] {
    this.#end()
    return [this.#hook('Stop', MAIN, { last_assistant_message: message.slice(-TEXT_MOST) })]
  }

  #end(): void {
    this.#isOpen = false
    this.#batches.delete(MAIN)
    for (const [id, { actor }] of this.#calls) if (actor === MAIN) this.#calls.delete(id)
  }

  #openCalls(): number {
    return [...this.#calls.values()].filter(({ actor }) => actor === MAIN).length
  }

  #hook(kind: string, actor: string, body: Fields): Hook {
    const who = actor === MAIN ? {} : { agent_id: actor }
    return { kind, body: { ...this.#common, hook_event_name: kind, ...who, ...body } }
  }
}

const UNNAMED_ACTOR = 'sidechain'
const UNTOLD = /^\s*(?:<tool_use_error>|The user doesn't want to (?:proceed|take this action))/

function actorOf({ isSidechain, agentId }: Fields): string {
  return isSidechain === true ? (textOf(agentId) ?? UNNAMED_ACTOR).slice(0, 100) : MAIN
}

/** Nothing more of this answer follows, and it asks for no call. One line is written for each of its blocks. */
function isLast(record: Fields, next: Upcoming): boolean {
  const { id, stop_reason: why } = fieldsOf(record['message'])
  if (next === undefined || why === 'tool_use' || textIn(blocksOf(record)).trim() === '') return false
  if (next === 'end' || next['type'] === 'system') return true
  if (next['type'] === 'assistant') {
    return next['isApiErrorMessage'] !== true && fieldsOf(next['message'])['id'] !== id && why === 'end_turn'
  }
  return listOf(fieldsOf(next['message'])['content']).every((block) => fieldsOf(block)['type'] !== 'tool_result')
}
