/**
 * A hundred understudies at once under one real daemon: until all are started and have reported by their hooks, what
 * they take of memory, the emergency stop of all of them as a person runs it, and until the daemon has saved their work. Every fifth ignores signals and
 * leaves orphans behind. Survivors are counted by a scan of `/proc`. Takes about 5 GB of memory.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Census } from '../src/adapters/process/census.ts'
import type { AgentsView } from '../src/contract/views.ts'
import { LiveHome } from '../tests/e2e/daemon/live-home.ts'
import { brokenOf, rounded } from './measure.ts'

const AGENTS = 100
const PATIENCE_MS = 120_000
const STOP = join(import.meta.dirname, '../src/hook/emergency-stop.ts')

export async function run(): Promise<object> {
  const live = new LiveHome({ CLOISTER_UNDERSTUDY_SPEED: '1' })
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
    const before = performance.now()
    const { stdout } = await promisify(execFile)(process.execPath, [STOP, '--json'], { env: live.env })
    const stopMs = performance.now() - before
    const saved = () => live.events.filter(({ type }) => type === 'agent.salvaged').length
    while (saved() < AGENTS && performance.now() - before < PATIENCE_MS) await sleep(250)
    const savedMs = performance.now() - before
    const report = JSON.parse(stdout) as { runs: string[]; survivors: string[] }
    const survivors = report.survivors.length + (await new Census(live.id).take()).members.length
    return {
      bench: 'hundred',
      agents: AGENTS,
      active: seen,
      activeSeconds: rounded(activeMs / 1000),
      processes: members.length,
      residentMb: Math.round(mb),
      daemonMb: Math.round(residentMb(live.pid)),
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

/** Shared pages are counted for each who shares them. */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
