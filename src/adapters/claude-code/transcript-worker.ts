/** The thread that reads transcripts for the daemon: synchronous files, one question after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Answer, Question } from './transcripts.ts'
import { UsageReader, type ReaderOptions } from './transcripts/usage-reader.ts'

const port = parentPort
if (port === null) throw new Error('The transcript worker runs only as a worker thread.')

const reader = new UsageReader(workerData as ReaderOptions)

port.on('message', (question: Question | 'close') => {
  if (question === 'close') close()
  else port.postMessage(answer(question))
})

/** What was read stays known: files may be gone when somebody asks again. */
function close(): void {
  try {
    reader.save()
  } finally {
    reader.close()
    port?.close()
  }
}

function answer({ id, sessions }: Question): Answer {
  try {
    return { id, used: reader.ofSessions(sessions) }
  } catch (error) {
    return { id, failure: (error as Error).message }
  }
}
