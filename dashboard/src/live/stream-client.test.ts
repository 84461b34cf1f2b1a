import { beforeEach, describe, expect, test } from 'vitest'
import type { StreamChange } from '../../../src/contract/stream.ts'
import { FixtureFleet } from '../../../tests/samples/fixture-fleet.ts'
import { LiveState } from './live-state.ts'
import { StreamClient } from './stream-client.ts'

/** A daemon that answers when the test says so, and time that passes when the test says so. */
class Rig {
  now = 1_000_000
  token: string | undefined = 'secret'
  readonly asked: { authorization: string | null; lastEventId: string | null }[] = []
  readonly timers: { ms: number; call: () => void }[] = []
  #answers: ((answer: Response | Error) => void)[] = []
  #signal: AbortSignal | undefined
  readonly state = new LiveState({ now: () => this.now, onFrame: (call) => call() })
  readonly signedOut: string[] = []
  readonly client = new StreamClient({
    state: this.state,
    token: () => this.token,
    signedOut: (reason) => {
      this.signedOut.push(reason)
      this.state.connect({ state: 'signed-out', reason })
    },
    fetch: (_, { headers, signal } = {}) => this.#fetch(new Headers(headers), signal ?? undefined),
    wait: (ms, call) => {
      const timer = { ms, call }
      this.timers.push(timer)
      return () => {
        const index = this.timers.indexOf(timer)
        if (index !== -1) this.timers.splice(index, 1)
      }
    },
    random: () => 1,
  })

  #fetch(headers: Headers, signal: AbortSignal | undefined): Promise<Response> {
    this.asked.push({ authorization: headers.get('authorization'), lastEventId: headers.get('last-event-id') })
    this.#signal = signal
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      this.#answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
    })
  }

  async answer(answer: Response | Error): Promise<void> {
    this.#answers.shift()?.(answer)
    await settled()
  }

  /** Opens a stream and gives the hand that feeds it. */
  async stream(): Promise<(event: string, data: object, id?: number) => Promise<void>> {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    await this.answer(new Response(new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })))
    const signal = this.#signal
    signal?.addEventListener('abort', () => controller?.error(signal.reason))
    return async (event, data, id) => {
      const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      controller?.enqueue(new TextEncoder().encode(text))
      await settled()
    }
  }

  /** The only timer of that kind goes off. */
  async fire(kind: 'retry' | 'silence'): Promise<number> {
    const timer = this.timers.find(({ ms }) => (ms === 45_000) === (kind === 'silence'))
    if (timer === undefined) throw new Error(`no ${kind} timer`)
    this.timers.splice(this.timers.indexOf(timer), 1)
    timer.call()
    await settled()
    return timer.ms
  }
}

async function settled(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

const fleet = new FixtureFleet({ agents: 3 })
let rig: Rig

beforeEach(() => {
  rig = new Rig()
  rig.client.start()
})

const connection = () => ({ state: rig.state.connection().state, reason: rig.state.connection().reason })
const OFFLINE = { state: 'offline', reason: 'The daemon closed the stream.' }

describe('a connection', () => {
  test('shows a snapshot, then each change', async () => {
    expect(connection()).toEqual({ state: 'connecting', reason: undefined })
    const say = await rig.stream()
    const snapshot = fleet.snapshot(rig.now)
    await say('snapshot', snapshot, snapshot.seq)
    expect(connection()).toEqual({ state: 'live', reason: undefined })
    expect(rig.state.agents().map(({ id }) => id)).toEqual(['agent-pan-0', 'agent-pan-1', 'agent-pan-2'])
    const change = fleet.change(rig.now, 4)
    await say('change', change, change.seq)
    expect(rig.state.events()).toEqual(change.events)
    expect(rig.asked).toEqual([{ authorization: 'Bearer secret', lastEventId: null }])
  })

  test('resumes after the last event it saw, spread out and ever more patient', async () => {
    const say = await rig.stream()
    const snapshot = fleet.snapshot(rig.now)
    await say('snapshot', snapshot, snapshot.seq)
    await say('bye', { code: 'slow', sentence: 'This client read too slowly', hint: 'Connect again.' })
    expect(connection()).toEqual({ state: 'offline', reason: 'This client read too slowly. Connect again.' })
    const waits: number[] = []
    for (let n = 0; n < 8; n += 1) {
      waits.push(await rig.fire('retry'))
      await rig.answer(new TypeError('Failed to fetch'))
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(connection().reason).toContain('cannot be reached')
    await rig.fire('retry')
    const again = await rig.stream()
    const change = fleet.change(rig.now, 2)
    await again('change', change, change.seq)
    expect({ ...connection(), last: rig.asked.at(-1)?.lastEventId, events: rig.state.events() }).toEqual({
      state: 'live',
      reason: undefined,
      last: String(snapshot.seq),
      events: change.events,
    })
  })

  test('takes everything anew from another daemon', async () => {
    const say = await rig.stream()
    await say('snapshot', fleet.snapshot(rig.now), fleet.seq)
    await say('bye', { code: 'stopping', sentence: 'The daemon stops', hint: 'Connect again.' })
    await rig.fire('retry')
    const again = await rig.stream()
    const other = new FixtureFleet({ agents: 1, boot: 'another' })
    await again('snapshot', other.snapshot(rig.now), 0)
    expect({ boot: rig.state.boot, ids: rig.state.ids() }).toEqual({ boot: 'another', ids: ['agent-pan-0'] })
  })

  const gaps: { what: string; change: (seq: number) => Partial<StreamChange> }[] = [
    { what: 'an event is missing', change: (seq) => ({ seq: seq + 2, events: fleet.change(0, 2).events.slice(1) }) },
    { what: 'only the number went on', change: (seq) => ({ seq: seq + 1 }) },
  ]
  test.each(gaps)('asks for all when $what', async ({ change }) => {
    const say = await rig.stream()
    const snapshot = fleet.snapshot(rig.now)
    await say('snapshot', snapshot, snapshot.seq)
    await say('change', { at: 0, agents: [], gone: [], events: [], ...change(snapshot.seq) }, snapshot.seq + 2)
    await rig.fire('retry')
    expect(rig.asked.at(-1)).toEqual({ authorization: 'Bearer secret', lastEventId: null })
  })

  test('is given up when nothing comes for 45 s, not even a comment', async () => {
    const say = await rig.stream()
    await say('snapshot', fleet.snapshot(rig.now), fleet.seq)
    await rig.fire('silence')
    expect(connection()).toEqual({ state: 'offline', reason: 'The daemon has said nothing for 45 seconds.' })
  })

  test('says why when the daemon refuses', async () => {
    await rig.answer(Response.json({ code: 'busy', sentence: 'No', hint: 'Later.' }, { status: 503 }))
    expect(connection()).toEqual({ state: 'offline', reason: 'No. Later.' })
    await rig.fire('retry')
    await rig.answer(new Response('<html>', { status: 502 }))
    expect(connection()).toEqual({ state: 'offline', reason: 'The daemon answered with 502.' })
  })

  test('ends for good when the token does not count, until there is another', async () => {
    await rig.answer(new Response('{}', { status: 401 }))
    expect({ ...connection(), timers: rig.timers.length, asked: rig.asked.length }).toMatchObject({
      state: 'signed-out',
      asked: 1,
    })
    rig.client.start()
    expect(rig.state.connection().state).toBe('connecting')
    const say = await rig.stream()
    await say('bye', { code: 'expired', sentence: 'The login ended', hint: 'Run it again.' })
    expect(connection()).toEqual({ state: 'signed-out', reason: 'The login ended. Run it again.' })
  })

  test('without a token nobody is asked', () => {
    rig.token = undefined
    rig.client.start()
    expect({ state: connection().state, asked: rig.asked.length }).toEqual({ state: 'signed-out', asked: 1 })
  })

  test('that ends by itself is taken up again', async () => {
    await rig.answer(new Response(''))
    expect(connection()).toEqual(OFFLINE)
  })

  test('after stop nothing happens any more', async () => {
    await rig.stream()
    rig.client.stop()
    await settled()
    expect({ timers: rig.timers, state: connection().state }).toEqual({ timers: [], state: 'connecting' })
  })
})
