/** The thread that reads transcripts for the daemon: synchronous files, one look after the other. */
import { parentPort } from 'node:worker_threads'
import type { LookReply, LookRequest } from './transcripts.ts'
import { bestScanner } from './transcripts/best-scanner.ts'
import { sessionFiles } from './transcripts/session-files.ts'
import { EMPTY_TAIL } from './transcripts/tail.ts'
import { TranscriptSet } from './transcripts/transcript-set.ts'

const port = parentPort
if (port === null) throw new Error('The transcript worker runs only as a worker thread.')

const set = new TranscriptSet(bestScanner())

port.on('message', (request: LookRequest) => port.postMessage(answer(request)))

function answer({ id, transcript }: LookRequest): LookReply {
  try {
    const [own = -1, ...others] = set.enter(sessionFiles(transcript))
    const tail = own < 0 ? EMPTY_TAIL : set.lookAtTail(own)
    for (const number of others) set.look(number)
    return { id, view: { tail, models: set.totals([own, ...others]), subagents: others.length } }
  } catch (error) {
    return { id, failure: (error as Error).message }
  }
}
