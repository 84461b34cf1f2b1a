import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RawReport } from '../../core/ports.ts'
import { installHooks } from './install.ts'
import { openSpool, type FileSpool, type SpoolOptions } from './spool.ts'

let home: string
let spools: FileSpool[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-spool-'))
  installHooks(home)
  spools = []
})
afterEach(async () => {
  await Promise.all(spools.map((spool) => spool.close()))
  rmSync(home, { recursive: true })
})

async function open(options: Partial<SpoolOptions> = {}): Promise<FileSpool> {
  const spool = await openSpool({ home, homeId: 'h1', ...options })
  spools.push(spool)
  return spool
}

const fresh = (name = '') => join(home, 'spool/new', name)
const now = Math.floor(uptime() * 100)

function leave(name: string, body: string | Buffer = ''): string {
  writeFileSync(join(home, 'spool/tmp', name), body)
  renameSync(join(home, 'spool/tmp', name), fresh(name))
  return name
}

/** Listens, accepts and takes everything until the report of that id came. */
function upTo(spool: FileSpool, last: string): Promise<RawReport[]> {
  const got: RawReport[] = []
  const { promise, resolve } = Promise.withResolvers<RawReport[]>()
  spool.listen((report) => {
    got.push(report)
    spool.taken([report.id])
    if (report.id === last) resolve(got)
    return true
  })
  return promise
}

test('what is no hook file is put aside and counted, and the reports come all the same', async () => {
  mkdirSync(fresh('a-folder'))
  mkdirSync(fresh('h1.run-1.1.Stop.1-1-1'))
  writeFileSync(join(home, 'elsewhere'), 'secret')
  symlinkSync(join(home, 'elsewhere'), fresh('h1.run-1.1.Stop.2-2-2'))
  execFileSync('/usr/bin/mkfifo', [fresh('h1.run-1.1.Stop.3-3-3')])
  const garbage = ['garbage', 'h1.run-1.x.Stop.1-1', 'h1.run-1.1.St0p.1-1', 'H1.run-1.1.Stop.1-1', 'a b\n"', '.x', 'ü']
  for (const name of garbage) writeFileSync(fresh(name), 'x')
  const last = leave(`h1.run-1.1.Stop.${now}-9-9`, 'good')
  const spool = await open()
  expect((await upTo(spool, last)).map(({ body }) => body)).toEqual(['good'])
  await spool.close()
  expect(readdirSync(fresh())).toEqual([])
  expect(readdirSync(join(home, 'spool/bad')).length).toBe(11)
  expect(spool.problems()).toEqual([
    `11 things in ${home}/spool/new were no hook files; they are kept in ${home}/spool/bad.`,
  ])
})

test('the place for what is no hook file is bounded', async () => {
  for (let n = 0; n < 120; n += 1) writeFileSync(fresh(`garbage-${n}`), '')
  const last = leave(`h1.run-1.1.Stop.${now}-9-9`)
  const spool = await open()
  await upTo(spool, last)
  await spool.close()
  expect({ left: readdirSync(fresh()), bad: readdirSync(join(home, 'spool/bad')).length }).toEqual({
    left: [],
    bad: 100,
  })
  expect(spool.problems().join('\n')).toMatch(/^100 things .*\n20 more were deleted/)
})

test('a name that is not UTF-8 is left alone and told', async () => {
  writeFileSync(Buffer.concat([Buffer.from(fresh('x')), Buffer.from([0xff, 0xfe])]), '')
  const last = leave(`h1.run-1.1.Stop.${now}-9-9`)
  const spool = await open()
  await upTo(spool, last)
  await spool.close()
  expect(spool.problems()).toEqual([expect.stringMatching(/^1 things in .* could not be moved .*its name is not text/)])
})

test('bodies: NULs and invalid UTF-8 are read as they can be, and 1 MB is the most', async () => {
  const big = 'ä'.repeat(800_000)
  const bodies = [Buffer.from([0, 1, 0xff, 0x41]), big, 'x'.repeat(1024 * 1024)]
  const ids = bodies.map((body, n) => leave(`h1.run-1.1.Stop.${now}-${n}-1`, body))
  const spool = await open()
  const got = await upTo(spool, ids[2] ?? '')
  await spool.close()
  expect(got.map(({ body }) => body === bodies[2])).toEqual([false, false, true])
  expect(got[0]?.body).toBe('\0\u0001\uFFFDA')
  expect(got[1]?.body).toBe(big.slice(0, 512 * 1024))
  expect(spool.problems()).toEqual(['1 hook files were too large; what they say after 1 MB was left out.'])
})

test('files of another home are left alone and told; those of the user are ours', async () => {
  leave(`h2.run-1.1.Stop.${now}-1-1`)
  leave(`h2.run-1.1.Stop.${now}-2-1`)
  const last = leave(`user.user.0.Stop.${now}-9-9`)
  const spool = await open()
  const got = await upTo(spool, last)
  await spool.close()
  expect(got.map(({ run, generation }) => ({ run, generation }))).toEqual([{ run: 'user', generation: 0 }])
  expect(readdirSync(fresh()).length).toBe(2)
  expect(spool.problems()).toEqual([
    `2 hook files in ${home}/spool/new belong to another home (h2) and are left alone. Check CLOISTER_SPOOL there.`,
  ])
})

test('order: by the clock of this start, then pid; what an earlier start left, or has no clock, by its time', async () => {
  const wall = Date.now() / 1000
  const startedAt = wall - uptime()
  const table: [name: string, seconds: number][] = [
    [`h1.run-1.1.A.${now + 900_000}-1-1`, startedAt - 500],
    [`h1.run-1.1.B.5-1-1`, startedAt - 400],
    [`h1.run-1.1.C.7-1-1`, startedAt + 5],
    [`h1.run-1.1.D.plugin-x`, startedAt + 8],
    [`h1.run-1.1.E.1000-1-1`, wall + 3_600],
    [`h1.run-1.1.F.1001-98-1`, wall],
    [`h1.run-1.1.G.1001-99-1`, wall],
    [`h1.run-1.1.H.1001-100-1`, wall],
  ]
  for (const [name, seconds] of table.toReversed()) {
    leave(name)
    utimesSync(fresh(name), seconds, seconds)
  }
  const spool = await open()
  const got = await upTo(spool, table.at(-1)?.[0] ?? '')
  expect(got.map(({ kind }) => kind).join('')).toBe('ABCDEFGH')
  expect(got[0]?.wallAt).toBe(Math.round((startedAt - 500) * 1000))
})

test('no more than the window is out at once', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => leave(`h1.run-1.1.Stop.${now}-${n + 1}-1`))
  const spool = await open({ window: { reports: 5, bytes: 1_000_000 } })
  const out = new Set<string>()
  let most = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  spool.listen(({ id }) => {
    out.add(id)
    most = Math.max(most, out.size)
    if (out.size === 5 || id === ids.at(-1)) {
      setImmediate(() => {
        spool.taken([...out])
        out.clear()
        if (id === ids.at(-1)) resolve()
      })
    }
    return true
  })
  await promise
  await spool.close()
  expect({ most, left: readdirSync(fresh()) }).toEqual({ most: 5, left: [] })
})

test('no more bytes than the window are out at once, but always one report', async () => {
  const ids = Array.from({ length: 4 }, (_, n) => leave(`h1.run-1.1.Stop.${now}-${n + 1}-1`, 'x'.repeat(1_000)))
  const spool = await open({ window: { reports: 100, bytes: 10 } })
  expect((await upTo(spool, ids[3] ?? '')).map(({ id }) => id)).toEqual(ids)
})

test('a folder that vanishes is told; when it is back, reports come again', async () => {
  const spool = await open({ rescanMs: 20 })
  rmSync(fresh(), { recursive: true })
  await vi.waitFor(() => expect(spool.problems()).toEqual([expect.stringMatching(/^Cannot read the spool .*ENOENT/)]))
  installHooks(home)
  const id = leave(`h1.run-1.1.Stop.${now}-1-1`)
  expect((await upTo(spool, id)).length).toBe(1)
  await vi.waitFor(() => expect(spool.problems()).toEqual([]))
})

test('drafts that killed hooks left an hour ago are swept; younger ones and those of waiting reports stay', async () => {
  const waits = `h1.run-1.1.Stop.${now}-1-1`
  const hourAgo = Date.now() / 1000 - 3_700
  const drafts = { old: hourAgo, young: Date.now() / 1000, [waits]: hourAgo }
  for (const [name, seconds] of Object.entries(drafts)) {
    writeFileSync(join(home, 'spool/tmp', name), 'body')
    utimesSync(join(home, 'spool/tmp', name), seconds, seconds)
  }
  writeFileSync(fresh(waits), '')
  const spool = await open()
  expect(readdirSync(join(home, 'spool/tmp')).toSorted()).toEqual([waits, 'young'])
  expect((await upTo(spool, waits)).map(({ body }) => body)).toEqual(['body'])
})

test('a report is the file in new, or the draft that an empty one announces; taken, both are gone', async () => {
  const table = [
    { fresh: 'moved in', body: 'moved in' },
    { fresh: '', draft: 'announced', body: 'announced' },
    { fresh: '', body: '' },
    { fresh: '', draft: '', body: '' },
  ]
  const ids = table.map((row, n) => {
    const name = `h1.run-1.1.Stop.${now}-${n}-1`
    if (row.draft !== undefined) writeFileSync(join(home, 'spool/tmp', name), row.draft)
    writeFileSync(fresh(name), row.fresh)
    return name
  })
  const unannounced = join(home, 'spool/tmp', `h1.run-1.1.Stop.${now}-9-1`)
  writeFileSync(unannounced, 'half')
  const spool = await open()
  const got = await upTo(spool, ids.at(-1) ?? '')
  await spool.close()
  expect(got.map(({ body }) => body)).toEqual(table.map(({ body }) => body))
  expect([readdirSync(fresh()), existsSync(unannounced)]).toEqual([[], true])
  expect(readdirSync(join(home, 'spool/tmp')).length).toBe(1)
})

test('a reader that fails is replaced, and what was not taken is offered again', async () => {
  const url = pathToFileURL(join(home, 'worker.mjs'))
  const real = new URL('spool-worker.ts', import.meta.url).href
  writeFileSync(
    url,
    `import { existsSync, writeFileSync } from 'node:fs'
     import { parentPort } from 'node:worker_threads'
     const flag = ${JSON.stringify(join(home, 'failed'))}
     if (!existsSync(flag)) parentPort.on('message', () => { writeFileSync(flag, ''); throw new Error('on purpose') })
     await import(${JSON.stringify(real)})`,
  )
  const id = leave(`h1.run-1.1.Stop.${now}-1-1`)
  const spool = await open({ workerUrl: url })
  const offered: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let before: readonly string[] = []
  spool.listen((report) => {
    offered.push(report.id)
    before = spool.problems()
    if (existsSync(join(home, 'failed'))) resolve()
    return true
  })
  spool.offer()
  await promise
  expect({ first: offered[0], last: offered.at(-1) }).toEqual({ first: id, last: id })
  expect(before.join()).toMatch(/^$|on purpose/)
})

test('may be closed while its reader is being replaced', async () => {
  const url = pathToFileURL(join(home, 'worker.mjs'))
  writeFileSync(
    url,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', () => { throw new Error('on purpose') })
     parentPort.postMessage({ type: 'opened' })`,
  )
  const spool = await open({ workerUrl: url })
  spool.offer()
  await vi.waitFor(() => expect(spool.problems()).toEqual([expect.stringMatching(/on purpose/)]))
  expect(await spool.close()).toBeUndefined()
})

test('a reader that cannot start is an error', async () => {
  const url = pathToFileURL(join(home, 'missing.mjs'))
  await expect(openSpool({ home, homeId: 'h1', workerUrl: url })).rejects.toThrow(/The reader of the spool .* failed/)
})
