/** One that rests is put to sleep by a rule, sleeps through a restart of the daemon, and is woken by a message. */
import { afterEach, expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { LiveHome } from '../daemon/live-home.ts'
import { configure, script } from './stage.ts'

let live: LiveHome
afterEach(() => live.remove())

const [RESTS, STAYS] = ['agent-rests', 'agent-stays'] as const

test('auto-suspend: the tree is ended, the session kept; a restart changes nothing, a message wakes it with its session', async () => {
  live = new LiveHome()
  configure(live, undefined, `lifecycle:\n  work_agent_idle_minutes: 0.05\n  keep_awake: [${STAYS}]\n`)
  await live.up()
  for (const id of [RESTS, STAYS]) {
    script(live, id, ['say: I am ready.'])
    await live.spawn(id, id, 'Begin.')
  }
  await live.until(async () => (await live.agent(RESTS)).lifecycle === 'suspended', 'it sleeps')
  const decided = live.events.flatMap((event) => (event.type === 'act.decided' ? [event] : []))
  expect(decided.map(({ agent, act }) => `${act.kind} ${agent} by ${act.by}`)).toContain(
    `suspend ${RESTS} by lifecycle`,
  )
  const { sessionId } = await live.agent(RESTS)
  expect(await live.agent(STAYS)).toMatchObject({ lifecycle: 'idle' })
  expect(await living()).toHaveLength(1)

  await live.crash()
  const since = live.events.length
  await live.up()
  expect(await live.agent(RESTS)).toMatchObject({ lifecycle: 'suspended', sessionId, generation: 1 })
  await live.client.post(`/api/agents/${RESTS}/message`, { message: 'Good morning.' })
  await live.event('message.heard', RESTS, since)
  expect(await live.agent(RESTS)).toMatchObject({ sessionId, generation: 2 })
  expect(await living()).toHaveLength(2)
})

async function living(): Promise<readonly string[]> {
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const runs = live.events.flatMap((event) => (event.type === 'act.decided' ? (event.act.run ?? []) : []))
  const looks = await Promise.all(runs.map(async (run) => ({ run, ...(await trees.lookAt(run)) })))
  return looks.flatMap(({ run, alive }) => (alive ? run : []))
}
