/** The understudies of a drill: started over the API in folders of their own, and taken away again with all they left. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../adapters/process/run.ts'
import { projectName } from '../../adapters/understudy/program/project-name.ts'
import { understudyFolder } from '../../adapters/understudy/runtime.ts'
import type { Fault } from '../../contract/faults.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentView, InboxView } from '../../contract/views.ts'
import { SECOND } from '../../core/durations.ts'
import { Refused, type DrillApi } from './drill-api.ts'

const POLL_MS = 100
const START_MS = 60 * SECOND
const END_MS = 2 * 60 * SECOND

export interface Stage {
  home: string
  api: DrillApi
  /** Where the workspaces are made; removed with everything in it by whoever made it. */
  folder: string
  signal: AbortSignal
}

/** Of a home that knows nobody: agent-drill-hang-1 and so on. */
export function drillIds(fault: Fault, count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, n) => `agent-drill-${fault}-${first + n}`)
}

/** An id that nobody has. */
export async function freeId(api: DrillApi, fault: Fault): Promise<string> {
  for (let n = 1; ; n += 1) {
    const [id = ''] = drillIds(fault, 1, n)
    if ((await agentOf(api, id)) === undefined) return id
  }
}

/** One after the other; resolves when all of them run. */
export async function startUnderstudies(stage: Stage, fault: Fault, ids: readonly string[]): Promise<void> {
  const { api, folder } = stage
  for (const id of ids) {
    const workspace = join(folder, id)
    mkdirSync(workspace, { recursive: true })
    await run(['git', 'init', '--quiet', workspace])
    const title = `Drill (simulated agent): ${fault}`
    await api.post('/api/agents', { id, project: 'drill', title, workspace, runtime: 'understudy', model: 'drill' })
    await untilItRuns(stage, id)
  }
}

async function untilItRuns({ api, signal }: Stage, id: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    signal.throwIfAborted()
    const agent = await agentOf(api, id)
    if (agent?.sessionId !== undefined && agent.act === undefined) return
    if (performance.now() > deadline) throw new Error(`${id} does not start: ${await whyNot(api, id)}`)
    await sleep(POLL_MS)
  }
}

async function whyNot(api: DrillApi, id: string): Promise<string> {
  const { items } = await api.get<InboxView>('/api/inbox')
  const asked = items.find(({ agent }) => agent === id)
  if (asked !== undefined) return asked.sentence
  const { lifecycle, act, reason = 'nothing is known of it' } = (await agentOf(api, id)) ?? {}
  return act === undefined ? `it is ${lifecycle ?? 'unknown'}, ${reason}` : `its ${act.kind} is still under way`
}

/** Ends and forgets them; what they wrote into the home goes too. Throws when one cannot be ended. */
export async function removeUnderstudies({ api, home, folder }: Omit<Stage, 'signal'>, ids: readonly string[]) {
  const deadline = performance.now() + END_MS
  for (const id of ids) {
    while ((await agentOf(api, id)) !== undefined) {
      await endStep(api, id)
      if (performance.now() > deadline) {
        throw new Error(`${id} could not be taken away. End it with \`pan agents kill ${id}\`, then forget it.`)
      }
      await sleep(POLL_MS)
    }
    removeTraces(understudyFolder(home), join(folder, id))
  }
}

/** Its transcripts, and what it said of itself, which one that is killed leaves behind. */
function removeTraces(understudies: string, workspace: string): void {
  rmSync(join(understudies, 'projects', projectName(workspace)), { recursive: true, force: true })
  const sessions = join(understudies, 'sessions')
  if (!existsSync(sessions)) return
  for (const name of readdirSync(sessions)) {
    const file = join(sessions, name)
    if (readFileSync(file, 'utf8').includes(JSON.stringify(workspace))) rmSync(file, { force: true })
  }
}

/** A refusal is of the moment: another act is under way, or it has ended by itself. */
async function endStep(api: DrillApi, id: string): Promise<void> {
  const agent = await agentOf(api, id)
  if (agent === undefined || agent.act?.kind === 'kill') return
  try {
    if (lives(agent)) await api.post(`/api/agents/${id}/kill`, { reason: 'the drill is over' })
    else await api.post(`/api/agents/${id}/forget`)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}

async function agentOf(api: DrillApi, id: string): Promise<AgentView | undefined> {
  try {
    return await api.get<AgentView>(`/api/agents/${id}`)
  } catch (error) {
    if (error instanceof Refused && error.code === 'not_found') return undefined
    throw error
  }
}
