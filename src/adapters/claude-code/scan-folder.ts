/**
 * Reads all transcripts of a folder at once, with a thread per core when there is much to read, and with an index
 * file only what was added. For programs of their own: it is synchronous where it reads.
 */
import type { Worker } from 'node:worker_threads'
import { bestScanner } from './transcripts/best-scanner.ts'
import type { Figures } from './transcripts/finding.ts'
import { DamagedIndexError, IndexFile } from './transcripts/index-file.ts'
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
const AT_ONCE = 16 * 1024 * 1024

export async function scanFolder(folder: string, index?: string): Promise<FolderUsage> {
  if (index === undefined) return read(folder, new TranscriptSet(bestScanner()))
  const file = new IndexFile(index)
  try {
    return await read(folder, new TranscriptSet(bestScanner(), file.kept), file)
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error
    file.distrust()
    return await read(folder, new TranscriptSet(bestScanner()), file)
  } finally {
    file.close()
  }
}

async function read(folder: string, set: TranscriptSet, index?: IndexFile): Promise<FolderUsage> {
  const numbers = set.catalogue.transcriptsIn(folder)
  await readAll(set, numbers)
  if (index !== undefined && set.isChanged) index.save(set)
  return { files: numbers.length, messages: set.ledger.messages, models: set.totals() }
}

async function readAll(set: TranscriptSet, numbers: readonly number[]): Promise<void> {
  const later: { number: number; bytes: number }[] = []
  let read = 0
  for (const number of numbers) {
    const bytes = set.due(number)
    if (bytes === undefined) continue
    // What was added is read at once, so that the scanner is made fast in the background while others are looked at.
    if (set.placeOf(number) !== undefined && read + bytes <= AT_ONCE) {
      set.look(number)
      read += bytes
    } else later.push({ number, bytes })
  }
  const bytes = later.reduce((sum, file) => sum + file.bytes, 0)
  const threads =
    bytes <= WORTH_A_THREAD ? 1 : Math.min(await cores(), THREADS_LIMIT, Math.ceil(bytes / WORTH_A_THREAD))
  if (threads < 2) for (const { number } of later) set.look(number)
  else await readTogether(set, later, threads)
}

/** Loaded only when it is needed, like all that a program does not need which reads a few new lines. */
async function cores(): Promise<number> {
  const { availableParallelism } = await import('node:os')
  return availableParallelism()
}

async function readTogether(
  set: TranscriptSet,
  due: readonly { number: number; bytes: number }[],
  threads: number,
): Promise<void> {
  // The largest first, so that no thread is left with a large one at the end.
  const order = due.toSorted((a, b) => b.bytes - a.bytes).map(({ number }) => number)
  const { catalogue, places } = set.keep()
  const { paths } = catalogue
  const next = new Int32Array(new SharedArrayBuffer(4))
  const share: Share = { paths, places: places.packed(paths.length), order, next }
  const { setFlagsFromString } = await import('node:v8')
  // Worth it here, even when the program was started for a short run.
  for (const flag of ['--opt', '--maglev']) setFlagsFromString(flag)
  const { Worker } = await import('node:worker_threads')
  const { findWorker } = await import('../process/find-worker.ts')
  const start = () => new Worker(findWorker(import.meta.url, 'claude-code/scan-worker'), { workerData: share })
  const others = Array.from({ length: threads - 1 }, () => readBy(start()))
  for (const part of [readShare(share), ...(await Promise.all(others))]) {
    set.ledger.merge(part.ledger)
    for (const [number, place] of part.places) set.settle(number, place)
  }
}

function readBy(worker: Worker): Promise<ShareRead> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A thread that read transcripts ended early, with code ${code}.`)))
  })
}
