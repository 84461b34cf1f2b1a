/**
 * Runs the journal on a disk of 1 MB of its own until it is full, and prints what happened as one line of JSON.
 * Needs a mount namespace of its own: `unshare --mount node full-disk.ts <folder>`
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import type { Journal } from '../../src/core/ports.ts'
import { sampleAgent, sampleBatch, sampleEffect, sampleEvent } from '../contract/journal-samples.ts'

const [disk = ''] = process.argv.slice(2)
mkdirSync(disk)
execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk])
const ballast = join(disk, 'ballast')
writeFileSync(ballast, Buffer.alloc(300_000))
const home = join(disk, 'home')

const full = await openJournal({ home })
const { confirmed, error } = await commitUntilRefused(full, 1)
const next = await refusalOf(full.commit(batch(confirmed + 1)))
await full.close()

rmSync(ballast)
const reopened = await openJournal({ home, check: true })
const kept = await eventsOf(reopened)
const { openEffects } = await reopened.recover()
await reopened.commit(batch(kept.length + 1))
await reopened.close()

const again = await openJournal({ home, check: true })
const after = await eventsOf(again)
await again.close()
console.log(JSON.stringify({ confirmed, error, next, kept, openEffects: openEffects.length, after }))

function batch(seq: number) {
  return sampleBatch(seq, {
    events: [sampleEvent(seq, 'pan-1')],
    effects: [sampleEffect(`e${seq}`)],
    agents: [sampleAgent('pan-1', { generation: seq, workspace: 'x'.repeat(3_000) })],
  })
}

async function commitUntilRefused(journal: Journal, seq: number): Promise<{ confirmed: number; error: string }> {
  const error = await refusalOf(journal.commit(batch(seq)))
  return error === undefined ? commitUntilRefused(journal, seq + 1) : { confirmed: seq - 1, error }
}

async function refusalOf(promise: Promise<void>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => String(error),
  )
}

async function eventsOf(journal: Journal): Promise<number[]> {
  return (await journal.events({ afterSeq: 0, limit: 100_000 })).map(({ seq }) => seq)
}
