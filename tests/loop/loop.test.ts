import { describe, expect, test, vi } from 'vitest'
import { MemoryJournal } from '../fakes/memory-journal.ts'
import { quiet } from '../fakes/virtual-clock.ts'
import type { Command } from '../../src/contract/commands.ts'
import { HOUR, MINUTE } from '../../src/core/durations.ts'
import type { Batch } from '../../src/core/ports.ts'
import { typeable } from '../../src/core/typeable.ts'
import { QUEUE_LIMIT } from '../../src/daemon/loop.ts'
import { House } from '../nights/house.ts'
import { SETTINGS } from '../samples/agents.ts'

/** A journal that becomes durable when the test says so. */
class SlowJournal extends MemoryJournal {
  waiting: (() => void)[] = []
  slow = false

  override async commit(batch: Batch): Promise<void> {
    if (this.slow) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
      })
    }
    return super.commit(batch)
  }

  release(): void {
    for (const go of this.waiting.splice(0)) go()
  }
}

describe('write, then act', () => {
  test('an effect runs, and a reply comes, only after the decision is durable', async () => {
    const house = new House()
    const journal = new SlowJournal()
    house.journal = journal
    await house.boot()
    journal.slow = true
    let replied = false
    const command = { type: 'cloister.stop' } as const
    const reply = house.loop.submit({ id: 'c-first', by: 'you', command }).then((answer) => {
      replied = true
      return answer
    })
    const spawned = house.spawn('agent-1')
    await quiet()
    await quiet()
    expect({ deeds: house.fleet.deeds.length, replied }).toEqual({ deeds: 0, replied: false })
    journal.slow = false
    journal.release()
    expect(await reply).toMatchObject({ ok: true })
    await spawned
    expect(house.fleet.deeds.map(({ deed }) => deed)).toEqual(['start'])
  })

  test('what arrives while a commit is under way goes into one next batch', async () => {
    const house = new House()
    const journal = new SlowJournal()
    house.journal = journal
    await house.boot()
    journal.slow = true
    const before = journal.commits
    const replies = Array.from({ length: 50 }, (_, n) =>
      house.submit({ type: n % 2 === 0 ? 'cloister.stop' : 'cloister.start' }),
    )
    await quiet()
    journal.release()
    await quiet()
    journal.slow = false
    journal.release()
    await Promise.all(replies)
    await quiet()
    expect(house.events.filter(({ type }) => type.startsWith('monitoring.'))).toHaveLength(50)
    expect(journal.commits - before).toBeLessThan(8)
  })

  test('a journal that fails ends the loop, and callers are told', async () => {
    const house = new House()
    await house.boot()
    house.journal.crashAt(house.journal.commits + 1, 'before')
    const first = house.spawn('agent-1')
    await expect(house.loop.ended).rejects.toThrow('crashed before commit')
    const second = await house.loop.submit({ id: 'late', by: 'you', command: { type: 'cloister.stop' } })
    expect(second).toMatchObject({ ok: false, refusal: { code: 'busy' } })
    expect(house.fleet.deeds).toEqual([])
    expect(await first).toMatchObject({ ok: false, refusal: { sentence: expect.stringContaining('nobody knows') } })
  })
})

test('a hundred spawns at once are started a few at a time, and all of them', async () => {
  const house = new House()
  await house.boot()
  const start = house.fleet.start.bind(house.fleet)
  let running = 0
  let most = 0
  house.fleet.start = async (...given) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((done) => setImmediate(done))
    running -= 1
    return start(...given)
  }
  await Promise.all(Array.from({ length: 100 }, (_, n) => house.spawn(`agent-${n}`)))
  await vi.waitFor(() => expect(house.fleet.living()).toHaveLength(100))
  expect(most).toBe(4)
})

describe('what was cancelled does not happen', () => {
  test('a message and an emergency stop in one batch: nothing is typed', async () => {
    const house = new House()
    const journal = new SlowJournal()
    house.journal = journal
    await house.boot()
    await house.spawn('agent-1')
    const command = (id: string, what: Command) => house.loop.submit({ id, by: 'you', command: what })
    journal.slow = true
    const replies = [
      command('c-0', { type: 'cloister.start' }),
      command('c-a', { type: 'agent.message', agent: 'agent-1', text: 'hello' }),
      command('c-b', { type: 'cloister.emergency-stop' }),
    ]
    await quiet()
    journal.slow = false
    journal.release()
    await Promise.all(replies)
    await quiet()
    expect(house.fleet.deeds.filter(({ deed }) => deed === 'type')).toEqual([])
    expect(house.fleet.living()).toEqual([])
  })

  test('an emergency stop does not wait for the journal', async () => {
    const house = new House()
    await house.boot()
    await house.spawn('agent-1')
    house.journal.crashAt(house.journal.commits + 1, 'before')
    await house.submit({ type: 'cloister.emergency-stop' })
    expect(house.fleet.living()).toEqual([])
    expect(await house.fleet.sentinel()).toBe(true)
  })

  test('a stop by the separate program is noticed even while monitoring is paused', async () => {
    const house = new House()
    await house.boot()
    await house.spawn('agent-1')
    await house.submit({ type: 'cloister.stop' })
    await house.fleet.stopFleet()
    await house.wait(MINUTE)
    expect(house.loop.world.house.emergency.state).toBe('stopped')
  })
})

test('what an adapter says and nobody could read again is dropped, and the daemon goes on', async () => {
  const house = new House()
  await house.boot()
  await house.spawn('agent-1')
  const before = house.loop.world.agents.get('agent-1')?.activities.length ?? 0
  house.fleet.receive({ agent: 'agent-1', generation: 1, witness: 'hook', stamp: 'x', sessionId: '../../etc/passwd' })
  house.fleet.type = () => Promise.resolve({ result: 'done', detail: 'x'.repeat(10_000) })
  await house.submit({ type: 'agent.poke', agent: 'agent-1' })
  expect(house.fallen).toBeUndefined()
  expect(house.fleet.waiting).toBe(0)
  expect(house.loop.world.agents.get('agent-1')).toMatchObject({ activities: { length: before } })
  const ended = house.events.findLast(({ type }) => type === 'act.ended')
  expect(ended?.type === 'act.ended' && ended.detail?.length).toBe(1200)
})

test('settings that change are judged by at once', async () => {
  const house = new House()
  house.settings = { ...house.settings, thresholds: { staleMs: 5 * HOUR, warningMs: 6 * HOUR, stuckMs: 7 * HOUR } }
  await house.boot()
  await house.spawn('agent-1')
  await house.wait(MINUTE)
  house.fleet.agent('agent-1')?.silent({ rests: false })
  await house.wait(HOUR)
  expect(house.loop.world.agents.get('agent-1')?.verdict?.health).toBe('active')
  house.loop.setSettings({ ...SETTINGS, pokeOnWarning: false }, ['thresholds'])
  await quiet()
  expect(house.loop.world.agents.get('agent-1')?.verdict?.health).toBe('stuck')
})

describe('once', () => {
  test('the same command id twice counts once, also after a restart', async () => {
    const house = new House()
    await house.boot()
    await house.spawn('agent-1')
    const poke = { id: 'poke-1', by: 'you', command: { type: 'agent.poke', agent: 'agent-1' } } as const
    expect(await house.loop.submit(poke)).toMatchObject({ ok: true })
    expect(await house.loop.submit(poke)).toMatchObject({ ok: true })
    house.crash()
    await house.boot()
    expect(await house.loop.submit(poke)).toMatchObject({ ok: true })
    await quiet()
    expect(house.fleet.deeds.filter(({ deed }) => deed === 'type')).toHaveLength(1)
  })

  test('a report stays with its sender until it is durable, and then counts once', async () => {
    const house = new House()
    await house.boot()
    await house.spawn('agent-1')
    const before = house.loop.world.agents.get('agent-1')?.activities.length ?? 0
    house.journal.crashAt(house.journal.commits + 1, 'before')
    house.fleet.agent('agent-1')?.works()
    await quiet()
    house.crash()
    await house.boot()
    expect(house.loop.world.agents.get('agent-1')?.activities).toHaveLength(before + 1)
    house.fleet.offer()
    await quiet()
    expect(house.loop.world.agents.get('agent-1')?.activities).toHaveLength(before + 1)
  })
})

test('what is repeated while it is under way is neither lost nor done twice', async () => {
  const house = new House()
  const journal = new SlowJournal()
  house.journal = journal
  await house.boot()
  await house.spawn('agent-1')
  journal.slow = true
  house.fleet.agent('agent-1')?.works()
  house.fleet.offer()
  const poke = { id: 'poke-1', by: 'you', command: { type: 'agent.poke', agent: 'agent-1' } } as const
  const replies = [house.loop.submit(poke), house.loop.submit(poke)]
  await quiet()
  expect(house.fleet.waiting, 'a report goes only when it is durable').toBe(1)
  journal.slow = false
  journal.release()
  expect((await Promise.all(replies)).map(({ ok }) => ok)).toEqual([true, true])
  await quiet()
  expect(house.fleet.waiting).toBe(0)
  expect(house.fleet.deeds.filter(({ deed }) => deed === 'type')).toHaveLength(1)
})

describe('limits', () => {
  test('a full queue refuses commands and leaves reports with their sender', async () => {
    const house = new House()
    const journal = new SlowJournal()
    house.journal = journal
    await house.boot()
    await house.spawn('agent-1')
    journal.slow = true
    const flood = Array.from({ length: QUEUE_LIMIT + 1_001 }, (_, n) =>
      house.loop.submit({ id: `c-${n}`, by: 'you', command: { type: 'agent.poke', agent: 'nobody' } }),
    )
    const refused = await Promise.race([flood.at(-1), quiet()])
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'busy' } })
    house.fleet.agent('agent-1')?.works()
    await quiet()
    journal.slow = false
    journal.release()
    await Promise.all(flood)
    await house.wait(MINUTE)
    expect(house.loop.world.agents.get('agent-1')?.activities.length).toBeGreaterThan(1)
  })

  test('control bytes never reach a terminal', () => {
    expect(typeable('a\u001b[201~b\u0003c\r\nd\te\u009b1f\u007f')).toBe('a[201~bc\nd\te1f')
  })
})

test('fifty agents work for twelve hours, and nobody is bothered', async () => {
  const house = new House()
  await house.boot()
  for (let n = 0; n < 50; n += 1) await house.spawn(`agent-${n}`)
  const spoken = house.events.length
  await house.wait(12 * 60 * MINUTE)
  const after = house.events.slice(spoken).map(({ type }) => type)
  expect(after.filter((type) => type !== 'agent.health-changed')).toEqual([])
  expect(after).toHaveLength(50)
  expect(house.fleet.deeds.filter(({ deed }) => deed !== 'start')).toEqual([])
})
