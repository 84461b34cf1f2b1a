import { beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../../tests/fakes/virtual-clock.ts'
import type { StreamClient } from '../api/stream.ts'
import type { Event } from '../contract/events.ts'
import type { StreamBye, StreamChange, StreamMessages, StreamSnapshot } from '../contract/stream.ts'
import { statusView } from '../contract/status-view.ts'
import { agentView } from '../core/views.ts'
import { createWorld, setAgent, type World } from '../core/world.ts'
import { statusView as viewOfStatus } from '../core/views.ts'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { StreamHub } from './stream-hub.ts'

const WALL_AT = 1_700_000_000_000
const BOOT_SEQ = 10

type Said = {
  [Name in keyof StreamMessages]: { name: Name; id: number | undefined; data: StreamMessages[Name] }
}[keyof StreamMessages]

/** Reads everything at once, unless it is told to be slow. */
class FakeClient implements StreamClient {
  readonly frames: Uint8Array[] = []
  unread = 0
  slow = false
  welcome = true
  ended = false
  dropped = false
  broken = false

  pendingBytes = () => this.unread
  isWelcome = () => this.welcome
  write(frame: Uint8Array): void {
    if (this.broken) throw new TypeError('Invalid state')
    this.frames.push(frame)
    if (this.slow) this.unread += frame.byteLength
  }
  end(frame: Uint8Array): void {
    if (this.broken) throw new TypeError('Invalid state')
    this.frames.push(frame)
    this.ended = true
  }
  drop(): void {
    this.dropped = true
  }

  get said(): Said[] {
    return this.frames.flatMap((frame) => {
      const text = new TextDecoder().decode(frame)
      if (text.startsWith(':')) return []
      const [, id, name, data] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
      return [{ name, id: id === undefined ? undefined : Number(id), data: JSON.parse(data ?? '') }] as Said[]
    })
  }

  get changes(): StreamChange[] {
    return this.said.flatMap(({ name, data }) => (name === 'change' ? data : []))
  }

  get seqs(): number[] {
    return this.changes.flatMap(({ events }) => events.map(({ seq }) => seq))
  }

  get bye(): StreamBye['code'] | undefined {
    return this.said.flatMap(({ name, data }) => (name === 'bye' ? data.code : []))[0]
  }
}

let clock: VirtualClock
let world: World
let light: string
let hub: StreamHub
let seq: number
let viewed: number

beforeEach(() => {
  clock = new VirtualClock(WALL_AT)
  world = createWorld(SETTINGS)
  for (const id of ['agent-1', 'agent-2']) setAgent(world, agentRecord({ id }))
  light = 'day'
  seq = BOOT_SEQ
  viewed = 0
  hub = newHub('boot-1')
})

function newHub(boot: string): StreamHub {
  return new StreamHub({
    clock,
    boot,
    seq,
    status: () => viewOfStatus(world),
    ids: () => world.agents.keys(),
    agent: (id) => {
      viewed += 1
      return agentView(world, id)
    },
    light: () => light,
  })
}

function event(): Event {
  seq += 1
  return { seq, at: WALL_AT, observedAt: seq, type: 'house.blinded', why: `${seq}` }
}

function take(count: number, agents: readonly string[] = []): void {
  hub.take(Array.from({ length: count }, event), agents)
}

function join(lastSeq?: number): FakeClient & { leave: () => void } {
  const client = new FakeClient()
  return Object.assign(client, { leave: hub.open(client, lastSeq) })
}

describe('a client', () => {
  test('begins with a snapshot', () => {
    const client = join()
    const snapshot: StreamSnapshot = {
      seq: BOOT_SEQ,
      at: WALL_AT,
      boot: 'boot-1',
      status: statusView.parse(viewOfStatus(world)),
      agents: ['agent-1', 'agent-2'].flatMap((id) => agentView(world, id) ?? []),
    }
    expect(client.said).toEqual([{ name: 'snapshot', id: BOOT_SEQ, data: JSON.parse(JSON.stringify(snapshot)) }])
  })

  test('gets what came in 50 ms as one message: all events, only the newest views, a status only when it changed', async () => {
    const client = join()
    for (let n = 0; n < 20; n += 1) take(2, ['agent-1'])
    await clock.advance(49)
    expect(client.changes).toEqual([])
    await clock.advance(1)
    take(1, ['agent-2', 'agent-1'])
    world.house = { ...world.house, monitoring: 'paused' }
    await clock.advance(1_000)
    const events = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index + 1)
    expect(
      client.changes.map(({ events: all, agents, status, gone, ...rest }) => ({
        ...rest,
        gone,
        events: all.map((each) => each.seq),
        agents: agents.map(({ id }) => id),
        running: status?.running,
      })),
    ).toEqual([
      { seq: 50, at: WALL_AT + 50, gone: [], events: events(10, 50), agents: ['agent-1'], running: undefined },
      { seq: 51, at: WALL_AT + 100, gone: [], events: [51], agents: ['agent-2', 'agent-1'], running: false },
    ])
    expect(client.changes[0]?.events[0]).toMatchObject({
      sentence: 'Cloister cannot see the agents: 11. Nothing is judged.',
    })
  })

  test('that joins is no news to the others', async () => {
    const first = join()
    for (let n = 0; n < 10; n += 1) join()
    await clock.advance(50)
    expect(first.changes).toEqual([])
    world.house = { ...world.house, monitoring: 'paused' }
    const last = join()
    expect([first.changes.map(({ status }) => status?.running), last.said.map(({ name }) => name)]).toEqual([
      [false],
      ['snapshot'],
    ])
  })

  test('is told who is gone', async () => {
    const client = join()
    world.agents.delete('agent-2')
    take(0, ['agent-2'])
    await clock.advance(50)
    expect(client.changes.map(({ agents, gone }) => ({ agents, gone }))).toEqual([{ agents: [], gone: ['agent-2'] }])
  })

  test('sees everybody anew when everybody is seen in another light', async () => {
    const client = join()
    light = 'night'
    take(1)
    await clock.advance(50)
    expect(client.changes[0]?.agents.map(({ id }) => id)).toEqual(['agent-1', 'agent-2'])
  })

  test('that comes in the middle of a window gets nothing twice', async () => {
    const first = join()
    take(3)
    await clock.advance(20)
    const second = join()
    take(2)
    await clock.advance(100)
    expect(first.seqs).toEqual([11, 12, 13, 14, 15])
    expect({ begins: second.said[0]?.id, seqs: second.seqs }).toEqual({ begins: 13, seqs: [14, 15] })
  })

  test('hears a comment every 15 s, and nothing when it left', async () => {
    const client = join()
    await clock.advance(45_000)
    expect(client.frames.slice(1).map((frame) => new TextDecoder().decode(frame))).toEqual(
      Array.from({ length: 3 }, () => ': still here\n\n'),
    )
    client.leave()
    take(1)
    await clock.advance(60_000)
    expect({ frames: client.frames.length, clients: hub.clients }).toEqual({ frames: 4, clients: 0 })
  })
})

test('an event is put into words once, however many watch, and not at all when nobody does', async () => {
  take(100, ['agent-1', 'agent-2'])
  await clock.advance(1_000)
  expect(viewed).toBe(0)
  const clients = Array.from({ length: 100 }, () => join())
  viewed = 0
  take(1_000, ['agent-1', 'agent-2'])
  await clock.advance(50)
  expect(viewed).toBe(2)
  const [frame] = clients.map(({ frames }) => frames.at(-1))
  expect(clients.every(({ frames }) => frames.at(-1) === frame)).toBe(true)
})

describe('after a break', () => {
  test('a client gets what it missed, with everybody who changed since, and goes on from there', async () => {
    const before = join()
    take(2, ['agent-1'])
    await clock.advance(50)
    before.leave()
    take(2, ['agent-2'])
    const after = join(12)
    take(1)
    await clock.advance(50)
    expect(
      after.changes.map(({ events, agents, status }) => [
        events.map((each) => each.seq),
        agents.map(({ id }) => id),
        status !== undefined,
      ]),
    ).toEqual([
      [[13, 14], ['agent-1', 'agent-2'], true],
      [[15], [], false],
    ])
  })

  test('nothing missed is a change without events', async () => {
    join()
    take(2)
    await clock.advance(50)
    expect(join(12).said.map(({ name, id }) => ({ name, id }))).toEqual([{ name: 'change', id: 12 }])
  })

  const strangers: { what: string; lastSeq: number }[] = [
    { what: 'an event of before this boot', lastSeq: BOOT_SEQ },
    { what: 'an event that never was', lastSeq: 99_999 },
    { what: 'more than 5,000 events ago', lastSeq: 6_009 },
  ]
  test.each(strangers)('$what gives a snapshot', ({ lastSeq }) => {
    take(11_000 - BOOT_SEQ)
    take(10)
    expect(join(lastSeq).said.map(({ name }) => name)).toEqual(['snapshot'])
  })

  test.each([6_010, 11_009, 11_010])('event %i gives the rest, while memory stays bounded', (lastSeq) => {
    for (let n = 0; n < 11_000 - BOOT_SEQ; n += 10) take(10)
    take(10)
    const seqs = join(lastSeq).seqs
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual(
      lastSeq === 11_010 ? [0, undefined, undefined] : [11_010 - lastSeq, lastSeq + 1, 11_010],
    )
  })

  test('a daemon that was started again gives a snapshot with another boot', async () => {
    join()
    take(5)
    await clock.advance(50)
    hub.close()
    hub = newHub('boot-2')
    take(1)
    expect(join(15).said).toMatchObject([{ name: 'snapshot', data: { boot: 'boot-2', seq: 16 } }])
  })
})

describe('limits', () => {
  test('who does not read is told so and let go; the others notice nothing', async () => {
    const slow = join()
    const quick = join()
    slow.slow = true
    slow.unread = 0
    for (let n = 0; n < 400 && !slow.ended; n += 1) {
      take(100)
      await clock.advance(50)
    }
    take(1)
    await clock.advance(50)
    expect({ bye: slow.bye, ended: slow.ended, dropped: slow.dropped, clients: hub.clients }).toEqual({
      bye: 'slow',
      ended: true,
      dropped: false,
      clients: 1,
    })
    const bytes = slow.unread
    expect(bytes).toBeGreaterThan(4 * 1024 * 1024)
    expect(bytes).toBeLessThan(5 * 1024 * 1024)
    await clock.advance(5_000)
    expect(slow.dropped).toBe(true)
    expect(quick.seqs).toEqual(Array.from({ length: seq - BOOT_SEQ }, (_, index) => BOOT_SEQ + 1 + index))
  })

  test('who read its last message and left is not dropped any more', async () => {
    const client = join()
    hub.close()
    client.leave()
    await clock.advance(10_000)
    expect({ bye: client.bye, dropped: client.dropped }).toEqual({ bye: 'stopping', dropped: false })
  })

  test('one client too many is told so', async () => {
    const clients = Array.from({ length: 129 }, () => join())
    expect(clients.map(({ bye }) => bye)).toEqual([...Array.from({ length: 128 }, () => undefined), 'too_many'])
    clients[0]?.leave()
    expect(join().bye).toBe(undefined)
  })

  test('a login that ended ends its stream', async () => {
    const out = join()
    const stays = join()
    out.welcome = false
    await clock.advance(15_000)
    expect([out.bye, stays.bye]).toEqual(['expired', undefined])
  })

  test('when the daemon stops, everybody gets the rest and a word', () => {
    const client = join()
    take(2)
    hub.close()
    expect({ seqs: client.seqs, bye: client.bye, later: join().bye }).toEqual({
      seqs: [11, 12],
      bye: 'stopping',
      later: 'stopping',
    })
  })
})

test('a client that cannot be written to is let go of, and the others hear everything', async () => {
  const [broken, other] = [join(), join()]
  broken.broken = true
  take(1)
  await clock.advance(50)
  expect([hub.clients, broken.dropped, other.seqs]).toEqual([1, true, [BOOT_SEQ + 1]])
  const never = Object.assign(new FakeClient(), { broken: true })
  hub.open(never, undefined)
  expect([hub.clients, never.dropped]).toEqual([1, true])
  other.broken = true
  hub.close()
  expect(hub.clients).toBe(0)
})
