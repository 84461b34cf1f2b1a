import { expect, test } from 'vitest'
import type { Doing } from '../../contract/evidence.ts'
import type { Fact, OpenWork } from '../../contract/open-work.ts'
import { CALLS_KEPT, WAITS_KEPT } from '../../contract/open-work.ts'
import { afterFacts, afterObjection, afterSeen, NOTHING_OPEN, shownWork } from './open-work.ts'

const AT = { at: 100, wallAt: 5_000 }
const asks: Doing = { kind: 'permission', what: 'rm x' }

function opened(id: string, given: Partial<Extract<Fact, { fact: 'call_opened' }>> = {}): Fact {
  return { fact: 'call_opened', id, actor: '', tool: 'Bash', boundMs: 1000, identity: `i-${id}`, ...given }
}
const closed = (id: string, actor = ''): Fact => ({ fact: 'call_closed', id, actor })
const waits = (key: string, identity?: string): Fact => ({
  fact: 'wait_opened',
  key,
  actor: '',
  doing: asks,
  ...(identity === undefined ? {} : { identity }),
})

function after(...facts: Fact[]): OpenWork {
  return afterFacts(NOTHING_OPEN, facts, AT)
}

const shown = (open: OpenWork) => {
  const { key, doing } = shownWork(open) ?? {}
  return [key, doing?.kind]
}

test.each<[string, OpenWork, [string | undefined, Doing['kind'] | undefined]]>([
  ['nothing', NOTHING_OPEN, [undefined, undefined]],
  ['a call', after(opened('a')), ['call a', 'tool']],
  ['of two the one that may take longer', after(opened('a', { boundMs: 9000 }), opened('b')), ['call a', 'tool']],
  ['of two alike the later', after(opened('a'), opened('b')), ['call b', 'tool']],
  ['one of which nobody knows it', after(withoutBound(opened('a')), opened('b')), ['call a', 'tool']],
  [
    'not the one for which others work',
    after(withoutBound(opened('a', { delegates: true })), opened('b', { actor: 's' })),
    ['call b', 'tool'],
  ],
  ['unless these rest', after(opened('a', { delegates: true })), ['call a', 'tool']],
  ['the other, when one ended', after(opened('a'), opened('b'), closed('b')), ['call a', 'tool']],
  ['thinking, when all ended', after(opened('a'), closed('a')), [undefined, 'thinking']],
  ['the end of one that is not known changes no call', after(opened('a'), closed('x')), ['call a', 'tool']],
  ['a wait before all else', after(opened('a'), waits('w', 'i-a'), opened('b')), ['wait w', 'permission']],
  ['a wait ends with its call', after(opened('a'), waits('w', 'i-a'), closed('a')), [undefined, 'thinking']],
  [
    'another call does not end it',
    after(opened('a'), opened('b'), waits('w', 'i-a'), closed('b')),
    ['wait w', 'permission'],
  ],
  ['one of no known call ends with any word', after(opened('a'), waits('w'), opened('b')), ['call b', 'tool']],
  [
    'a batch ends what is its own',
    after(opened('a'), opened('b', { actor: 's' }), { fact: 'calls_closed', actor: '' }),
    ['call b', 'tool'],
  ],
  ['a prompt ends nothing', after(opened('a'), { fact: 'prompt_heard' }), ['call a', 'tool']],
  [
    'the end of a turn ends all',
    after(opened('a'), opened('b', { actor: 's' }), { fact: 'turn_ended', rest: { kind: 'idle' } }),
    [undefined, 'idle'],
  ],
  [
    'but not who works in the background',
    after(opened('a'), opened('b', { actor: 's' }), { fact: 'turn_ended', rest: { kind: 'background', tasks: 1 } }),
    ['call b', 'tool'],
  ],
  ['a notice of rest is not believed against a call', after(opened('a'), { fact: 'rest_noticed' }), ['call a', 'tool']],
  [
    'nor against a limit',
    after({ fact: 'turn_ended', rest: { kind: 'limited' } }, { fact: 'rest_noticed' }),
    [undefined, 'limited'],
  ],
  ['else it is', after({ fact: 'prompt_heard' }, { fact: 'rest_noticed' }), [undefined, 'idle']],
])('%s is shown', (_, open, expected) => {
  expect(shown(open)).toEqual(expected)
})

function withoutBound(fact: Fact): Fact {
  if (fact.fact !== 'call_opened') return fact
  const { boundMs: _, ...rest } = fact
  return rest
}

test('no more is kept than fits', () => {
  const many = Array.from({ length: CALLS_KEPT + 50 }, (_, n) => opened(`c${n}`))
  expect(after(...many).calls).toHaveLength(CALLS_KEPT)
  const asked = Array.from({ length: WAITS_KEPT + 5 }, (_, n) => waits(`w${n}`, 'x'))
  expect(after(opened('a', { identity: 'x' }), ...asked).waits).toHaveLength(WAITS_KEPT)
})

test('a report that comes twice counts once', () => {
  expect(after(opened('a'), opened('a')).calls).toHaveLength(1)
})

test('an interrupt that its program wrote down ends the calls before it, and no later one', () => {
  const open = afterFacts(after(opened('a')), [opened('b')], { at: 200, wallAt: 9_000 })
  const now = { wallAt: 10_000 }
  expect(afterSeen(open, { tail: { interruptWallAt: 6_000 } }, now).calls.map(({ id }) => id)).toEqual(['b'])
  expect(afterSeen(open, { tail: {} }, now).calls).toHaveLength(2)
  // Written before the clock was set back.
  expect(afterSeen(open, { tail: { interruptWallAt: 60_000 } }, now).calls).toHaveLength(2)
})

test('where it was seen to rest, what is told late of an earlier moment opens nothing', () => {
  const rested = afterObjection(after(opened('a')), { kind: 'idle' }, { at: 300, wallAt: 60_000 })
  expect(shown(rested)).toEqual([undefined, 'idle'])
  expect(shown(afterFacts(rested, [opened('late')], AT))).toEqual([undefined, 'idle'])
  expect(shown(afterFacts(rested, [opened('new')], { at: 400, wallAt: 61_000 }))).toEqual(['call new', 'tool'])
})

test('a dialog that was answered in its own terminal leaves the call open', () => {
  const open = after(opened('a'), waits('w', 'i-a'))
  expect(shown(afterObjection(open, { kind: 'tool', name: 'Bash' }, AT))).toEqual(['call a', 'tool'])
})

test('with its turn the request is over that was refused', () => {
  const seen = { tail: { asked: { times: 1, wallAt: 1 }, refused: { status: 529, wallAt: 2 }, answerWallAt: 0 } }
  const open = afterFacts({ ...NOTHING_OPEN, seen }, [{ fact: 'turn_ended', rest: { kind: 'idle' } }], AT)
  expect(open.seen).toEqual({ tail: { answerWallAt: 0 } })
})
