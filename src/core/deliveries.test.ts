import { describe, expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import { command, type Command } from '../contract/commands.ts'
import { effect as effectSchema, type Effect, type Outcome } from '../contract/effects.ts'
import type { Doing } from '../contract/evidence.ts'
import { MESSAGES_KEPT } from '../contract/messages.ts'
import { spawnBody } from '../contract/bodies.ts'
import { firstEffect } from './act-effects.ts'
import { fingerprint } from './fingerprint.ts'
import { letterPath, typedForm } from './letters.ts'
import { letterText } from './prompts.ts'

let reports = 0

/** One agent that lives, rests and has a session. */
function house(): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  outcome(sim, { result: 'done' })
  see(sim, { kind: 'idle' })
  sim.wait(1, true)
  return sim
}

interface Seen {
  session?: string
  heard?: string
  generation?: number
}

function see(sim: Sim, doing: Doing, { session = 'session-a', heard, generation = 1 }: Seen = {}): void {
  reports += 1
  const said = { witness: 'hook', stamp: `t${reports}`, doing, sessionId: session } as const
  const told = heard === undefined ? {} : { heard: fingerprint(heard) }
  sim.input({ type: 'report', sighting: { agent: 'agent-1', generation, ...said, ...told } })
}

/** Answers the newest effect. */
/** Of the act; what was heard is kept before. */
function outcome(sim: Sim, answer: Outcome): Effect {
  keepTexts(sim)
  const effect = sim.open.pop() as Effect
  sim.input({ type: 'outcome', effect, outcome: answer })
  return effect
}

function keepTexts(sim: Sim): void {
  for (const effect of sim.open.filter(({ type }) => type === 'task.keep')) {
    sim.open.splice(sim.open.indexOf(effect), 1)
    sim.input({ type: 'outcome', effect, outcome: { result: 'done' } })
  }
}

function ask(sim: Sim, command: Command) {
  return sim.input({ type: 'command', by: 'you', command }).reply
}

function send(sim: Sim, text = 'Go on.') {
  return ask(sim, { type: 'agent.message', agent: 'agent-1', text })
}

function rows(sim: Sim): string[] {
  const { messages = [] } = sim.world.agents.get('agent-1') ?? {}
  return messages.map(({ state, attempts, why, evidence }) => [state, attempts, why ?? evidence ?? ''].join(' ').trim())
}

const typed: Outcome = { result: 'done', unconfirmed: true }

describe('one message', () => {
  test('typed, heard', () => {
    const sim = house()
    send(sim)
    outcome(sim, typed)
    expect(rows(sim)).toEqual(['typed 1'])
    see(sim, { kind: 'thinking' }, { heard: ' Go on.\n' })
    expect(rows(sim)).toEqual(['heard 1 hook'])
  })

  test('unheard, it is looked for: in the transcript it is there, nowhere it is typed again, three times in all', () => {
    const found = house()
    send(found)
    outcome(found, typed)
    found.wait(1 / 3, true)
    expect(outcome(found, { result: 'done', found: 'queue' })).toMatchObject({
      type: 'session.check-text',
      fingerprint: fingerprint('Go on.'),
      session: 'session-a',
    })
    expect(rows(found)).toEqual(['heard 1 queue'])

    const lost = house()
    send(lost)
    for (let n = 1; n <= 3; n += 1) {
      expect(outcome(lost, typed), `attempt ${n}`).toMatchObject({ type: 'session.type', text: 'Go on.' })
      lost.wait(1 / 3, true)
      outcome(lost, { result: 'not_done' })
    }
    expect(rows(lost)).toEqual(['undelivered 3 it was typed as often as it may be and did not arrive'])
    expect(lost.world.agents.get('agent-1')?.needsYou).toMatchObject([
      { kind: 'undelivered', message: expect.stringMatching(/^m-/) },
    ])
    see(lost, { kind: 'thinking' }, { heard: 'Go on.' })
    expect(rows(lost)).toEqual(['heard 3 hook'])
    expect(lost.world.agents.get('agent-1')?.needsYou).toEqual([])
  })

  test('a text that can never be typed is given up at once, and the next one goes', () => {
    const sim = house()
    send(sim)
    outcome(sim, { result: 'not_done', unfit: true, detail: 'there is no text to type' })
    expect(rows(sim)).toEqual(['undelivered 0 there is no text to type'])
    expect(sim.world.agents.get('agent-1')?.needsYou).toMatchObject([{ kind: 'undelivered' }])
    send(sim)
    outcome(sim, typed)
    see(sim, { kind: 'thinking' }, { heard: 'Go on.' })
    expect(rows(sim)).toEqual(['undelivered 0 there is no text to type', 'heard 1 hook'])
  })

  test('held by somebody who types, it is tried as soon as the terminal is given back', () => {
    const sim = house()
    send(sim)
    outcome(sim, { result: 'not_done', held: true, detail: 'somebody types in its terminal' })
    sim.wait(1, true)
    expect(rows(sim)).toEqual(['queued 0 somebody types in its terminal'])
    expect(ask(sim, { type: 'agent.give-back', agent: 'agent-1' })).toMatchObject({ ok: true })
    outcome(sim, typed)
    see(sim, { kind: 'thinking' }, { heard: 'Go on.' })
    expect(rows(sim)).toEqual(['heard 1 hook'])
  })

  test('one that waits can be taken back and is never typed; one that is being typed, or was, cannot', () => {
    const sim = house()
    send(sim)
    const message = sim.world.agents.get('agent-1')?.messages?.[0]?.id ?? ''
    const recall = () => ask(sim, { type: 'agent.recall-message', agent: 'agent-1', message })
    expect(recall()).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    outcome(sim, { result: 'not_done', held: true, detail: 'somebody types in its terminal' })
    expect(recall()).toMatchObject({ ok: true })
    sim.wait(40, true)
    expect(rows(sim)).toEqual(['recalled 0'])
    expect(sim.world.agents.get('agent-1')?.needsYou).toEqual([])
    expect(recall()).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    const other = { type: 'agent.recall-message', agent: 'agent-1', message: 'm-999' } as const
    expect(ask(sim, other)).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })

  test('where nobody can tell, it is not typed again by itself; a person may have that', () => {
    const sim = house()
    send(sim)
    outcome(sim, typed)
    sim.wait(1 / 3, true)
    outcome(sim, { result: 'unknown' })
    expect(rows(sim)).toEqual(['undelivered 1 it was typed, and nobody can tell whether it arrived'])
    const message = sim.world.agents.get('agent-1')?.messages?.[0]?.id ?? ''
    ask(sim, { type: 'agent.retry-message', agent: 'agent-1', message })
    expect(outcome(sim, { result: 'unknown' })).toMatchObject({ type: 'session.check-text' })
    expect(outcome(sim, typed)).toMatchObject({ type: 'session.type' })
    see(sim, { kind: 'thinking' }, { heard: 'Go on.' })
    expect(rows(sim)).toEqual(['heard 2 hook'])
    expect(ask(sim, { type: 'agent.retry-message', agent: 'agent-1', message })).toMatchObject({
      ok: false,
      refusal: { sentence: `Message ${message} is heard, not undelivered` },
    })
  })

  test('found by a look that came too late, it is there', () => {
    const sim = house()
    send(sim)
    outcome(sim, typed)
    sim.wait(1 / 3, true)
    const late = sim.open[0]?.id
    sim.wait(1, true)
    expect(rows(sim)).toEqual(['undelivered 1 it was typed, and nobody can tell whether it arrived'])
    expect(sim.world.agents.get('agent-1')?.needsYou).toMatchObject([{ kind: 'undelivered' }])
    expect(outcome(sim, { result: 'done', found: 'transcript' })).toMatchObject({
      id: late,
      type: 'session.check-text',
    })
    expect(rows(sim)).toEqual(['heard 1 transcript'])
    expect(sim.world.agents.get('agent-1')?.needsYou).toEqual([])
  })

  test('what one generation was told counts for no other', () => {
    const sim = house()
    send(sim)
    outcome(sim, typed)
    see(sim, { kind: 'idle' }, { session: 'session-b' })
    expect(rows(sim)).toEqual(['undelivered 1 its context was cleared before it was heard'])
    see(sim, { kind: 'thinking' }, { session: 'session-b', heard: 'Go on.' })
    expect(rows(sim)[0]).toMatch(/^undelivered/)
  })
})

describe('many messages', () => {
  test('go one after the other, and the same text twice is two messages', () => {
    const sim = house()
    send(sim)
    send(sim)
    outcome(sim, typed)
    expect(rows(sim)).toEqual(['typed 1', 'queued 0'])
    see(sim, { kind: 'thinking' }, { heard: 'Go on.' })
    outcome(sim, typed)
    expect(rows(sim)).toEqual(['heard 1 hook', 'typed 1'])
  })

  test('are bounded: how many wait, how many are kept, and how much text', () => {
    const sim = house()
    for (let n = 0; n < 20; n += 1) expect(send(sim, `text ${n}`)).toMatchObject({ ok: true })
    expect(send(sim)).toMatchObject({ ok: false, refusal: { code: 'busy' } })
    sim.wait(40, true)
    for (let n = 0; n < 60; n += 1) {
      send(sim, 'x'.repeat(50_000))
      outcome(sim, { result: 'done' })
    }
    keepTexts(sim)
    const { messages = [] } = sim.world.agents.get('agent-1') ?? {}
    expect(messages).toHaveLength(MESSAGES_KEPT)
    expect(messages.every(({ text, cut }) => text.length === 200 && cut === true)).toBe(true)
  })
})

describe('a long text goes by file', () => {
  test.each([
    ['x'.repeat(102_400), false],
    ['x'.repeat(102_401), true],
    ['漢'.repeat(34_134), true],
    ['👩'.repeat(25_600), false],
    ['👩'.repeat(25_601), true],
  ])('%#', (text, goesByFile) => {
    const { text: shown, letter } = typedForm('/home/letters', 'agent-1', { id: 'm-1', text })
    expect(letter).toEqual(goesByFile ? { message: 'm-1', text } : undefined)
    expect(shown.includes(letterPath('/home/letters', 'agent-1', 'm-1'))).toBe(goesByFile)
    expect(typedForm(undefined, 'agent-1', { id: 'm-1', text })).toEqual({ text })
  })

  test.each([
    ['x'.repeat(102_400), false],
    ['x'.repeat(140_000), true],
  ])('the first prompt as well: %#', (text, goesByFile) => {
    const base = { id: 'e-1', agent: 'agent-1', generation: 1 }
    const proposal = { kind: 'spawn', precedence: 'human', by: 'you', reason: 'asked', citations: [], text } as const
    const effect = firstEffect({ ...proposal, citations: [] }, base, {
      ...{ run: 'r-e-1', letters: '/home/letters', task: [], wasSeen: false },
    })
    const start = { type: 'session.spawn', ...base, run: 'r-e-1' }
    const path = letterPath('/home/letters', 'agent-1', 'r-e-1')
    expect(effect).toEqual(
      goesByFile
        ? { ...start, prompt: letterText(path), letter: { message: 'r-e-1', text } }
        : { ...start, prompt: text },
    )
    expect(effectSchema.parse(effect)).toEqual(effect)
  })

  test('a message and a first prompt of 200,000 characters are taken', () => {
    for (const [length, isTaken] of [
      [200_000, true],
      [200_001, false],
    ] as const) {
      const text = 'x'.repeat(length)
      expect(command.safeParse({ type: 'agent.message', agent: 'agent-1', text }).success).toBe(isTaken)
      expect(spawnBody.safeParse({ prompt: text }).success).toBe(isTaken)
    }
  })
})

describe('a session is gone on with by one at a time', () => {
  test('not while another agent has it open', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 2, what: 'spawn' })
    outcome(sim, { result: 'done' })
    see(sim, { kind: 'idle' })
    ask(sim, { type: 'agent.suspend', agent: 'agent-1' })
    outcome(sim, { result: 'done' })
    outcome(sim, { result: 'done', survivors: [] })
    outcome(sim, { result: 'done' })
    expect(sim.world.agents.get('agent-1')).toMatchObject({ lifecycle: 'suspended', sessionId: 'session-a' })
    const other = { agent: 'agent-2', generation: 1, witness: 'hook', stamp: 'x', sessionId: 'session-a' } as const
    sim.input({ type: 'report', sighting: other })
    const taken = { ok: false, refusal: { sentence: 'agent-2 has the session of agent-1 open' } }
    expect(ask(sim, { type: 'agent.resume', agent: 'agent-1' })).toMatchObject(taken)
    expect(send(sim)).toMatchObject(taken)
  })

  test('only what rests is put to sleep, and one that works again by then stays awake', () => {
    const sim = house()
    see(sim, { kind: 'thinking' })
    expect(ask(sim, { type: 'agent.suspend', agent: 'agent-1' })).toMatchObject({ ok: false })
    see(sim, { kind: 'idle' })
    expect(ask(sim, { type: 'agent.suspend', agent: 'agent-1' })).toMatchObject({ ok: true })
    see(sim, { kind: 'thinking' })
    outcome(sim, { result: 'done' })
    expect(sim.world.agents.get('agent-1')).toMatchObject({ lifecycle: 'active' })
    expect(sim.open).toEqual([])
  })
})
