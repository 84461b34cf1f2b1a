/** A real client that answers in words and does nothing: neither a poke nor work that waits is done with by that. */
import { DatabaseSync } from 'node:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databasePath } from '../../../src/adapters/sqlite/database.ts'
import { AGENT_PREFIX } from '../../../src/adapters/sqlite/rows.ts'
import type { EventOf } from '../../../src/contract/events.ts'
import type { AgentRecord } from '../../../src/contract/records.ts'
import type { ExplainView } from '../../../src/contract/views.ts'
import { COOLDOWN_MS } from '../../../src/core/policies/attention.ts'
import { scripted, type Turn } from '../../model-api/turn.ts'
import { configText } from '../judgement/stage.ts'
import { clientFor, ID, isAtRest, rested, started, type RealClaude } from './real-claude.ts'

const CALL: Turn = { tools: [{ name: 'Bash', input: { command: 'git log --oneline', description: 'a step' } }] }
const ONLY_STUCK_FOR_LONG = configText(
  { stale: 0.05, warning: 0.1, stuck: 600 },
  'handoffs:\n  auto_triggers:\n    stuck_escalation:\n      enabled: false\n',
)

test('a poke that is answered with «I am on it» has not helped: the next one comes, and a call that does something ends it', async (ctx) => {
  const rules = [
    { when: /name the next single step/, turns: () => [{ text: 'I am on it.' }] },
    { when: /nothing was done since/, turns: () => [CALL, { text: 'Now I did it.' }] },
  ]
  const real = await clientFor(ctx, { rules, config: ONLY_STUCK_FOR_LONG })
  const { live, spawn, shows, agent } = real
  const answer = join(live.root, 'the-model-answers')
  await spawn('begin', [{ text: 'Let me think.', onceThere: answer }])
  const { act } = await live.event(
    'act.decided',
    ID,
    live.events.findIndex(({ type }) => type === 'episode.opened'),
  )
  expect(act).toMatchObject({ kind: 'poke', by: 'attention' })
  await live.until(() => endedOf(real, 'poke') === 'done', 'the poke was typed')
  writeFileSync(answer, '')
  await shows('I am on it.')
  await rested(real)
  const { next } = await live.client.get<ExplainView>(`/api/agents/${ID}/explain`)
  expect(next.map(({ what }) => what)).toContain('poke 2 of 3, if there is no progress')

  await live.down()
  aQuarterOfAnHourLater(real)
  const since = live.events.length
  await live.up()
  const judged = await live.event('intervention.judged', ID, since)
  expect(judged).toMatchObject({ act: 'poke', n: 1 })
  expect(['answered', 'not_recovered']).toContain(judged.result)
  const again = await live.event('act.decided', ID, since)
  expect(again).toMatchObject({ act: { kind: 'poke', reason: 'it was poked, answered in words and rests' }, n: 2 })
  expect(await live.event('intervention.judged', ID, live.events.indexOf(again))).toMatchObject({
    ...{ act: 'poke', n: 2, result: 'recovered' },
  })
  await live.event('episode.closed', ID, since)
  await live.until(async () => isAtRest(await agent()), 'it rests')
})

test('work that is only acknowledged still waits, until something is done', async (ctx) => {
  const rules = [{ when: /work waits for you/, turns: () => [{ text: 'OK, I will do it.' }] }]
  const real = await started(ctx, { rules })
  const { live, shows, type } = real
  await live.client.post(`/api/agents/${ID}/suspend`, {})
  await real.seen('it sleeps', ({ lifecycle }) => lifecycle === 'suspended')
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/assign`, { what: 'Fix PAN-19.' })
  const woken = await live.event('act.decided', ID, since)
  expect(woken.act).toMatchObject({ kind: 'resume', by: 'waiting work' })
  await shows('OK, I will do it.')
  expect(await rested(real)).toMatchObject({ waitingWork: expect.stringContaining('Fix PAN-19.') })
  expect(live.events.slice(since).some(({ type: each }) => each === 'work.begun')).toBe(false)

  type(scripted('Then do it.', [CALL, { text: 'done' }]))
  await live.event('work.begun', ID, since)
  expect((await rested(real)).waitingWork).toBeUndefined()
})

function endedOf({ live }: RealClaude, act: string): string | undefined {
  return live.events.find((event): event is EventOf<'act.ended'> => event.type === 'act.ended' && event.act === act)
    ?.result
}

/** The journal as it would be had that time passed since the poke. */
function aQuarterOfAnHourLater({ live }: RealClaude): void {
  const db = new DatabaseSync(databasePath(live.home))
  const key = AGENT_PREFIX + ID
  const row = db.prepare('SELECT body FROM state WHERE key = ?').get(key)
  const agent = JSON.parse(String(row?.['body'])) as AgentRecord
  const { episode, experiments = [], trail } = agent
  if (episode?.lastPokeAt === undefined) throw new Error('it was not poked')
  const past = (at: number) => at - COOLDOWN_MS
  const earlier: AgentRecord = {
    ...agent,
    lifecycleAt: past(agent.lifecycleAt),
    episode: { ...episode, lastPokeAt: past(episode.lastPokeAt) },
    experiments: experiments.map((each) => ({ ...each, judgeAt: past(each.judgeAt) })),
    trail: { steps: [], ...trail, turnAt: past(trail?.turnAt ?? 0) },
  }
  db.prepare('UPDATE state SET body = ? WHERE key = ?').run(JSON.stringify(earlier), key)
  db.close()
}
