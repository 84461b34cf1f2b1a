/**
 * Reads all transcripts of a folder at once, with a thread per core when there is much to read, and from an index
 * file only what was added. For programs of their own: it is synchronous where it reads.
 */
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { findWorker } from '../process/find-worker.ts'
import { bestScanner } from './transcripts/best-scanner.ts'
import type { Figures } from './transcripts/finding.ts'
import { bytesDue } from './transcripts/growth.ts'
import { loadIndex, saveIndex } from './transcripts/index-file.ts'
import { allTranscripts } from './transcripts/session-files.ts'
import { readShare, type Share, type ShareRead } from './transcripts/share.ts'
import { TranscriptSet } from './transcripts/transcript-set.ts'

export interface FolderUsage {
  files: number
  messages: number
  models: Record<string, Figures>
}

const THREADS_LIMIT = 4
/** A thread takes longer to start than this takes to read. */
const WORTH_A_THREAD = 64 * 1024 * 1024

export async function scanFolder(folder: string, index?: string): Promise<FolderUsage> {
  const set = new TranscriptSet(bestScanner(), index === undefined ? undefined : loadIndex(index))
  const numbers = set.enter(allTranscripts(folder))
  const changed = await readAll(set, numbers)
  if (index !== undefined && changed > 0) saveIndex(index, set.keep())
  return { files: numbers.length, messages: set.ledger.messages, models: set.totals() }
}

/** How many files had changed. */
async function readAll(set: TranscriptSet, numbers: readonly number[]): Promise<number> {
  const due = numbers.flatMap((number) => {
    const bytes = bytesDue(set.paths[number] ?? '', set.placeOf(number))
    return bytes === undefined ? [] : [{ number, bytes }]
  })
  const bytes = due.reduce((sum, file) => sum + file.bytes, 0)
  const threads = Math.min(THREADS_LIMIT, availableParallelism(), Math.ceil(bytes / WORTH_A_THREAD))
  if (threads < 2) return due.filter(({ number }) => set.look(number)).length
  // The largest first, so that no thread is left with a large one at the end.
  const order = due.toSorted((a, b) => b.bytes - a.bytes).map(({ number }) => number)
  const { paths, places } = set.keep()
  const share: Share = { paths, places, order, next: new Int32Array(new SharedArrayBuffer(4)) }
  // Loaded only when it is needed: a program that reads a few new lines is over in the time that this takes.
  const { Worker } = await import('node:worker_threads')
  const start = () => new Worker(findWorker(import.meta.url, 'claude-code/scan-worker'), { workerData: share })
  const others = Array.from({ length: threads - 1 }, () => readBy(start()))
  for (const read of [readShare(share), ...(await Promise.all(others))]) {
    set.ledger.merge(read.ledger)
    for (const [number, place] of read.places) set.settle(number, place)
  }
  return order.length
}

function readBy(worker: Worker): Promise<ShareRead> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A thread that read transcripts ended early, with code ${code}.`)))
  })
}
