import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Doing } from '../../contract/evidence.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import type { RawReport } from '../../core/ports.ts'
import { Hearing } from '../../../tests/samples/hearing.ts'
import { claudeDialect } from './dialect.ts'
import { recogniseTestRun } from '../test-runners/recognise-test-run.ts'

const SESSION = 'ff5f0000-0000-4000-8000-000000000000'
const AT = Date.parse('2026-11-15T20:00:00Z')

interface Fixture {
  kind: string
  body: object
}
const fixtures = JSON.parse(readFileSync(new URL('fixtures/hooks.json', import.meta.url), 'utf8')) as Record<
  string,
  Fixture
>

let count = 0

function report(name: string, run = 'r1'): RawReport {
  const { kind, body } = fixtures[name] ?? { kind: 'none', body: {} }
  count += 1
  const common = { session_id: SESSION, transcript_path: '/t.jsonl', cwd: '/w', hook_event_name: kind }
  const id = `home.${run}.1.${kind}.${count}-7-8`
  return { id, run, generation: 1, kind, body: JSON.stringify({ ...common, ...body }), wallAt: AT }
}

const bash: Doing = { kind: 'tool', name: 'Bash', boundMs: 300_000 }
const read: Doing = { kind: 'tool', name: 'Read', boundMs: 300_000 }
const grep: Doing = { kind: 'tool', name: 'Grep', boundMs: 300_000 }
const thinking: Doing = { kind: 'thinking' }
const idle: Doing = { kind: 'idle' }
const background: Doing = { kind: 'background', tasks: 2 }
const compacting: Doing = { kind: 'compacting' }

/** Reports in a row, and what each says the agent does; undefined where it says nothing of it. */
const sequences: { what: string; says: [string, Doing | undefined][] }[] = [
  { what: 'a start without a prompt rests', says: [['start', idle]] },
  {
    what: 'a turn with one tool',
    says: [
      ['prompt', thinking],
      ['bash a', bash],
      ['bash a done', thinking],
      ['batch', thinking],
      ['stop', idle],
    ],
  },
  {
    what: 'two tools side by side: the end of one leaves the other open',
    says: [
      ['bash a', bash],
      ['read b', read],
      ['read b done', bash],
      ['bash a failed', thinking],
    ],
  },
  {
    what: 'the end of a tool that is not shown changes nothing',
    says: [
      ['bash a', bash],
      ['read b', read],
      ['bash a done', undefined],
      ['read b done', thinking],
    ],
  },
  {
    what: 'a prompt that only waits for its turn closes nothing',
    says: [
      ['bash a', bash],
      ['prompt', undefined],
      ['bash a done', thinking],
      ['stop', idle],
    ],
  },
  {
    what: 'the end of a turn closes what ended without a word',
    says: [
      ['bash a', bash],
      ['read b', read],
      ['stop', idle],
    ],
  },
  {
    what: 'a notice of rest does not end a limit, nor a failure of the service',
    says: [
      ['limited', { kind: 'limited' }],
      ['idle notice', undefined],
      ['prompt', thinking],
      ['overloaded', { kind: 'api_error', what: 'API Error: 529', ended: true }],
      ['idle notice', undefined],
    ],
  },
  {
    what: 'nor a call that is open',
    says: [
      ['bash a', bash],
      ['idle notice', undefined],
    ],
  },
  {
    what: 'a stop with background work is no rest, and a subagent does not end it',
    says: [
      ['stop with background', background],
      ["subagent's tool", grep],
      ["subagent's tool done", background],
      ['subagent stopped', undefined],
      ['idle notice', undefined],
      ['machine prompt', thinking],
    ],
  },
  { what: 'a notice of rest alone is believed', says: [['idle notice', idle]] },
  {
    what: 'limits and failures',
    says: [
      ['limited', { kind: 'limited' }],
      ['limited until', { kind: 'limited', untilWallAt: 1_794_765_374_000 }],
      ['overloaded', { kind: 'api_error', what: 'API Error: 529', ended: true }],
      ['not logged in', { kind: 'auth_needed', what: 'Please run /login' }],
      ['unknown failure', { kind: 'api_error', what: 'unknown' }],
    ],
  },
  {
    what: 'compaction',
    says: [
      ['compacts', compacting],
      ['start after compaction', undefined],
      ['compacted', thinking],
      ['compacts', compacting],
      ['compacted by hand', idle],
    ],
  },
  {
    what: 'a clear begins anew; an end and a kind that is not known say nothing',
    says: [
      ['bash a', bash],
      ['cleared', idle],
      ['ended', undefined],
      ['new kind', undefined],
    ],
  },
]

/** Undefined: it is still believed to do what it did. */
function unfolded<T>(says: readonly (T | undefined)[]): (T | undefined)[] {
  let last: T | undefined
  return says.map((each) => (last = each ?? last))
}

test.each(sequences)('$what', ({ says }) => {
  const hearing = new Hearing()
  expect(says.map(([name]) => hearing.hear(report(name)))).toEqual(unfolded(says.map(([, doing]) => doing)))
})

test.each(sequences)('$what, also when the daemon is restarted after every report', ({ says }) => {
  const hearing = new Hearing()
  const told = says.map(([name]) => {
    hearing.restart()
    return hearing.hear(report(name))
  })
  expect(told).toEqual(unfolded(says.map(([, doing]) => doing)))
})

describe('a wait for a person', () => {
  const kinds = (names: string[]) => {
    const hearing = new Hearing()
    return names.map((name) => hearing.hear(report(name))?.kind)
  }

  test.each([
    {
      what: 'ends with the call that waited',
      names: ['bash a', 'permission a', 'permission notice', 'bash a done'],
      says: ['tool', 'permission', undefined, 'thinking'],
    },
    {
      what: 'is not hidden by another call or a subagent',
      names: ['read b', 'bash a', 'permission a', 'read b done', "subagent's tool", 'bash a done'],
      says: ['tool', 'tool', 'permission', undefined, undefined, 'tool'],
    },
    {
      what: 'that was refused ends with the batch',
      names: ['bash a', 'permission a', 'batch'],
      says: ['tool', 'permission', 'thinking'],
    },
    {
      what: 'without a request is known by the notice',
      names: ['bash a', 'permission notice', 'bash a done'],
      says: ['tool', 'permission', 'thinking'],
    },
  ])('$what', ({ names, says }) => {
    expect(kinds(names)).toEqual(unfolded(says))
  })

  test('carries what is needed to answer it', () => {
    const dialect = claudeDialect(recogniseTestRun)
    const asked = report('question')
    const said = dialect.read(asked)
    const request = JSON.stringify({
      tool_name: 'AskUserQuestion',
      tool_input: {
        questions: [{ question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] }],
      },
    })
    expect(said).toEqual({
      witness: 'hook',
      stamp: asked.id,
      sessionId: SESSION,
      facts: [
        {
          fact: 'wait_opened',
          key: asked.id,
          actor: '',
          identity: expect.any(String),
          doing: {
            kind: 'question',
            what: 'Which database?',
            questions: [{ question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] }],
            ask: { id: `${count}-7-8`, request },
          },
        },
      ],
      activity: {
        ts: '2026-11-15T20:00:00.000Z',
        tool: 'AskUserQuestion',
        action: 'asks: Which database?',
        state: 'active',
      },
    })
    expect(new Hearing().hear(report('permission a'))).toEqual({
      kind: 'permission',
      what: 'Bash: npm test',
      ask: { id: `${count}-7-8`, request: '{"tool_name":"Bash","tool_input":{}}' },
    })
  })
})

test('a run that was given a prompt is starting until the prompt is heard', () => {
  const hearing = new Hearing({ open: { calls: [], waits: [], promptDue: true } })
  expect(['start', 'prompt', 'stop', 'cleared'].map((name) => hearing.hear(report(name))?.kind)).toEqual([
    'starting',
    'thinking',
    'idle',
    'idle',
  ])
})

test('a prompt is heard, and a call is known again whatever the order of its keys', () => {
  const dialect = claudeDialect(recogniseTestRun)
  const said = (name: string) => dialect.read(report(name))
  expect(said('prompt')).toEqual({
    witness: 'hook',
    stamp: `home.r1.1.UserPromptSubmit.${count}-7-8`,
    sessionId: SESSION,
    facts: [{ fact: 'prompt_heard' }],
    heard: fingerprint('fix the login'),
    activity: { ts: '2026-11-15T20:00:00.000Z', action: 'heard: fix the login', state: 'active' },
  })
  expect(said('bash a')).toEqual({
    witness: 'hook',
    stamp: `home.r1.1.PreToolUse.${count}-7-8`,
    sessionId: SESSION,
    facts: [
      {
        fact: 'call_opened',
        id: 'toolu_a',
        actor: '',
        tool: 'Bash',
        boundMs: 300_000,
        identity: expect.any(String),
      },
    ],
    activity: { ts: '2026-11-15T20:00:00.000Z', tool: 'Bash', action: 'Bash: npm test', state: 'active' },
  })
  const [done, failed, other] = ['bash a done', 'bash a failed', 'read b done'].map((name) => {
    const trace = said(name)?.trace
    return trace?.kind === 'call' ? trace : undefined
  })
  expect(done?.call).toBe(failed?.call)
  expect([done?.ok, failed?.ok]).toEqual([true, false])
  expect(done?.call).not.toBe(other?.call)
})

test('the call by which a successor says its next step is marked, and no other', () => {
  const dialect = claudeDialect(recogniseTestRun)
  const call = (kind: string, command: string) => {
    const body = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command }, tool_response: { stdout: '' } }
    const said = dialect.read({ ...report('start'), kind, body: JSON.stringify({ ...body, hook_event_name: kind }) })
    const { facts, trace, echo } = said ?? {}
    const open = facts?.[0]?.fact === 'call_opened' ? facts[0].says : undefined
    return [open, trace?.kind === 'call' ? trace.says : undefined, echo?.nonce]
  }
  const line = 'echo "CLOISTER-NEXT k7q2m9x4 | The tests | Run them"'
  expect(['PreToolUse', 'PostToolUse'].map((kind) => call(kind, line))).toEqual([
    [true, undefined, undefined],
    [undefined, true, 'k7q2m9x4'],
  ])
  expect(['PreToolUse', 'PostToolUse'].flatMap((kind) => call(kind, 'npm test'))).toEqual(Array(6).fill(undefined))
})

test.each([
  [
    'a time of day in the zone that it names',
    'resets 1am (Asia/Tokyo)',
    Date.parse('2026-11-16T01:00:00+09:00') + 86_400_000,
  ],
  ['one in the zone of the machine', 'resets 3am', Date.parse('2026-11-16T03:00:00+01:00')],
  ['a second', 'limit reached|1794765374', 1_794_765_374_000],
  ['no time that can be read', 'API Error: Request rejected (429)', undefined],
])('the end of a limit is told as %s', (_, message, untilWallAt) => {
  const body = JSON.stringify({ session_id: SESSION, error: 'rate_limit', last_assistant_message: message })
  const doing = new Hearing({}, 'Europe/Berlin').hear({ ...report('start'), kind: 'StopFailure', body })
  expect(doing).toEqual({ kind: 'limited', ...(untilWallAt === undefined ? {} : { untilWallAt }) })
})
