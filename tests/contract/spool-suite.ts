/** What every spool and every mailbox promises, the real ones and those in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Mailbox, RawReport, Spool } from '../../src/core/ports.ts'

export type Left = Pick<RawReport, 'run' | 'generation' | 'kind' | 'body'>

/** A place that outlives the spools opened on it. */
export interface SpoolPlace {
  open: () => Promise<Spool>
  /** Closes the spool that was opened last; what it was told before is done. */
  close: () => Promise<void>
  /** As a hook does; gives the id. */
  leave: (report: Left) => string
  /** The ids that were not removed. */
  waiting: () => string[]
  remove: () => void
}

export function spoolSuite(name: string, makePlace: () => SpoolPlace): void {
  describe(`spool: ${name}`, () => {
    let place: SpoolPlace
    let isOpen = false

    const open = async () => {
      isOpen = true
      return place.open()
    }
    const close = async () => {
      isOpen = false
      await place.close()
    }
    const leave = (...bodies: string[]) => bodies.map((body) => place.leave(left(body)))

    beforeEach(() => {
      place = makePlace()
    })
    afterEach(async () => {
      if (isOpen) await close()
      place.remove()
    })

    test('offers what was left before it was opened, whole and in order', async () => {
      const reports = [
        left('{"a":1}'),
        { run: 'run-2', generation: 0, kind: 'PermissionRequest', body: '' },
        { run: 'user', generation: 12, kind: 'X', body: 'not JSON \u{1F600}\n"' },
      ]
      const ids = reports.map((report) => place.leave(report))
      const got = await gather(await open(), 3).all
      expect(got).toEqual(reports.map((report, n) => ({ ...report, id: ids[n], wallAt: got[n]?.wallAt })))
      expect(got.every(({ wallAt }) => wallAt > 0)).toBe(true)
    })

    test('offers what comes while it listens', async () => {
      const { all } = gather(await open(), 3)
      const ids = [...leave('1'), ...leave('2'), ...leave('3')]
      expect((await all).map(({ id }) => id)).toEqual(ids)
    })

    test('removes what was taken, and only that; the rest has the same id at the next opening', async () => {
      const [first = '', second, third] = leave('1', '2', '3')
      const spool = await open()
      await gather(spool, 3).all
      spool.taken([first])
      await close()
      expect(place.waiting()).toEqual([second, third])
      expect((await gather(await open(), 2).all).map(({ id }) => id)).toEqual([second, third])
    })

    test('offers what was refused again, and nothing later before it', async () => {
      const [first, second] = leave('1', '2')
      const offered: string[] = []
      const { promise, resolve } = Promise.withResolvers<void>()
      const spool = await open()
      spool.listen(({ id }) => {
        offered.push(id)
        if (offered.length === 4) resolve()
        return offered.length > 2
      })
      await promise
      expect(offered).toEqual([first, first, first, second])
    })

    test('offers again on request what was accepted and not taken', async () => {
      const [first, second = '', third] = leave('1', '2', '3')
      const spool = await open()
      const offered: string[] = []
      const { promise, resolve } = Promise.withResolvers<void>()
      spool.listen(({ id }) => {
        offered.push(id)
        if (offered.length === 3) resolve()
        return true
      })
      await promise
      spool.taken([second])
      const again = Promise.withResolvers<void>()
      spool.listen(({ id }) => {
        offered.push(id)
        if (offered.length === 7) again.resolve()
        return true
      })
      spool.offer()
      await again.promise
      expect(offered).toEqual([first, second, third, first, third, first, third])
    })

    test('may be told inside the offer that a report is taken', async () => {
      leave('1', '2')
      const spool = await open()
      const { promise, resolve } = Promise.withResolvers<void>()
      let count = 0
      spool.listen(({ id }) => {
        spool.taken([id])
        count += 1
        if (count === 2) resolve()
        return true
      })
      await promise
      await close()
      expect({ count, waiting: place.waiting() }).toEqual({ count: 2, waiting: [] })
    })

    test('a listener that left hears nothing; the next one hears all that was not taken', async () => {
      leave('1', '2')
      const spool = await open()
      const early = gather(spool, 2)
      await early.all
      early.unlisten()
      leave('3')
      const bodies = (await gather(spool, 3).all).map(({ body }) => body)
      expect({ bodies, early: early.got.length }).toEqual({ bodies: ['1', '2', '3'], early: 2 })
    })

    test('ids that it does not know are nothing to it', async () => {
      const ids = leave('1')
      const spool = await open()
      await gather(spool, 1).all
      spool.taken(['nobody', '../../etc', ''])
      spool.taken([])
      await close()
      expect(place.waiting()).toEqual(ids)
    })

    test('catches up with 3,000 after a downtime, in order, none twice', async () => {
      const ids = leave(...Array.from({ length: 3_000 }, (_, n) => `body ${n}`))
      const spool = await open()
      const got = await gather(spool, 3_000, (all, { id }) => all.length % 7 !== 0 && spool.taken([id])).all
      expect(got.map(({ id }) => id)).toEqual(ids)
      await close()
      expect(place.waiting()).toEqual(ids.filter((_, n) => (n + 1) % 7 === 0))
    })

    test('has nothing to complain of', async () => {
      leave('1')
      const spool = await open()
      await gather(spool, 1).all
      expect(spool.problems()).toEqual([])
    })
  })
}

function left(body: string): Left {
  return { run: 'run-1', generation: 3, kind: 'PostToolUse', body }
}

/** Accepts everything until there are so many. */
export function gather(spool: Spool, count: number, onEach: (got: RawReport[], report: RawReport) => void = () => {}) {
  const { promise, resolve } = Promise.withResolvers<RawReport[]>()
  const got: RawReport[] = []
  const unlisten = spool.listen((report) => {
    got.push(report)
    if (got.length === count) resolve([...got])
    onEach(got, report)
    return true
  })
  return { all: promise, got, unlisten }
}

export interface MailboxPlace {
  mailbox: Mailbox
  /** A hook that waits; `answer` is what it prints in the end. */
  ask: (run: string) => Promise<{ ask: string; answer: Promise<string>; giveUp: () => Promise<void> }>
  /** A hook at the end of a turn; gives what it prints. */
  stop: (run: string) => Promise<string>
  remove: () => void
}

export function mailboxSuite(name: string, makePlace: () => MailboxPlace): void {
  describe(`mailbox: ${name}`, () => {
    let place: MailboxPlace

    beforeEach(() => {
      place = makePlace()
    })
    afterEach(() => place.remove())

    const notDone = (why: RegExp) => ({ result: 'not_done', detail: expect.stringMatching(why) as string })

    test.each([
      { what: 'an answer', text: '{"hookSpecificOutput":{"a":"\\n ü \\\\"}}' },
      { what: 'a large answer', text: JSON.stringify({ text: 'x'.repeat(200_000) }) },
    ])('gives $what to the hook that waits', async ({ text }) => {
      const { ask, answer } = await place.ask('run-1')
      expect(await place.mailbox.answer('run-1', ask, text)).toEqual({ result: 'done' })
      expect(await answer).toBe(`${text}\n`)
    })

    test('an answer in several lines arrives as the same JSON', async () => {
      const { ask, answer } = await place.ask('run-1')
      await place.mailbox.answer('run-1', ask, JSON.stringify({ a: [1, 'x\ny'] }, null, 2))
      expect(JSON.parse(await answer)).toEqual({ a: [1, 'x\ny'] })
    })

    test('an empty answer ends the wait', async () => {
      const { ask, answer } = await place.ask('run-1')
      expect(await place.mailbox.answer('run-1', ask, '')).toEqual({ result: 'done' })
      expect(await answer).toBe('')
    })

    test('the second answer is too late', async () => {
      const { ask, answer } = await place.ask('run-1')
      await place.mailbox.answer('run-1', ask, '{"first":1}')
      expect(await place.mailbox.answer('run-1', ask, '{"second":2}')).toEqual(notDone(/nobody waits/))
      expect(await answer).toBe('{"first":1}\n')
    })

    test('two hooks of one run get their own answers', async () => {
      const [one, two] = await Promise.all([place.ask('run-1'), place.ask('run-1')])
      await place.mailbox.answer('run-1', two.ask, '{"n":2}')
      await place.mailbox.answer('run-1', one.ask, '{"n":1}')
      expect([await one.answer, await two.answer]).toEqual(['{"n":1}\n', '{"n":2}\n'])
    })

    test('nobody waits any more', async () => {
      const { ask, giveUp } = await place.ask('run-1')
      await giveUp()
      expect(await place.mailbox.answer('run-1', ask, '{}')).toEqual(notDone(/nobody waits/))
      expect(await place.mailbox.answer('run-1', 'never-asked', '{}')).toEqual(notDone(/nobody waits/))
    })

    test('an order is taken by the next stop of its run, once', async () => {
      expect(await place.mailbox.order('run-1', '{"decision":"block"}')).toEqual({ result: 'done' })
      expect([await place.stop('run-2'), await place.stop('run-1'), await place.stop('run-1')]).toEqual([
        '',
        '{"decision":"block"}',
        '',
      ])
    })

    test('a newer order replaces the older, and says so', async () => {
      await place.mailbox.order('run-1', 'old')
      expect(await place.mailbox.order('run-1', 'new')).toEqual({
        result: 'done',
        detail: 'It replaced an order for run run-1 that no hook had taken.',
      })
      expect(await place.stop('run-1')).toBe('new')
    })

    test('an empty order takes back what was not taken yet, be there something or not', async () => {
      await place.mailbox.order('run-1', 'old')
      expect([await place.mailbox.order('run-1', ''), await place.mailbox.order('run-1', '')]).toEqual([
        { result: 'done' },
        { result: 'done' },
      ])
      expect(await place.stop('run-1')).toBe('')
      expect(await place.mailbox.order('run-1', 'new')).toEqual({ result: 'done' })
    })

    test.each(['', '..', '../x', 'a/b', '.', 'A', 'a.b', '-x'])('%j is no run and no ask', async (id) => {
      expect([
        await place.mailbox.order(id, 'x'),
        await place.mailbox.answer(id, 'ask-1', 'x'),
        await place.mailbox.answer('run-1', id, 'x'),
      ]).toEqual([notDone(/there can be no/), notDone(/there can be no/), notDone(/there can be no/)])
    })
  })
}
