/** One of several threads that read a folder of transcripts together. */
import { parentPort, workerData } from 'node:worker_threads'
import { readShare, type Share } from './transcripts/share.ts'

parentPort?.postMessage(readShare(workerData as Share))
