/** The spool's thread: watches the one folder, looks again now and then, and hands over what it finds in batches. */
import { statSync, watch, type FSWatcher } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { pathsOf, reasonOf } from './layout.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'
import { SpoolFolder } from './spool-folder.ts'

const BATCH = 256

const port = parentPort
if (port === null) throw new Error('The spool worker runs only as a worker thread.')

const options = workerData as WorkerOptions
const { fresh } = pathsOf(options.home)
const folder = new SpoolFolder(options)
let watched: { watcher: FSWatcher; inode: number } | undefined
let isPlanned = false
let told = ''

port.on('message', (request: Request) => {
  switch (request.type) {
    case 'taken':
      folder.remove(request.ids)
      return plan()
    case 'rescan':
      return rescan()
    case 'close':
      return close()
  }
})
const timer = setInterval(rescan, options.rescanMs)
rescan()
tell()
say({ type: 'opened' })

function rescan(): void {
  folder.rescan()
  follow()
  plan()
}

/** A watch belongs to the folder that was there, not to its name. */
function follow(): void {
  const inode = statSync(fresh, { throwIfNoEntry: false })?.ino
  if (inode !== undefined && inode === watched?.inode) return
  watched?.watcher.close()
  watched = undefined
  if (inode === undefined) return
  try {
    const watcher = watch(fresh, () => {
      folder.touch()
      plan()
    })
    // Without a watch the timer still finds everything.
    watcher.on('error', () => {
      watcher.close()
      watched = undefined
    })
    watched = { watcher, inode }
  } catch (error) {
    folder.ailments.folder = `Cannot watch the spool ${fresh}: ${reasonOf(error)}. Reports are seen later than they could be.`
  }
}

/** Everything that already happened is delivered before an immediate runs, and is served together. */
function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setImmediate(() => {
    isPlanned = false
    serve()
  })
}

function serve(): void {
  const reports = folder.read(BATCH)
  if (reports.length > 0) {
    say({ type: 'reports', reports })
    plan()
  }
  tell()
}

function tell(): void {
  const sentences = folder.ailments.sentences()
  const text = sentences.join('\n')
  if (text === told) return
  told = text
  say({ type: 'problems', sentences })
}

function close(): void {
  clearInterval(timer)
  watched?.watcher.close()
  port?.close()
}

function say(reply: Reply): void {
  port?.postMessage(reply)
}
