/** A drill in the home that people use, with its own settings: in an understudy of its own, or in one that is named. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { DrillReport } from '../../contract/drill.ts'
import { FAULTS, type Fault } from '../../contract/faults.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentView } from '../../contract/views.ts'
import type { StatusView } from '../../contract/status-view.ts'
import { MINUTE, SECOND } from '../../core/durations.ts'
import { seconds } from '../../core/drill/follow.ts'
import type { DrillSettings } from '../../core/drill/plan.ts'
import { planFor } from '../../core/drill/plans.ts'
import { drillApi, Refused, type DrillApi } from './drill-api.ts'
import { runDrill } from './drill-run.ts'
import { freeId, removeUnderstudies, startUnderstudies } from './drill-stage.ts'

export interface LiveDrill {
  fault: Fault
  home: string
  /** An agent that is there; left out, one is started for the drill and taken away after it. */
  agent: string | undefined
  timeoutMs: number | undefined
  signal: AbortSignal
  tell: (line: string) => void
}

/** The drill cannot be held as things are; nothing was touched. */
export class NoDrill extends Error {
  override readonly name = 'NoDrill'
}

export async function drillInLiveHome(drill: LiveDrill): Promise<DrillReport> {
  const api = drillApi(drill.home)
  await refuseInTrouble(api)
  const settings = await settingsOf(api)
  drill.tell(`Drill ${drill.fault}: ${FAULTS[drill.fault]}.`)
  if (drill.agent !== undefined) return inKnownAgent(drill, { api, settings, agent: drill.agent })
  const folder = mkdtempSync(join(tmpdir(), 'cloister-drilling-'))
  const agents = [await freeId(api, drill.fault)]
  try {
    drill.tell(`  Starting ${agents.join(', ')}, a simulated agent, in ${drill.home}.`)
    await startUnderstudies({ ...drill, api, folder }, drill.fault, agents)
    return await inject(drill, { api, settings, agents })
  } finally {
    await removeUnderstudies({ api, home: drill.home, folder }, agents)
    rmSync(folder, { recursive: true, force: true })
    drill.tell(`  Cleaned up: ${agents.join(', ')} is ended and forgotten; its workspace and transcripts are gone.`)
  }
}

async function inKnownAgent(
  drill: LiveDrill,
  { api, settings, agent }: { api: DrillApi; settings: DrillSettings; agent: string },
): Promise<DrillReport> {
  const found = await api.get<AgentView>(`/api/agents/${agent}`)
  const { simulated, runtime, lifecycle } = found
  if (!simulated || runtime !== 'understudy') {
    throw new NoDrill(
      `${agent} is a real agent (${runtime}): a drill would harm its work, so nothing was done. ` +
        'Leave --agent out, and a simulated agent is started for the drill.',
    )
  }
  if (!lives(found)) {
    throw new NoDrill(`${agent} is ${lifecycle}. Start it with \`pan agents spawn ${agent}\`, or leave --agent out.`)
  }
  try {
    return await inject(drill, { api, settings, agents: [agent] })
  } finally {
    await endTurn(api, agent)
    drill.tell(`  ${agent} is left in the list; a turn of it that was still open was cut short.`)
  }
}

async function inject(
  drill: LiveDrill,
  { api, settings, agents }: { api: DrillApi; settings: DrillSettings; agents: readonly string[] },
): Promise<DrillReport> {
  const { fault, home, timeoutMs, signal, tell } = drill
  const plan = planFor(fault, { agents, settings, isTemporary: false })
  const end = timeoutMs === undefined ? seconds(plan.patienceMs) : `${seconds(timeoutMs)} (--timeout)`
  tell(`  ${expectation(fault, settings)} The drill takes ${end} at most; Ctrl-C ends it and cleans up.`)
  return runDrill({ plan, home, api, timeoutMs, signal, tell })
}

function expectation(fault: Fault, { warningMs, lookEveryMs }: DrillSettings): string {
  const looks = `This home looks every ${seconds(lookEveryMs)}.`
  return fault === 'hang' ? `This home calls an agent hung after ${seconds(warningMs)} of silence.` : looks
}

/** Automatic acts would be held, so that the drill could only fail, or hide what is really wrong. */
async function refuseInTrouble(api: DrillApi): Promise<void> {
  const { emergency, running, needsYou } = await api.get<StatusView>('/api/cloister/status')
  if (emergency !== 'armed')
    throw new NoDrill('An emergency stop is in force. Re-arm with `pan cloister resume` first.')
  if (!running) throw new NoDrill('Monitoring is paused, so nothing would be noticed. Start it: `pan cloister start`.')
  if (needsYou.some(({ kind }) => kind === 'mass')) {
    throw new NoDrill('Several agents are in trouble at once and automatic acts are held. See `pan inbox` first.')
  }
}

const inForce = z.object({
  config: z.object({
    thresholds: z.object({ warning: z.number() }),
    monitoring: z.object({ check_interval: z.number() }),
    auto_actions: z.object({ poke_on_warning: z.boolean(), restart_on_crash: z.boolean() }),
  }),
})

async function settingsOf(api: DrillApi): Promise<DrillSettings> {
  const { config } = inForce.parse(await api.get('/api/cloister/config'))
  return {
    warningMs: config.thresholds.warning * MINUTE,
    lookEveryMs: config.monitoring.check_interval * SECOND,
    pokeOnWarning: config.auto_actions.poke_on_warning,
    restartOnCrash: config.auto_actions.restart_on_crash,
  }
}

/** What hangs or loops would do so for ever. */
async function endTurn(api: DrillApi, agent: string): Promise<void> {
  const { lifecycle } = await api.get<AgentView>(`/api/agents/${agent}`)
  if (lifecycle !== 'active') return
  await api.post(`/api/agents/${agent}/interrupt`).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}
