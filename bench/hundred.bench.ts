/**
 * A hundred understudies at once under the built daemon with its own flags: what it takes of memory with all of them at
 * work, against a Node process that does nothing (peer and limit). Then, beside that: how long until all are started and
 * have reported by their hooks, what the agents take, the emergency stop of all of them as a person runs it (`pan
 * cloister emergency-stop --yes`), and how long until the daemon has saved their work. Every fifth ignores signals and leaves
 * orphans behind. Survivors are counted by a scan of `/proc`. Takes about 5 GB of memory.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Census } from '../src/adapters/process/census.ts'
import type { AgentsView } from '../src/contract/views.ts'
import { LiveHome } from '../tests/e2e/daemon/live-home.ts'
import { brokenOf, rounded } from './measure.ts'
import { DAEMON, PAN } from './product.ts'

const AGENTS = 100
const PATIENCE_MS = 120_000
const STOP = [PAN, 'cloister', 'emergency-stop', '--yes', '--json']

export const built = true

export async function run(): Promise<object> {
  const live = new LiveHome({ ...DAEMON.env, CLOISTER_UNDERSTUDY_SPEED: '1' }, DAEMON.argv)
  try {
    await live.up()
    const ids = Array.from({ length: AGENTS }, (_, n) => `agent-${n}`)
    const workspaces = ids.map((id) => live.workspace(`work-${id}`))
    const began = performance.now()
    await Promise.all(
      ids.map((id, n) => {
        const body = { id, project: 'hundred', workspace: workspaces[n], runtime: 'understudy', prompt: 'Begin.' }
        return live.client.post('/api/agents', { ...body, model: n % 5 === 0 ? 'stubborn' : 'steady' })
      }),
    )
    const active = async () => {
      const { projectAgents } = await live.client.get<AgentsView>('/api/agents')
      return projectAgents.filter(({ health, sessionId }) => health === 'active' && sessionId !== undefined).length
    }
    let seen = 0
    let activeMs = 0
    while (seen < AGENTS && activeMs < PATIENCE_MS) {
      await sleep(250)
      seen = await active()
      activeMs = performance.now() - began
    }
    const { members } = await new Census(live.id).take()
    const mb = members.reduce((sum, { pid }) => sum + residentMb(pid), 0)
    const [daemonMb, idleMb] = [residentMb(live.pid), await idleNodeMb()]
    const before = performance.now()
    const { stdout } = await promisify(execFile)(process.execPath, STOP, { env: live.env })
    const stopMs = performance.now() - before
    const saved = () => live.events.filter(({ type }) => type === 'agent.salvaged').length
    while (saved() < AGENTS && performance.now() - before < PATIENCE_MS) await sleep(250)
    const savedMs = performance.now() - before
    const report = JSON.parse(stdout) as { runs: string[]; survivors: string[] }
    const survivors = report.survivors.length + (await new Census(live.id).take()).members.length
    return {
      bench: 'hundred',
      ours: rounded(daemonMb),
      peer: rounded(idleMb),
      limit: rounded(idleMb),
      unit: `MB of the daemon with ${AGENTS} agents at work (peer and limit: an idle node)`,
      ratio: rounded(idleMb / daemonMb),
      agents: AGENTS,
      active: seen,
      activeSeconds: rounded(activeMs / 1000),
      processes: members.length,
      residentMb: Math.round(mb),
      stopMs: Math.round(stopMs),
      stopped: report.runs.length,
      saved: saved(),
      savedSeconds: rounded(savedMs / 1000),
      survivors,
      ...brokenOf({ 'nothing survives': survivors === 0, 'all work is saved': saved() === AGENTS }),
    }
  } finally {
    await live.remove()
  }
}

async function idleNodeMb(): Promise<number> {
  const node = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  await sleep(1_000)
  const mb = residentMb(node.pid ?? -1)
  const gone = once(node, 'exit')
  node.kill('SIGKILL')
  await gone
  return mb
}

/** Shared pages are counted for each who shares them. */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
