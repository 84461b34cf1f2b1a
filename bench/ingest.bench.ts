/**
 * Hook files that wait in the spool, read by the real spool, each with an event in the real journal, removed after
 * the commit; until the folder is empty. Against a process that takes one file after the other (read, append, sync,
 * remove), and against the limit: only listing, reading and removing them.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installHooks } from '../src/adapters/spool/install.ts'
import { openSpool } from '../src/adapters/spool/spool.ts'
import { openJournal } from '../src/adapters/sqlite/journal.ts'
import type { Journal, RawReport, Spool } from '../src/core/ports.ts'
import { sampleBatch, sampleEvent } from '../tests/contract/journal-samples.ts'
import { brokenOf, median, rounded } from './measure.ts'
import { IN_PROCESS_FLAGS } from './product.ts'

const FILES = 10_000
/** The peer is slow, and its cost per file does not change. */
const PEER_FILES = 2_000
const ROUNDS = 3
const BATCH_LIMIT = 1_000
const BODY = JSON.stringify({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response: 'x'.repeat(2_000) })

export const flags = IN_PROCESS_FLAGS

export async function run(): Promise<object> {
  const root = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  const ours: number[] = []
  const peer: number[] = []
  const limit: number[] = []
  let lost = 0
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const home = join(root, `round-${round}`)
      const { ms, missing } = await ingest(home)
      const one = oneByOne(join(home, 'peer'))
      const bare = drain(join(home, 'limit'))
      rmSync(home, { recursive: true })
      lost += missing
      // Round -1 warms the machine up.
      if (round < 0) continue
      ours.push((1000 * ms) / FILES)
      peer.push((1000 * one) / PEER_FILES)
      limit.push((1000 * bare) / FILES)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return {
    bench: 'ingest',
    ours: rounded(median(ours)),
    peer: rounded(median(peer)),
    limit: rounded(median(limit)),
    unit: `µs per file of ${BODY.length} bytes, durable (${FILES} files waiting)`,
    ratio: rounded(median(peer) / median(ours)),
    timesLimit: rounded(median(ours) / median(limit)),
    perSecond: Math.round(1e6 / median(ours)),
    lost,
    ...brokenOf({ 'nothing is lost': lost === 0 }),
  }
}

async function ingest(home: string): Promise<{ ms: number; missing: number }> {
  installHooks(home)
  const folder = join(home, 'spool/new')
  fill(join(home, 'spool/tmp'), FILES)
  fill(folder, FILES, '')
  const journal = await openJournal({ home })
  const before = performance.now()
  const spool = await openSpool({ home, homeId: 'h1' })
  await consume(spool, journal, FILES)
  await spool.close()
  const ms = performance.now() - before
  await journal.close()

  const again = await openJournal({ home })
  const { seen } = await again.recover()
  const events = await again.events({ afterSeq: 0, limit: 2 * FILES })
  await again.close()
  const missing =
    FILES -
    Math.min(new Set(seen).size, events.length) +
    readdirSync(folder).length +
    readdirSync(join(home, 'spool/tmp')).length
  return { ms, missing }
}

/** As the daemon's loop: one commit at a time, what arrives meanwhile makes the next, and taken after that. */
async function consume(spool: Spool, journal: Journal, count: number): Promise<void> {
  let queue: RawReport[] = []
  let wake = () => {}
  let seq = 0
  spool.listen((report) => {
    queue.push(report)
    wake()
    return true
  })
  while (seq < count) {
    if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    const batch = queue.slice(0, BATCH_LIMIT)
    queue = queue.slice(BATCH_LIMIT)
    const events = batch.map(({ run }) => sampleEvent((seq += 1), run))
    const seen = batch.map(({ id }) => id)
    await journal.commit(sampleBatch(seq, { events, seen }))
    spool.taken(seen)
  }
}

function oneByOne(folder: string): number {
  mkdirSync(folder)
  fill(folder, PEER_FILES)
  const before = performance.now()
  const log = openSync(join(folder, '../peer.jsonl'), 'a')
  for (const name of readdirSync(folder)) {
    const { tool_name } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { tool_name: string }
    writeSync(log, `${JSON.stringify({ name, tool_name })}\n`)
    fsyncSync(log)
    unlinkSync(join(folder, name))
  }
  closeSync(log)
  return performance.now() - before
}

function drain(folder: string): number {
  mkdirSync(folder)
  fill(folder, FILES)
  const before = performance.now()
  for (const name of readdirSync(folder)) {
    readFileSync(join(folder, name))
    unlinkSync(join(folder, name))
  }
  return performance.now() - before
}

function fill(folder: string, count: number, body = BODY): void {
  for (let n = 0; n < count; n += 1) {
    writeFileSync(join(folder, `h1.run-${n % 20}.1.PostToolUse.${1_000 + n}-${n}-1`), body)
  }
}
