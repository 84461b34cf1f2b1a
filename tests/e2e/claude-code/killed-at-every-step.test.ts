/** The daemon killed at every step of hand-offs and cycles of a real client: each comes to its end, and nobody is poked. */
import { expect, test } from 'vitest'
import { obeyed } from '../../../src/core/handoffs/orders.ts'
import type { Rule } from '../../model-api/turn.ts'
import { clientFor, clients, ID, killed, rested, type RealClaude } from './real-claude.ts'

/** It writes down what it is asked for, and says the line of whoever takes over. */
const SAVES: Rule = {
  when: /goes on with your work\. Write/,
  turns: () => [
    { tools: [{ name: 'Write', input: { file_path: '.planning/STATE.md', content: '## Next Steps\n1. Go on\n' } }] },
    { text: 'It is written.' },
  ],
}
const WRITES: Rule = {
  when: /create the hand-off document now/,
  turns: ({ input }) => {
    const { path, text } = obeyed(input, 'Go on') ?? { path: 'not-asked-for.md', text: '' }
    return [{ tools: [{ name: 'Write', input: { file_path: path, content: text } }] }, { text: 'It is written.' }]
  },
}
const GOES_ON: Rule = {
  when: /CLOISTER-NEXT ([A-Za-z0-9]+) \| <current task>/,
  turns: ([, nonce]) => [
    {
      text: `CLOISTER-NEXT ${nonce} | The work | Go on`,
      tools: [{ name: 'Write', input: { file_path: `${nonce}.txt`, content: 'done' } }],
    },
    { text: 'It is done.' },
  ],
}

/** How often it was killed until the hand-off had its end. */
async function killedUntilItsEnd(real: RealClaude, wish: object): Promise<number> {
  const { live } = real
  let from = live.events.length
  let kills = 0
  await live.client.post(`/api/agents/${ID}/handoff`, { reason: 'rehearsed', ...wish })
  for (;;) {
    const next = () =>
      live.events.findIndex(({ type }, at) => at >= from && (type === 'handoff.stepped' || type === 'handoff.ended'))
    await live.until(() => next() >= 0, 'the hand-off goes on')
    const at = next()
    const event = live.events[at]
    if (event?.type === 'handoff.ended') {
      // A start that was cut off before it began is undone: the one before goes on.
      expect(['done', 'rolled_back'], event.detail).toContain(event.result)
      return kills
    }
    from = at + 1
    kills += 1
    await killed(real)
  }
}

test('hand-offs and cycles, killed at each of their steps', async (ctx) => {
  // What was under way when the daemon was killed is waited for as long as these say.
  const config = `monitoring: { check_interval: 1 }
thresholds: { stale: 0.2, warning: 0.4, stuck: 10 }
handoffs: { timeouts: { state_update_seconds: 20, idle_seconds: 10 } }
context_cycle: { verify_seconds: 20 }
`
  const real = await clientFor(ctx, { config, rules: [SAVES, WRITES, GOES_ON] })
  await real.spawn('Begin.', [{ text: 'I begin.' }])
  await rested(real)
  let kills = 0
  for (const wish of [{ toModel: 'haiku' }, { method: 'context_cycle' }, { toModel: 'opus' }]) {
    kills += await killedUntilItsEnd(real, wish)
    await rested(real)
    expect(clients(real)).toHaveLength(1)
  }
  const acts = real.live.events.flatMap((event) => (event.type === 'act.decided' ? [event.act.kind] : []))
  expect({ enough: kills >= 14, pokes: acts.filter((kind) => kind === 'poke') }).toEqual({ enough: true, pokes: [] })
}, 600_000)
