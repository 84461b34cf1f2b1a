/**
 * The journal's thread: all commits that wait become one transaction (group commit), then each is confirmed,
 * then the files of the agents that changed are published. The first failure ends the thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { AgentRecord } from '../../contract/records.ts'
import { HandoffLog } from './handoff-log.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'
import { Publisher, type PublisherOptions } from './publisher.ts'
import { reasonOf } from './reason.ts'
import type { Rows } from './rows.ts'
import { StatusPublisher } from './status-publisher.ts'
import { Store } from './store.ts'

const port = parentPort
if (port === null) throw new Error('The journal worker runs only as a worker thread.')

const options = workerData as WorkerOptions
/** Which of those who publish cannot write now. */
const troubled = new Set<string>()
const publisher = new Publisher(publishing('agents'))
const handoffs = new HandoffLog(publishing('handoffs'))
const houseFile = new StatusPublisher(publishing('status'))
let waiting: Rows[] = []
const store = orDie(() => new Store(options))

port.on('message', (request: Request) => orDie(() => handle(request)))
say({ type: 'opened' })

function handle(request: Request): void {
  if (request.type === 'commit') {
    waiting.push(request.rows)
    // Everything that already arrived is delivered before an immediate runs, and joins the same transaction.
    if (waiting.length === 1) setImmediate(() => orDie(commitWaiting))
    return
  }
  // What it says is durable already.
  if (request.type === 'publish') return houseFile.offer(request.status)
  if (request.type === 'cost') return publisher.cost(request.agent, request.usd)
  commitWaiting()
  if (request.type === 'close') return close()
  answer(request)
}

function publishing(who: string): PublisherOptions {
  return {
    home: options.home,
    report: (sentence) => {
      troubled.add(who)
      say({ type: 'problem', sentence })
    },
    well: () => {
      if (troubled.delete(who) && troubled.size === 0) say({ type: 'well' })
    },
    later: (call, ms) => void setTimeout(call, ms).unref(),
  }
}

function commitWaiting(): void {
  if (waiting.length === 0) return
  const group = waiting
  waiting = []
  const { changed, forgotten } = store.write(group)
  say({ type: 'durable', count: group.length })
  for (const agent of changed) publish(agent)
  for (const id of forgotten) publisher.forget(id)
}

function publish(agent: AgentRecord): void {
  publisher.offer(agent)
  handoffs.offer(agent)
}

function answer(request: Extract<Request, { id: number }>): void {
  try {
    say({ type: 'answer', id: request.id, value: valueFor(request) })
  } catch (error) {
    say({ type: 'refused', id: request.id, sentence: reasonOf(error) })
  }
}

function valueFor(request: Extract<Request, { id: number }>): unknown {
  switch (request.type) {
    case 'recover':
      return recover()
    case 'events':
      return store.events(request.query)
    case 'ribbons':
      return store.ribbons(request.query)
  }
}

function recover(): unknown {
  const recovered = store.recover()
  // A crash may have come between a commit and its files: all of them are made right again.
  for (const agent of recovered.agents) publish(agent)
  return recovered
}

function close(): void {
  publisher.flush()
  houseFile.flush()
  handoffs.flush()
  store.close()
  port?.close()
}

function orDie<T>(deed: () => T): T {
  try {
    return deed()
  } catch (error) {
    say({ type: 'dead', sentence: reasonOf(error) })
    return process.exit(1)
  }
}

function say(reply: Reply): void {
  port?.postMessage(reply)
}
