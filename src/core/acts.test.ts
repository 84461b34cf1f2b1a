import { describe, expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Doing, Question } from '../contract/evidence.ts'
import { fingerprint } from './fingerprint.ts'

const TEXT = 'Please commit.'

/** One agent that lives and thinks. */
function house() {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  see(sim, { kind: 'thinking' })
  return sim
}

let reports = 0

function see(sim: Sim, doing: Doing, { generation = 1, heard }: { generation?: number; heard?: string } = {}): void {
  reports += 1
  const said = { witness: 'hook', stamp: `t${reports}`, doing, ...(heard === undefined ? {} : { heard }) } as const
  sim.input({ type: 'report', sighting: { agent: 'agent-1', generation, ...said } })
}

function outcome(sim: Sim, answer: Outcome): void {
  const [effect] = sim.open.splice(0, 1) as [Effect]
  sim.input({ type: 'outcome', effect, outcome: answer })
}

function endings(sim: Sim): string[] {
  return sim.events.flatMap((event) =>
    event.type === 'act.ended' && event.act !== 'spawn' ? `${event.act} ${event.result}: ${event.detail ?? ''}` : [],
  )
}

describe('a text is delivered when the agent says that it took it', () => {
  test('typed, then heard', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'message' })
    outcome(sim, { result: 'done', unconfirmed: true })
    expect(endings(sim)).toEqual([])
    see(sim, { kind: 'thinking' }, { heard: fingerprint(`  ${TEXT}\n`) })
    expect(endings(sim)).toEqual(['message done: the agent took it'])
  })

  test('heard before the terminal answered', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'message' })
    see(sim, { kind: 'thinking' }, { heard: fingerprint(TEXT) })
    outcome(sim, { result: 'done', unconfirmed: true })
    expect(endings(sim)).toEqual(['message done: the agent took it'])
    expect(sim.events.some(({ type }) => type === 'outcome.dropped')).toBe(false)
  })

  test('typed and never heard is unknown, not done', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'message' })
    outcome(sim, { result: 'done', unconfirmed: true })
    sim.wait(2, true)
    expect(endings(sim)).toEqual(['message unknown: it was typed, and nobody can tell whether it arrived'])
  })

  test('another text, or another generation, proves nothing', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'message' })
    outcome(sim, { result: 'done', unconfirmed: true })
    see(sim, { kind: 'thinking' }, { heard: fingerprint('something else') })
    see(sim, { kind: 'thinking' }, { heard: fingerprint(TEXT), generation: 0 })
    expect(endings(sim)).toEqual([])
  })
})

function asked(...labels: string[]): Question {
  return { question: `${labels.join(' or ')}?`, options: labels.map((label) => ({ label })) }
}

describe('what a generation says before its start is known', () => {
  test.each<[Doing['kind'], string]>([
    ['idle', 'idle'],
    ['thinking', 'active'],
  ])('%s makes it %s', (kind, lifecycle) => {
    const sim = new Sim()
    sim.make({ do: 'command', agent: 1, what: 'spawn' })
    see(sim, { kind } as Doing)
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
    expect(sim.world.agents.get('agent-1')?.lifecycle).toBe(lifecycle)
  })
})

describe('a question is answered where it was asked', () => {
  const ask = { id: 'ask-1', request: '{"tool":"AskUserQuestion"}' }
  const question: Doing = { kind: 'question', what: 'Jest or Vitest?', ask, questions: [asked('Jest', 'Vitest')] }

  function answer(sim: Sim, item: string) {
    return sim.input({ type: 'command', by: 'you', command: { type: 'needs-you.answer', item, answer: 'Vitest' } })
  }

  function item(sim: Sim) {
    return sim.world.agents.get('agent-1')?.needsYou[0]
  }

  test('it is in the inbox at once, with its options, and the answer goes to the hook that waits', () => {
    const sim = house()
    see(sim, question)
    expect(item(sim)).toMatchObject({ kind: 'waiting', answerable: true, options: ['Jest', 'Vitest'] })
    const { effects, reply } = answer(sim, item(sim)?.id ?? '')
    expect(reply).toMatchObject({ ok: true })
    expect(effects).toMatchObject([{ type: 'ask.answer', ask: 'ask-1', request: ask.request, answer: 'Vitest' }])
    outcome(sim, { result: 'done' })
    see(sim, { kind: 'thinking' })
    expect({ item: item(sim), ends: endings(sim) }).toEqual({ item: undefined, ends: ['answer done: '] })
  })

  test('as the agent wrote it; several at once want an answer each', () => {
    const sim = house()
    const questions = [asked('Jest', 'Vitest'), { ...asked('Unit', 'Browser'), several: true as const }]
    see(sim, { ...question, questions })
    expect(item(sim)).toMatchObject({ questions })
    expect(item(sim)?.options).toBeUndefined()
    const say = (text: string) => {
      const command = { type: 'needs-you.answer', item: item(sim)?.id ?? '', answer: text } as const
      return sim.input({ type: 'command', by: 'you', command })
    }
    expect(say('Vitest').reply).toMatchObject({ ok: false, refusal: { sentence: 'It asks 2 things at once' } })
    expect(say('Vitest\n1, 2').effects).toMatchObject([{ type: 'ask.answer', answer: 'Vitest\n1, 2' }])
  })

  test('the same words asked again are another question: an answer to the first is refused', () => {
    const sim = house()
    const rm: Doing = { kind: 'permission', what: 'rm -rf build', ask }
    see(sim, rm)
    const first = item(sim)?.id ?? ''
    see(sim, { ...rm, ask: { ...ask, id: 'ask-2' } })
    expect(item(sim)?.id).not.toBe(first)
    const command = { type: 'needs-you.answer', item: first, answer: 'allow' } as const
    expect(sim.input({ type: 'command', by: 'you', command })).toMatchObject({
      reply: { ok: false, refusal: { code: 'conflict', sentence: `Nobody waits for an answer to ${first}` } },
      effects: [],
    })
  })

  test.each([question, { kind: 'permission', what: 'rm -rf build', ask }] satisfies Doing[])(
    'of an adopted one a $kind is answered in its own terminal alone',
    (doing) => {
      const sim = new Sim()
      sim.make({ do: 'command', agent: 1, what: 'adopt' })
      see(sim, doing)
      expect(item(sim)).toMatchObject({ kind: 'waiting', ask: 'ask-1', hint: 'Answer it in its own terminal.' })
      expect(item(sim)?.answerable).toBeUndefined()
      const sentence = 'agent-1 was adopted: an answer is never done to it'
      const command = { type: 'needs-you.answer', item: item(sim)?.id ?? '', answer: '1' } as const
      expect(sim.input({ type: 'command', by: 'you', command }).reply).toMatchObject({ refusal: { sentence } })
    },
  )

  test('an answer that comes too late is refused', () => {
    const sim = house()
    see(sim, question)
    const id = item(sim)?.id ?? ''
    see(sim, { kind: 'thinking' })
    expect(answer(sim, id).reply).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
  })

  test('a permission is allowed or denied; one without a waiting hook is answered in the terminal', () => {
    const sim = house()
    see(sim, { kind: 'permission', what: 'rm -rf build', ask })
    expect(item(sim)).toMatchObject({ answerable: true, options: ['allow', 'deny'] })
    see(sim, { kind: 'thinking' })
    see(sim, { kind: 'permission', what: 'rm -rf dist' })
    expect(item(sim)?.answerable).toBeUndefined()
    expect(answer(sim, item(sim)?.id ?? '').reply).toMatchObject({ ok: false })
  })
})
