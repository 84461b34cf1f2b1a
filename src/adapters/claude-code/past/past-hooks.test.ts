import { expect, test } from 'vitest'
import type { Fields } from '../hook-body.ts'
import { PastHooks } from './past-hooks.ts'

function user(content: unknown, more: Fields = {}): Fields {
  return { type: 'user', message: { role: 'user', content }, ...more }
}
function answer(id: string, block: Fields, more: Fields = {}): Fields {
  return { type: 'assistant', message: { id, model: 'opus', content: [block], stop_reason: null }, ...more }
}
const prompt = user('do it', { sessionId: 's', permissionMode: 'plan' })
const call = (id: string, name = 'Bash') => answer('m', { type: 'tool_use', id, name, input: { command: 'ls' } })
const words = (text: string, id = 'm') => answer(id, { type: 'text', text })
const result = (id: string, content: unknown, more: Fields = {}) =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...more }])
const interrupt = user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])
const side = { isSidechain: true, agentId: 'a1' }

/** The kinds of hooks that come of these records, with who reports where it is a subagent. */
function kinds(...records: Fields[]): string[] {
  const hooks = new PastHooks()
  return records.flatMap((record, n) =>
    hooks
      .take(record, records.slice(n + 1).find(({ isSidechain }) => isSidechain !== true) ?? 'end')
      .map(({ kind, body }) => {
        const actor = body['agent_id']
        return typeof actor === 'string' ? `${kind} of ${actor}` : kind
      }),
  )
}

test.each<[string, Fields[], string[]]>([
  ['a turn in words', [prompt, words('done')], ['UserPromptSubmit', 'Stop']],
  [
    'words before a call are no end',
    [prompt, words('I look'), call('1'), result('1', 'x')],
    ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch'],
  ],
  [
    'two calls are one batch',
    [prompt, call('1'), call('2'), result('2', 'x'), result('1', 'no', { is_error: true })],
    ['UserPromptSubmit', 'PreToolUse', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  ],
  [
    'what the client refuses is told by the batch alone',
    [prompt, call('1'), result('1', '<tool_use_error>File has not been read yet</tool_use_error>', { is_error: true })],
    ['UserPromptSubmit', 'PreToolUse', 'PostToolBatch'],
  ],
  [
    'what a person refuses, and ends with it, has no hook',
    [
      prompt,
      call('1'),
      result('1', "The user doesn't want to proceed with this tool use.", { is_error: true }),
      interrupt,
    ],
    ['UserPromptSubmit', 'PreToolUse'],
  ],
  ['a question', [prompt, call('1', 'AskUserQuestion')], ['UserPromptSubmit', 'PreToolUse', 'PermissionRequest']],
  [
    'an error of the service',
    [prompt, { ...words('API Error: 529 overloaded'), isApiErrorMessage: true }],
    ['UserPromptSubmit', 'StopFailure'],
  ],
  [
    'a subagent in the same file',
    [prompt, call('1', 'Task'), { ...call('s1'), ...side }, { ...result('s1', 'x'), ...side }, result('1', 'found')],
    [
      ...['UserPromptSubmit', 'PreToolUse', 'PreToolUse of a1', 'PostToolUse of a1', 'PostToolBatch of a1'],
      ...['SubagentStop of sidechain', 'PostToolUse', 'PostToolBatch'],
    ],
  ],
  [
    'a subagent inside of progress',
    [prompt, { type: 'progress', data: { type: 'agent_progress', agentId: 'a2', message: call('s1') } }],
    ['UserPromptSubmit', 'PreToolUse of a2'],
  ],
  [
    'commands of the client are no prompts, and what comes of them is a turn',
    [user('<command-name>/review</command-name>'), user('do', { isMeta: true }), words('reviewed')],
    ['UserPromptSubmit', 'Stop'],
  ],
  [
    'a compaction',
    [prompt, { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } }],
    ['UserPromptSubmit', 'PreCompact', 'PostCompact'],
  ],
  [
    'an end that is written down',
    [prompt, words('so'), { type: 'system', subtype: 'turn_duration' }],
    ['UserPromptSubmit', 'Stop'],
  ],
  [
    'a text that waited',
    [prompt, { type: 'attachment', attachment: { type: 'queued_command', prompt: 'and' } }],
    ['UserPromptSubmit', 'UserPromptSubmit'],
  ],
  [
    'fields that are missing',
    [{ type: 'user' }, { type: 'assistant' }, { type: 'system' }, { type: 'progress' }, {}],
    ['UserPromptSubmit'],
  ],
  ['a result of nothing that is known', [result('9', undefined)], ['PostToolUse', 'PostToolBatch']],
])('%s', (_, records, expected) => {
  expect(kinds(...records)).toEqual(expected)
})

test('bodies are those of the hooks', () => {
  const hooks = new PastHooks()
  hooks.take(prompt, undefined)
  const said = {
    session_id: 's',
    permission_mode: 'plan',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: '1',
  }
  expect(hooks.take(call('1'), undefined)).toEqual([
    { kind: 'PreToolUse', body: { ...said, hook_event_name: 'PreToolUse' } },
  ])
  const record = { ...result('1', 'x'), toolUseResult: { stdout: 'x', stderr: '' } }
  const [post, batch] = hooks.take(record, undefined)
  expect(post?.body).toEqual({ ...said, hook_event_name: 'PostToolUse', tool_response: { stdout: 'x', stderr: '' } })
  expect(batch?.body['tool_calls']).toEqual([
    { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: '1', tool_response: 'x' },
  ])
})

test.each<[object, string]>([
  [{ error: 'server_error', apiErrorStatus: 529 }, 'server_error'],
  [{ apiErrorStatus: 429 }, 'rate_limit'],
  [{ apiErrorStatus: 401 }, 'authentication_failed'],
  [{}, 'unknown'],
])('a turn that was given up with %o is told in the word of the hook', (given, word) => {
  const hooks = new PastHooks()
  const [failed] = hooks.take({ ...words('API Error'), isApiErrorMessage: true, ...given }, 'end')
  expect(failed?.body).toMatchObject({ error: word, last_assistant_message: 'API Error' })
})
