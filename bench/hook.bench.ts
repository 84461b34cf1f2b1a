/**
 * One hook call with a 9 KB PostToolUse payload: our report hook against a bash hook of the usual kind (jq twice,
 * date, curl to the daemon), and against the limit, `sh -c :`. The peer runs with its daemon up and with it down, and
 * the faster counts. Ours runs with nobody reading the spool and with the real reader, of which it must not know.
 * A small shell starts the calls, one after the other: what node needs to start a process, several times more than
 * the hook itself, is not the hook's.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installHooks } from '../src/adapters/spool/install.ts'
import { openSpool } from '../src/adapters/spool/spool.ts'
import { brokenOf, median, rounded } from './measure.ts'

const ROUNDS = 30
/** Few at a time: one that had to wait for somebody else's disk must not spoil many. */
const CALLS = 4

/** The payload is a file; the rest of the arguments is the call. */
const STARTER = 'payload=$1; n=$2; shift 2; while [ $n -gt 0 ]; do "$@" <"$payload"; n=$((n - 1)); done'

const PEER = `#!/bin/bash
INPUT=$(cat)
TOOL=$(echo "$INPUT" | jq -r '.tool_name // "unknown"')
ACTION=$(echo "$INPUT" | jq -c '.tool_input' | head -c 100)
TIMESTAMP=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl -s -o /dev/null -m 2 -X POST "http://127.0.0.1:$PORT/api/agents/$PANOPTICON_AGENT_ID/heartbeat" \\
  -H 'Content-Type: application/json' \\
  --data-binary "{\\"timestamp\\":\\"$TIMESTAMP\\",\\"tool_name\\":\\"$TOOL\\",\\"last_action\\":\\"$ACTION\\"}"
exit 0
`

export async function run(): Promise<object> {
  needPrograms('bash', 'jq', 'curl')
  const home = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  const idle = join(home, 'idle')
  const read = join(home, 'read')
  for (const place of [idle, read]) installHooks(place)
  const peer = join(home, 'peer.sh')
  writeFileSync(peer, PEER, { mode: 0o700 })
  const payload = join(home, 'payload.json')
  writeFileSync(payload, PAYLOAD)
  const server = await listen()
  const closed = await listen()
  const closedPort = portOf(closed)
  await new Promise((resolve) => closed.close(resolve))
  const spool = await openSpool({ home: read, homeId: 'h1' })
  let count = 0
  spool.listen(({ id }) => {
    count += 1
    spool.taken([id])
    return true
  })
  try {
    const times = await inTurns(
      {
        limit: { argv: ['/bin/sh', '-c', ':'], env: {} },
        dead: { argv: [join(idle, 'bin/heartbeat-hook'), 'PostToolUse'], env: { CLOISTER_SPOOL: idle } },
        alive: { argv: [join(read, 'bin/heartbeat-hook'), 'PostToolUse'], env: { CLOISTER_SPOOL: read } },
        peerUp: { argv: [peer], env: { PORT: String(portOf(server)) } },
        peerDown: { argv: [peer], env: { PORT: String(closedPort) } },
      },
      payload,
    )
    await spool.close()
    const { limit, dead, alive, peerUp, peerDown } = times
    const faster = Math.min(peerUp, peerDown)
    const lost = 2 * CALLS * (ROUNDS + 1) - count - waitingIn(idle) - waitingIn(read)
    return {
      bench: 'hook',
      ours: rounded(dead),
      peer: rounded(faster),
      limit: rounded(limit),
      unit: 'ms per call, 9 KB payload, median (peer: the faster of its daemon up and down)',
      ratio: rounded(faster / dead),
      timesLimit: rounded(dead / limit),
      daemonAlive: rounded(alive),
      deadToAlive: rounded(dead / alive),
      peerUp: rounded(peerUp),
      peerDown: rounded(peerDown),
      lost,
      ...brokenOf({ 'nothing is lost': lost === 0 }),
    }
  } finally {
    await spool.close()
    server.close()
    rmSync(home, { recursive: true })
  }
}

function waitingIn(place: string): number {
  return readdirSync(join(place, 'spool/new')).length
}

function needPrograms(...programs: string[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  if (missing.length === 0) return
  throw new Error(
    `The benchmark «hook» compares with a hook that needs ${missing.join(' and ')}, which is not installed here. ` +
      `Install it: sudo apt-get install -y ${missing.join(' ')}`,
  )
}

async function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

interface Call {
  argv: [string, ...string[]]
  env: Record<string, string>
}

/** The server that the peer calls lives in this process, so a call must not block it. */
async function inTurns<Name extends string>(calls: Record<Name, Call>, payload: string): Promise<Record<Name, number>> {
  const names = Object.keys(calls) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  const starts: number[] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of names) {
      const started = await time(calls[name], payload, 0)
      const ms = await time(calls[name], payload, CALLS)
      // Round -1 warms the machine up.
      if (round < 0) continue
      starts.push(started)
      times[name].push(ms)
    }
  }
  const perCall = (name: Name) => (median(times[name]) - median(starts)) / CALLS
  return Object.fromEntries(names.map((name) => [name, perCall(name)])) as Record<Name, number>
}

const PAYLOAD = JSON.stringify({
  session_id: '0d4b1c1e-8a52-4a5b-9c55-6f1f0e1b2a3c',
  transcript_path: '/home/someone/.claude/projects/-home-someone-work/0d4b1c1e.jsonl',
  cwd: '/home/someone/work',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test -- --reporter=dot', description: 'Run the tests' },
  tool_response: {
    stdout: 'test output line with "quotes" and \\ in it\n'.repeat(180),
    stderr: '',
    interrupted: false,
  },
})

const AGENT = { CLOISTER_RUN: 'h1.run-1', CLOISTER_GENERATION: '1', PANOPTICON_AGENT_ID: 'pan-1' }

function time({ argv, env }: Call, payload: string, count: number): Promise<number> {
  const PATH = process.env['PATH'] ?? ''
  const before = performance.now()
  const child = spawn('/bin/sh', ['-c', STARTER, 'starter', payload, String(count), ...argv], {
    env: { PATH, ...AGENT, ...env },
    stdio: 'ignore',
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve(performance.now() - before))
  })
}
