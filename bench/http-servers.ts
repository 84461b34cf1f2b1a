/** The servers of the benchmark `http`, each in a thread of its own: ours whole, a naive one, and Node's own. */
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openConfigDesk } from '../src/adapters/config-file/config-desk.ts'
import { openJournal } from '../src/adapters/sqlite/journal.ts'
import { VirtualClock } from '../tests/fakes/virtual-clock.ts'
import { VirtualFleet } from '../tests/fakes/virtual-fleet.ts'
import { virtualRuntime } from '../tests/fakes/virtual-runtime.ts'
import { configSchema } from '../src/contract/config/schema.ts'
import { homeId } from '../src/daemon/home-id.ts'
import { Loop } from '../src/daemon/loop.ts'
import { runTokens } from '../src/daemon/run-token.ts'
import { serve } from '../src/daemon/serve.ts'
import { systemClock } from '../src/daemon/system-clock.ts'
import { homeToken } from '../src/daemon/token.ts'
import { SETTINGS } from '../tests/samples/agents.ts'

export interface Ready {
  port: number
  /** The tokens of the agents' runs, by agent. */
  tokens: Record<string, string>
}

const AGENTS = 16

const { kind, home } = workerData as { kind: 'ours' | 'peer' | 'limit'; home: string }
parentPort?.postMessage(await (kind === 'ours' ? ours() : bare(kind === 'peer')))

/** The loop on the real journal behind the real door; only the agents are simulated. */
async function ours(): Promise<Ready> {
  const journal = await openJournal({ home })
  const fleet = new VirtualFleet(new VirtualClock(Date.now()))
  const loop = await Loop.start({
    clock: systemClock,
    journal,
    terminal: fleet,
    processes: fleet,
    git: fleet,
    mailbox: fleet,
    runtimes: new Map([[virtualRuntime.name, virtualRuntime]]),
    reports: () => fleet,
    settings: { ...SETTINGS, lookEveryMs: 3_600_000 },
    bootId: 'bench',
  })
  const desk = openConfigDesk({ PANOPTICON_HOME: home }, configSchema.parse({}))
  const { url = '' } = await serve({
    loop,
    journal,
    home,
    clock: systemClock,
    git: fleet,
    terminal: fleet,
    costs: { runtimes: new Map(), prices: { ratesOf: () => undefined } },
    config: desk.view,
    changeConfig: desk.change,
    lives: () => Promise.resolve(false),
    attach: async () => ['true'],
    spawnDefaults: () => ({ model: 'sonnet', runtimeOf: () => 'virtual', specialists: [], choose }),
    stop: () => undefined,
    problem: (error) => console.error(error),
    dashboard: { host: '127.0.0.1', port: 0, folder: '/nonexistent' },
  })
  const { tokenOf } = runTokens(homeToken(home), homeId(home))
  const tokens: Record<string, string> = {}
  for (let n = 0; n < AGENTS; n += 1) {
    const agent = `agent-${n}`
    const identity = {
      kind: 'issue',
      workspace: `/work/${agent}`,
      runtime: 'virtual',
      model: 'sonnet',
      simulated: true,
    } as const
    await loop.submit({ id: `spawn-${n}`, by: 'bench', command: { type: 'agent.spawn', agent, ...identity } })
    await loop.settled()
    const { run = '', generation = 0 } = loop.world.agents.get(agent) ?? {}
    tokens[agent] = tokenOf({ agent, generation, run })
  }
  return { port: Number(new URL(url).port), tokens }
}

/** Takes a heartbeat, checks nothing of who sends it, and answers; the peer writes and syncs each one first. */
async function bare(isDurable: boolean): Promise<Ready> {
  const file = isDurable ? openSync(join(home, 'heartbeats.jsonl'), 'a') : -1
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const said = JSON.parse(Buffer.concat(chunks).toString()) as object
      if (isDurable) {
        writeSync(file, `${JSON.stringify({ ts: new Date().toISOString(), ...said })}\n`)
        fdatasyncSync(file)
      }
      const body = '{"taken":true}'
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const tokens = Object.fromEntries(Array.from({ length: AGENTS }, (_, n) => [`agent-${n}`, 'x'.repeat(90)]))
  return { port: (server.address() as AddressInfo).port, tokens }
}

async function choose() {
  return { model: 'sonnet', why: 'it is the only one here.' }
}
