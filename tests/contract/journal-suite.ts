/** What every journal promises, the real one and the one in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Batch, Journal, RibbonQuery } from '../../src/core/ports.ts'
import {
  historyAfter,
  historyBatch,
  ribbonEvents,
  sampleAgent,
  sampleBatch,
  sampleEffect,
  sampleEvent,
  sampleHouse,
} from './journal-samples.ts'

/** A place that outlives the journals opened on it. */
export interface JournalPlace {
  open: () => Promise<Journal>
  remove: () => Promise<void>
}

export function journalSuite(name: string, makePlace: () => JournalPlace): void {
  describe(`journal: ${name}`, () => {
    let place: JournalPlace
    let journal: Journal

    beforeEach(async () => {
      place = makePlace()
      journal = await place.open()
    })

    afterEach(async () => {
      await journal.close()
      await place.remove()
    })

    const reopen = async () => {
      await journal.close()
      journal = await place.open()
    }
    const all = () => journal.events({ afterSeq: 0, limit: 1_000 })

    test('is empty at first', async () => {
      expect(await journal.recover()).toEqual({ house: undefined, agents: [], openEffects: [], seen: [] })
      expect(await all()).toEqual([])
    })

    test.each([1, 2, 7])('gives back %i batches after closing and opening', async (count) => {
      for (let k = 1; k <= count; k += 1) await journal.commit(historyBatch(k))
      await reopen()
      expect({ recovered: await journal.recover(), events: await all() }).toEqual(historyAfter(count))
    })

    test('goes on where it stopped', async () => {
      await journal.commit(historyBatch(1))
      await reopen()
      await journal.commit(historyBatch(2))
      expect({ recovered: await journal.recover(), events: await all() }).toEqual(historyAfter(2))
    })

    test('confirms many batches that were not waited for, in their order', async () => {
      const confirmed: number[] = []
      const commits = Array.from({ length: 3_000 }, async (_, index) => {
        await journal.commit(historyBatch(index + 1))
        confirmed.push(index + 1)
      })
      await Promise.all(commits)
      expect(confirmed).toEqual(commits.map((_, index) => index + 1))
      const events = await journal.events({ afterSeq: 0, limit: 10_000 })
      expect({ recovered: await journal.recover(), events }).toEqual(historyAfter(3_000))
    })

    test('makes durable on close what was not waited for', async () => {
      const commits = [1, 2, 3].map((k) => journal.commit(historyBatch(k)))
      await reopen()
      expect(await Promise.all(commits)).toEqual([undefined, undefined, undefined])
      expect({ recovered: await journal.recover(), events: await all() }).toEqual(historyAfter(3))
    })

    test('a batch without events changes state and keeps the sequence', async () => {
      await journal.commit(historyBatch(1))
      await journal.commit(sampleBatch(2, { agents: [sampleAgent('pan-1', { generation: 9 })] }))
      await journal.commit(sampleBatch(3, { events: [sampleEvent(3)] }))
      expect((await all()).map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect((await journal.recover()).agents).toEqual([sampleAgent('pan-1', { generation: 9 })])
      expect((await journal.recover()).house).toEqual(sampleHouse(3))
    })

    test('an effect is open until its outcome is committed; the first outcome counts, an unknown one is ignored', async () => {
      await journal.commit(sampleBatch(0, { effects: ['a', 'b', 'c', 'd'].map((id) => sampleEffect(id)) }))
      await journal.commit(sampleBatch(0, { settled: [{ effect: 'b', outcome: 'unknown' }] }))
      await journal.commit(
        sampleBatch(0, {
          effects: [sampleEffect('e'), sampleEffect('f')],
          settled: [
            { effect: 'b', outcome: 'done' },
            { effect: 'e', outcome: 'fenced' },
            { effect: 'never-seen', outcome: 'done' },
          ],
        }),
      )
      await reopen()
      expect((await journal.recover()).openEffects).toEqual(['a', 'c', 'd', 'f'].map((id) => sampleEffect(id)))
    })

    test('of who is forgotten no state is kept, and who comes again is known again', async () => {
      const agent = (id: string, generation: number) => sampleAgent(id, { generation })
      const batches = [
        sampleBatch(0, { agents: [agent('a', 1), agent('b', 1), agent('c', 1)] }),
        sampleBatch(0, { forgotten: ['a', 'b', 'never-there'] }),
        sampleBatch(0, { agents: [agent('b', 2)] }),
        sampleBatch(0, { agents: [agent('c', 2)] }),
        sampleBatch(0, { forgotten: ['c'] }),
      ]
      await Promise.all(batches.map((batch) => journal.commit(batch)))
      await reopen()
      expect((await journal.recover()).agents).toEqual([agent('b', 2)])
      await journal.commit(sampleBatch(0, { forgotten: ['b'] }))
      expect((await journal.recover()).agents).toEqual([])
    })

    test('an input id counts once and keeps its first place', async () => {
      await journal.commit(sampleBatch(0, { seen: ['x', 'y'] }))
      await journal.commit(sampleBatch(0, { seen: ['x', 'z', 'z'] }))
      expect((await journal.recover()).seen).toEqual(['x', 'y', 'z'])
    })

    test('only the newest 100,000 input ids are kept', async () => {
      const ids = Array.from({ length: 100_007 }, (_, index) => `in-${index}`)
      await journal.commit(sampleBatch(0, { seen: ids.slice(0, 60_000) }))
      await journal.commit(sampleBatch(0, { seen: ids.slice(60_000) }))
      expect((await journal.recover()).seen).toEqual(ids.slice(7))
    })

    test('old settled effects make room, open ones stay', async () => {
      const ids = Array.from({ length: 2_000 }, (_, index) => `e${index}`)
      await journal.commit(sampleBatch(0, { effects: [sampleEffect('open'), ...ids.map((id) => sampleEffect(id))] }))
      await journal.commit(sampleBatch(0, { settled: ids.map((effect) => ({ effect, outcome: 'done' as const })) }))
      await journal.commit(sampleBatch(0, { effects: [sampleEffect('e0')] }))
      expect((await journal.recover()).openEffects).toEqual([sampleEffect('open'), sampleEffect('e0')])
    })

    test('answers queries for events', async () => {
      for (let k = 1; k <= 4; k += 1) await journal.commit(historyBatch(k))
      const table = [
        { query: { afterSeq: 0, limit: 3 }, seqs: [1, 2, 3] },
        { query: { afterSeq: 4, limit: 100 }, seqs: [5, 6, 7, 8] },
        { query: { afterSeq: 8, limit: 100 }, seqs: [] },
        { query: { afterSeq: 99, limit: 100 }, seqs: [] },
        { query: { afterSeq: 0, limit: 0 }, seqs: [] },
        { query: { afterSeq: 0, limit: 100, agent: 'pan-1' }, seqs: [1, 7] },
        { query: { afterSeq: 1, limit: 100, agent: 'pan-1' }, seqs: [7] },
        { query: { afterSeq: 0, limit: 1, agent: 'pan-1' }, seqs: [1] },
        { query: { afterSeq: 0, limit: 100, agent: 'nobody' }, seqs: [] },
      ]
      const { events } = historyAfter(4)
      for (const { query, seqs } of table) {
        const expected = events.filter(({ seq }) => seqs.includes(seq))
        expect({ query, events: await journal.events(query) }).toEqual({ query, events: expected })
      }
    })

    test('draws ribbons of a stretch of time, of all agents or of one', async () => {
      const agents = ['pan-0', 'pan-1', 'pan-2'].map((id) => sampleAgent(id))
      const events = ribbonEvents()
      await journal.commit(sampleBatch(events.length, { events, agents }))
      await reopen()
      const drawn = async (query: RibbonQuery) => {
        const { ribbons, ...rest } = await journal.ribbons(query)
        const lines = ribbons.map(({ agent, segments, marks }) => {
          const shades = segments.map(({ shade, from, to }) => `${shade} ${from}-${to}`)
          return [agent, ...shades, ...marks.map(({ kind, at }) => `${kind} at ${at}`)].join(', ')
        })
        return { ...rest, lines }
      }
      expect(await drawn({ from: 1_000, to: 2_000 })).toEqual({
        from: 1_000,
        to: 2_000,
        seq: 8,
        lines: [
          'pan-0, stale 1000-1300, unwatched 1300-1400, stale 1400-2000, needs-you at 1500',
          'pan-1, idle 1000-1300, unwatched 1300-1400, idle 1400-2000',
          'pan-2, uninitialized 1600-2000',
        ],
      })
      expect(await drawn({ from: 1_450, to: 2_000, agent: 'pan-0' })).toEqual({
        from: 1_450,
        to: 2_000,
        seq: 8,
        lines: ['pan-0, stale 1450-2000, needs-you at 1500'],
      })
      const later = { from: 3_000, to: 4_000 }
      expect(await drawn(later)).toMatchObject({
        lines: ['pan-0, stale 3000-4000', 'pan-1, idle 3000-4000', 'pan-2, uninitialized 3000-4000'],
      })
      expect(await drawn({ ...later, agent: 'nobody' })).toEqual({ ...later, seq: 8, lines: [] })
    })

    const bad: { what: string; batch: Batch; why: RegExp }[] = [
      {
        what: 'a gap before the batch',
        batch: sampleBatch(4, { events: [sampleEvent(4)] }),
        why: /event 4 came where event 3 was due/,
      },
      {
        what: 'a repeat',
        batch: sampleBatch(2, { events: [sampleEvent(2)] }),
        why: /event 2 came where event 3 was due/,
      },
      {
        what: 'a gap inside the batch',
        batch: sampleBatch(5, { events: [sampleEvent(3), sampleEvent(5)] }),
        why: /event 5 came where event 4 was due/,
      },
      {
        what: 'an effect that is already in the outbox',
        batch: sampleBatch(3, { events: [sampleEvent(3)], effects: [sampleEffect('e1')] }),
        why: /outbox/,
      },
    ]
    test.each(bad)('refuses $what as a whole, and everything after it', async ({ batch, why }) => {
      await journal.commit(historyBatch(1))
      await expect(journal.commit(batch)).rejects.toThrow(why)
      await expect(journal.commit(historyBatch(2))).rejects.toThrow(why)
      await expect(journal.recover()).rejects.toThrow(why)
      await reopen()
      expect({ recovered: await journal.recover(), events: await all() }).toEqual(historyAfter(1))
      await journal.commit(historyBatch(2))
      expect(await all()).toEqual(historyAfter(2).events)
    })

    test('what was recovered is a copy', async () => {
      await journal.commit(historyBatch(1))
      const { house, agents } = await journal.recover()
      house?.needsYou.push({ id: 'n', kind: 'mass', sentence: '', hint: '', raisedWallAt: 0 })
      agents[0]?.salvages.push('refs/x')
      expect(await journal.recover()).toEqual(historyAfter(1).recovered)
    })

    test('a closed journal refuses, and may be closed again', async () => {
      await journal.close()
      await journal.close()
      await expect(journal.commit(historyBatch(1))).rejects.toThrow('The journal is closed')
      await expect(journal.events({ afterSeq: 0, limit: 1 })).rejects.toThrow('The journal is closed')
      await expect(journal.ribbons({ from: 0, to: 1 })).rejects.toThrow('The journal is closed')
    })
  })
}
