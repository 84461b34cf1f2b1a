import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { Doing } from '../../contract/evidence.ts'
import type { OpenWork, Seen } from '../../contract/open-work.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { createWorld } from '../world.ts'
import { tell } from './tell.ts'
import { objection, withLimitEnd } from './weigh.ts'

const AT = 1_794_765_374_000
const bash: Doing = { kind: 'tool', name: 'Bash', boundMs: 120_000 }
const asks: Doing = { kind: 'permission', what: 'Bash: rm x' }
const question: Doing = { kind: 'question', what: 'Which?' }
const thinking: Doing = { kind: 'thinking' }
const idle: Doing = { kind: 'idle' }
const openBash: OpenWork['calls'] = [
  { id: 'a', actor: '', tool: 'Bash', boundMs: 120_000, identity: 'x', at: 0, wallAt: AT },
]

type Status = NonNullable<Seen['status']>
type Tail = NonNullable<Seen['tail']>

function believed(
  doing: Doing | undefined,
  open: Partial<OpenWork> = {},
  given: Partial<AgentRecord> = {},
): AgentRecord {
  const hook = doing === undefined ? {} : { hook: { seenAt: 0, changedAt: 0, doing, doingAt: 0 } }
  return agentRecord({ evidence: hook, open: { calls: [], waits: [], heardWallAt: AT, ...open }, ...given })
}

/** Its own word, so many milliseconds after the last report. */
function status(says: Status['says'], afterMs = 100, what?: string): Status {
  return { says, wallAt: AT + afterMs, ...(what === undefined ? {} : { what }) }
}

const NOW = AT + 10_000

function weighed(agent: AgentRecord, seen: Seen, wallAt = NOW) {
  const { open = { calls: [], waits: [] } } = agent
  return objection({ ...agent, open: { ...open, seen } }, wallAt)
}

test.each<[string, AgentRecord, Status, Tail | undefined, Doing | undefined]>([
  ['an interrupt of a tool', believed(bash), status('rest'), undefined, idle],
  ['an interrupt of an answer', believed(thinking), status('rest'), undefined, idle],
  ['a cancelled question', believed(question), status('rest'), undefined, idle],
  ['rest that is known', believed(idle), status('rest'), undefined, undefined],
  [
    'rest before the first prompt',
    believed({ kind: 'starting' }, { promptDue: true }),
    status('rest'),
    undefined,
    undefined,
  ],
  ['rest that no prompt follows', believed({ kind: 'starting' }), status('rest'), undefined, idle],
  ['rest at a limit', believed({ kind: 'limited' }), status('rest'), undefined, undefined],
  ['rest beside background work', believed({ kind: 'background', tasks: 1 }), status('rest'), undefined, undefined],
  ['nothing known, and it rests', believed(undefined), status('rest'), undefined, idle],
  [
    'a prompt that the client refused by itself',
    believed(thinking),
    status('rest'),
    { promptWallAt: AT + 20, failed: { wallAt: AT + 30, doing: { kind: 'api_error', what: 'Prompt is too long' } } },
    { kind: 'api_error', what: 'Prompt is too long' },
  ],
  [
    'a limit of which no hook has told yet',
    believed(thinking),
    status('rest'),
    { promptWallAt: AT + 20, failed: { wallAt: AT + 30, doing: { kind: 'limited' } } },
    { kind: 'limited' },
  ],
  [
    'an interrupt after an earlier failure',
    believed(thinking),
    status('rest'),
    {
      promptWallAt: AT + 20,
      failed: { wallAt: AT - 60_000, doing: { kind: 'api_error', what: 'Prompt is too long' } },
    },
    idle,
  ],
  [
    'a permission that was given in its own dialog',
    believed(asks, { calls: openBash }),
    status('work'),
    undefined,
    bash,
  ],
  ['the same, where the call is not known', believed(asks), status('work'), undefined, thinking],
  ['a command that a person typed', believed(idle), status('work'), undefined, thinking],
  ['work that is known', believed(bash), status('work'), undefined, undefined],
  [
    'background work that the client calls busy',
    believed({ kind: 'background', tasks: 1 }),
    status('work'),
    undefined,
    undefined,
  ],
  [
    'a dialog without a hook',
    believed(thinking),
    status('permission', 100, 'permission prompt'),
    undefined,
    {
      kind: 'permission',
      what: 'it asks in its own terminal (permission prompt)',
    },
  ],
  [
    'a question without a hook',
    believed(thinking),
    status('question', 100, 'input needed'),
    undefined,
    {
      kind: 'question',
      what: 'it asks in its own terminal (input needed)',
    },
  ],
  ['a dialog that is known', believed(asks), status('permission', 100, 'permission prompt'), undefined, undefined],
  ['a shell in the background', believed(idle), status('background'), undefined, { kind: 'background', tasks: 1 }],
  [
    'the same request again',
    believed(thinking),
    status('work', -500),
    { asked: { times: 3, wallAt: AT + 5000 } },
    { kind: 'api_error', what: "no answer from the model's service; the request was sent 3 times" },
  ],
  [
    'a service that failed, without a hook that says so',
    believed(thinking),
    status('rest'),
    {
      promptWallAt: AT + 20,
      failed: { wallAt: AT + 30, doing: { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true } },
    },
    { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true },
  ],
  ['a request that was sent once', believed(thinking), status('work'), { asked: { times: 1, wallAt: AT } }, undefined],
])('%s', (_, belief, said, tail, doing) => {
  const found = weighed(belief, { status: said, ...(tail === undefined ? {} : { tail }) })
  expect(found === undefined || 'againMs' in found ? undefined : found.doing).toEqual(doing)
})

const limited: Doing = { kind: 'limited', waits: true }
const failing: Doing = {
  kind: 'api_error',
  what: "no answer from the model's service; it tries again after status 529",
}
const asked = { times: 1, firstWallAt: AT, wallAt: AT }

test.each<[string, Doing, Tail, Doing | undefined]>([
  ['a limit that it waits out', thinking, { asked, refused: { status: 429, wallAt: AT + 100 } }, limited],
  [
    'the same, with the time of its next try',
    limited,
    {
      asked: { ...asked, times: 2, wallAt: AT + 900 },
      refused: { status: 429, wallAt: AT + 999, untilWallAt: AT + 2000 },
    },
    { ...limited, untilWallAt: AT + 2000 },
  ],
  ['a limit that is known', limited, { asked, refused: { status: 429, wallAt: AT + 100 } }, undefined],
  ['a limit of an earlier request', thinking, { asked, refused: { status: 429, wallAt: AT - 60_000 } }, undefined],
  [
    'a limit of a request that was answered',
    thinking,
    { answerWallAt: AT + 900, refused: { status: 429, wallAt: AT + 100 } },
    undefined,
  ],
  [
    'an answer after the limit',
    limited,
    { answerWallAt: AT + 5000, refused: { status: 429, wallAt: AT + 100 } },
    thinking,
  ],
  ['an overload at the first try', thinking, { asked, refused: { status: 529, wallAt: AT + 100 } }, failing],
  ['another request after the overload', failing, { asked, answerWallAt: AT - 50 }, thinking],
  ['an answer after the overload', failing, { answerWallAt: AT + 5000 }, thinking],
  ['a limit while a tool is open', bash, { asked, refused: { status: 429, wallAt: AT + 100 } }, undefined],
  ['a turn that a limit ended', { kind: 'limited' }, { asked, refused: { status: 429, wallAt: AT + 100 } }, thinking],
])('its program is at work: %s', (_, doing, tail, says) => {
  const found = weighed(believed(doing), { status: status('work'), tail })
  expect(found === undefined || 'againMs' in found ? undefined : found.doing).toEqual(says)
})

test('a word that is just being said is asked for again; one against a younger report must last', () => {
  const at = (said: Status, afterMs: number) => weighed(believed(bash), { status: said }, AT + afterMs)
  expect(at(status('rest', 100), 200)).toEqual({ againMs: 300 })
  expect(at(status('rest', 100), 500)).toEqual({ witness: 'registry', doing: idle, wallAt: AT + 100 })
  expect(at(status('rest', -100), 500)).toEqual({ againMs: 1000 })
  expect(at(status('rest', -100), 1500)).toEqual({ witness: 'registry', doing: idle, wallAt: AT - 100 })
})

test('without a registry the note in the transcript tells of an interrupt', () => {
  const noted = { promptWallAt: AT - 50, interruptWallAt: AT + 900 }
  expect(weighed(believed(bash), { tail: noted })).toEqual({ witness: 'transcript', doing: idle, wallAt: AT + 900 })
  expect(weighed(believed(bash), { tail: { ...noted, promptWallAt: AT + 950 } })).toBeUndefined()
})

test('whatever the registry says, the note of an interrupt ends the turn, unless something began after it', () => {
  const tail = { promptWallAt: AT - 50, interruptWallAt: AT + 900 }
  const over = { witness: 'transcript', doing: idle, wallAt: AT + 900 }
  expect(weighed(believed(bash), { status: status('work'), tail })).toEqual(over)
  expect(weighed(believed(asks), { status: status('permission'), tail })).toEqual(over)
  expect(weighed(believed(bash), { status: status('work', 2000), tail })).toBeUndefined()
  expect(weighed(believed(thinking, { promptedWallAt: AT + 950 }), { status: status('work'), tail })).toBeUndefined()
  const answered = { ...tail, answerWallAt: AT + 5000 }
  expect(weighed(believed(thinking), { status: status('work'), tail: answered })).toBeUndefined()
  const calls = openBash.map((call) => ({ ...call, wallAt: AT + 5000 }))
  expect(weighed(believed(bash, { calls }), { status: status('work'), tail })).toBeUndefined()
})

test('an interrupt and a failure of before the clock was set back say nothing of now', () => {
  const doing: Doing = { kind: 'api_error', what: 'API Error: 529', ended: true }
  const seen = [{ interruptWallAt: NOW + 3_600_000 }, { failed: { wallAt: NOW + 3_600_000, doing } }]
  for (const tail of seen) {
    expect(weighed(believed(bash, { promptedWallAt: AT }), { status: status('work'), tail })).toBeUndefined()
  }
})

test('without a registry, and without a hook, a turn that was given up is over', () => {
  const doing: Doing = { kind: 'api_error', what: 'API Error: 529', ended: true }
  const tail = { promptWallAt: AT - 50, failed: { wallAt: AT + 900, doing } }
  expect(weighed(believed(thinking), { tail })).toEqual({ witness: 'transcript', doing, wallAt: AT + 900 })
  expect(weighed(believed(failing), { tail })).toEqual({ witness: 'transcript', doing, wallAt: AT + 900 })
  expect(weighed(believed(thinking), { tail: { ...tail, answerWallAt: AT + 950 } })).toBeUndefined()
})

test('a client that notes each try in its transcript tries again until it gives up', () => {
  const refused = { wallAt: AT + 900, untilWallAt: AT + 1400 }
  const what = "no answer from the model's service; it tries again"
  expect(weighed(believed(thinking), { tail: { promptWallAt: AT, refused } })).toMatchObject({ doing: { what } })
  const limit = { ...refused, status: 429 }
  expect(weighed(believed(thinking), { tail: { answerWallAt: AT, refused: limit } })).toMatchObject({
    doing: { kind: 'limited', waits: true, untilWallAt: AT + 1400 },
  })
  expect(weighed(believed(thinking), { tail: { answerWallAt: AT + 2000, refused } })).toBeUndefined()
})

test('a limit of which nobody says when it ends is over when the one that is used up begins anew', () => {
  const gauges = { limits: [{ name: 'five_hour', share: 1, resetsWallAt: AT + 3_600_000 }] }
  const tail = { failed: { wallAt: AT + 30, doing: { kind: 'limited' as const } } }
  expect(weighed(believed(thinking, {}, { gauges }), { status: status('rest'), tail })).toMatchObject({
    doing: { kind: 'limited', untilWallAt: AT + 3_600_000 },
  })
})

test('what its registry said before a restart is not held against what it was heard to do', () => {
  const agent = believed(idle, { seen: { status: status('work', -100), tail: { promptWallAt: AT } } })
  expect(objection(agent, NOW)).toMatchObject({ doing: thinking })
  const { agents } = createWorld(SETTINGS, { agents: [agent] })
  expect([...agents.values()].map(({ open }) => open?.seen)).toEqual([{ tail: { promptWallAt: AT } }])
})

const HOUR = 3_600_000

test('a report of before the clock was set back leaves the word of its program in no doubt', () => {
  const back = NOW - HOUR
  const said = { witness: 'registry', doing: idle }
  expect(weighed(believed(bash), { status: { says: 'rest', wallAt: back - 5_000 } }, back)).toMatchObject(said)
  // Its own word may be of before, too.
  expect(weighed(believed(bash), { status: status('rest') }, back)).toMatchObject(said)
  // A report of since is younger than it, for a moment.
  const heard = believed(bash, { heardWallAt: back - 100 })
  expect(weighed(heard, { status: status('rest') }, back)).toEqual({ againMs: 1_400 })
  const interruptWallAt = back - 1_000
  expect(weighed(believed(bash), { tail: { interruptWallAt } }, back)).toMatchObject({ doing: idle })
})

test('a report after the clock was set back is the last that was heard', () => {
  const heardWallAt = ({ open }: { open?: OpenWork }) => open?.heardWallAt
  const told = (wallAt: number) =>
    tell(believed(bash), { agent: 'a', run: 'r', generation: 1, witness: 'hook', facts: [] } as never, {
      at: 1,
      wallAt,
    })
  expect([AT - HOUR, AT - 100, AT + 100].map((wallAt) => heardWallAt(told(wallAt)))).toEqual([AT - HOUR, AT, AT + 100])
})

test('the end of a limit that lies further away than any limit lasts is not believed', () => {
  const far = NOW + 400 * 24 * HOUR
  const limits = [{ window: 'week', share: 1, resetsWallAt: NOW + HOUR }] as never
  const limited: Doing = { kind: 'limited', untilWallAt: far }
  expect(withLimitEnd(limited, [], NOW)).toEqual({ kind: 'limited', tooFar: true })
  expect(withLimitEnd(withLimitEnd(limited, [], NOW), [], NOW)).toEqual({ kind: 'limited', tooFar: true })
  expect(withLimitEnd(limited, limits, NOW)).toEqual({ kind: 'limited', untilWallAt: NOW + HOUR })
  const week: Doing = { kind: 'limited', untilWallAt: NOW + 7 * 24 * HOUR }
  expect(withLimitEnd(week, [], NOW)).toBe(week)
  // Said again at every look, it is no news.
  const tail = { failed: { wallAt: AT + 30, doing: limited } }
  expect(weighed(believed(thinking), { status: status('rest'), tail })).toMatchObject({
    doing: { kind: 'limited', tooFar: true },
  })
})
