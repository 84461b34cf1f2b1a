import { expect, test } from 'vitest'
import type { Doing } from '../../contract/evidence.ts'
import type { RegistryEntry, RegistryStatus } from './registry.ts'
import { objection, type Believed } from './second-witness.ts'
import type { SessionTail } from './session-tail.ts'

const AT = 1_794_765_374_000
const bash: Doing = { kind: 'tool', name: 'Bash', boundMs: 120_000 }
const asks: Doing = { kind: 'permission', what: 'Bash: rm x' }
const question: Doing = { kind: 'question', what: 'Which?' }
const thinking: Doing = { kind: 'thinking' }
const idle: Doing = { kind: 'idle' }

function believed(doing: Doing | undefined, given: Partial<Believed> = {}): Believed {
  return { doing, beyondWaits: undefined, heardWallAt: AT, promptDue: false, limits: undefined, zone: 'UTC', ...given }
}

/** The registry's word, so many milliseconds after the last report. */
function registry(status: RegistryStatus, afterMs = 100, waitingFor?: string): RegistryEntry {
  const waits = waitingFor === undefined ? {} : { waitingFor }
  return { pid: 7, startedAt: 1, sessionId: 's', status, statusWallAt: AT + afterMs, isInteractive: true, ...waits }
}

const NOW = AT + 10_000
const tail = (given: Partial<SessionTail>): SessionTail => ({ queue: [], ...given })

test.each<[string, Believed, RegistryEntry, SessionTail | undefined, Doing | undefined]>([
  ['an interrupt of a tool', believed(bash), registry('idle'), undefined, idle],
  ['an interrupt of an answer', believed(thinking), registry('idle'), undefined, idle],
  ['a cancelled question', believed(question), registry('idle'), undefined, idle],
  ['rest that is known', believed(idle), registry('idle'), undefined, undefined],
  [
    'rest before the first prompt',
    believed({ kind: 'starting' }, { promptDue: true }),
    registry('idle'),
    undefined,
    undefined,
  ],
  ['rest that no prompt follows', believed({ kind: 'starting' }), registry('idle'), undefined, idle],
  ['rest at a limit', believed({ kind: 'limited' }), registry('idle'), undefined, undefined],
  ['rest beside background work', believed({ kind: 'background', tasks: 1 }), registry('idle'), undefined, undefined],
  ['nothing known, and it rests', believed(undefined), registry('idle'), undefined, idle],
  [
    'a prompt that the client refused by itself',
    believed(thinking),
    registry('idle'),
    tail({ promptAt: AT + 20, apiError: { at: AT + 30, text: 'Prompt is too long' } }),
    { kind: 'api_error', what: 'Prompt is too long' },
  ],
  [
    'a limit of which no hook has told yet',
    believed(thinking),
    registry('idle'),
    tail({ promptAt: AT + 20, apiError: { at: AT + 30, status: 429, text: 'API Error: Request rejected (429)' } }),
    { kind: 'limited' },
  ],
  [
    'an interrupt after an earlier failure',
    believed(thinking),
    registry('idle'),
    tail({ promptAt: AT + 20, apiError: { at: AT - 60_000, text: 'Prompt is too long' } }),
    idle,
  ],
  [
    'a permission that was given in its own dialog',
    believed(asks, { beyondWaits: bash }),
    registry('busy'),
    undefined,
    bash,
  ],
  ['the same after a restart', believed(asks), registry('busy'), undefined, thinking],
  ['a command that a person typed', believed(idle), registry('busy'), undefined, thinking],
  ['work that is known', believed(bash), registry('busy'), undefined, undefined],
  [
    'background work that the client calls busy',
    believed({ kind: 'background', tasks: 1 }),
    registry('busy'),
    undefined,
    undefined,
  ],
  [
    'a dialog without a hook',
    believed(thinking),
    registry('waiting', 100, 'permission prompt'),
    undefined,
    {
      kind: 'permission',
      what: 'it asks in its own terminal (permission prompt)',
    },
  ],
  [
    'a question without a hook',
    believed(thinking),
    registry('waiting', 100, 'input needed'),
    undefined,
    {
      kind: 'question',
      what: 'it asks in its own terminal (input needed)',
    },
  ],
  ['a dialog that is known', believed(asks), registry('waiting', 100, 'permission prompt'), undefined, undefined],
  ['a shell in the background', believed(idle), registry('shell'), undefined, { kind: 'background', tasks: 1 }],
  [
    'the same request again',
    believed(thinking),
    registry('busy', -500),
    tail({ asked: { digest: 'd', times: 3, at: AT + 5000 } }),
    { kind: 'api_error', what: "no answer from the model's service; the request was sent 3 times" },
  ],
  [
    'a service that failed, without a hook that says so',
    believed(thinking),
    registry('idle'),
    tail({ promptAt: AT + 20, apiError: { at: AT + 30, text: 'API Error: 529 Overloaded' } }),
    { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true },
  ],
  [
    'a request that was sent once',
    believed(thinking),
    registry('busy'),
    tail({ asked: { digest: 'd', times: 1, at: AT } }),
    undefined,
  ],
])('%s', (_, belief, entry, end, doing) => {
  const found = objection(belief, { registry: entry, tail: end }, NOW)
  expect(found === undefined || 'againMs' in found ? undefined : found.doing).toEqual(doing)
})

test('a word that is just being said is asked for again; one against a younger report must last', () => {
  const at = (entry: RegistryEntry, afterMs: number) =>
    objection(believed(bash), { registry: entry, tail: undefined }, AT + afterMs)
  expect(at(registry('idle', 100), 200)).toEqual({ againMs: 300 })
  expect(at(registry('idle', 100), 500)).toEqual({ witness: 'registry', doing: idle, wallAt: AT + 100 })
  expect(at(registry('idle', -100), 500)).toEqual({ againMs: 1000 })
  expect(at(registry('idle', -100), 1500)).toEqual({ witness: 'registry', doing: idle, wallAt: AT - 100 })
})

test('without a registry the note in the transcript tells of an interrupt', () => {
  const end = tail({ promptAt: AT - 50, interrupt: { at: AT + 900 } })
  expect(objection(believed(bash), { registry: undefined, tail: end }, NOW)).toEqual({
    witness: 'transcript',
    doing: idle,
    wallAt: AT + 900,
  })
  const goesOn = tail({ promptAt: AT + 950, interrupt: { at: AT + 900 } })
  expect(objection(believed(bash), { registry: undefined, tail: goesOn }, NOW)).toBeUndefined()
})
