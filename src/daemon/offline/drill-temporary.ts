/** A drill in a temporary home with small thresholds. Nothing is left of the home, however the drill ends. */
import { join } from 'node:path'
import type { DrillReport } from '../../contract/drill.ts'
import type { Fault } from '../../contract/faults.ts'
import { MINUTE, SECOND } from '../../core/durations.ts'
import { beginDrill, reportOf } from '../../core/drill/follow.ts'
import type { DrillSettings } from '../../core/drill/plan.ts'
import { agentsFor, planFor } from '../../core/drill/plans.ts'
import { openDrillHome, type DrillPrograms } from './drill-home.ts'
import { runDrill } from './drill-run.ts'
import { drillIds, startUnderstudies } from './drill-stage.ts'

const LOOK_EVERY_MS = SECOND
/** So small that a hang is one after seconds; others keep the defaults, so that only their fault can be seen. */
const SMALL: readonly Fault[] = ['hang', 'silent-prompt']
const SMALL_WARNING_MS = 6 * SECOND
const DEFAULT_WARNING_MS = 15 * MINUTE

export interface TemporaryDrill {
  fault: Fault
  programs: DrillPrograms
  timeoutMs: number | undefined
  signal: AbortSignal
  tell: (line: string) => void
}

export async function drillInTemporaryHome(drill: TemporaryDrill): Promise<DrillReport> {
  const { fault, programs, signal } = drill
  const settings = settingsFor(fault)
  const agents = drillIds(fault, agentsFor(fault))
  const plan = planFor(fault, { agents, settings, isTemporary: true })
  try {
    const place = await openDrillHome({ config: configFor(settings), programs, signal })
    try {
      await startUnderstudies({ ...place, folder: join(place.home, 'workspaces'), signal }, fault, agents)
      return await runDrill({ ...drill, ...place, plan })
    } finally {
      await place.close()
    }
  } catch (error) {
    const why = signal.aborted ? 'interrupted' : `the drill broke off: ${(error as Error).message}`
    return reportOf(beginDrill(plan), 'temporary', why)
  }
}

function settingsFor(fault: Fault): DrillSettings {
  const warningMs = SMALL.includes(fault) ? SMALL_WARNING_MS : DEFAULT_WARNING_MS
  return { warningMs, lookEveryMs: LOOK_EVERY_MS, pokeOnWarning: true, restartOnCrash: true }
}

function configFor({ warningMs, lookEveryMs }: DrillSettings): string {
  const minutes = warningMs / MINUTE
  return [
    'monitoring:',
    `  check_interval: ${lookEveryMs / SECOND}`,
    'thresholds:',
    `  stale: ${minutes / 2}`,
    `  warning: ${minutes}`,
    `  stuck: ${minutes * 2}`,
    '',
  ].join('\n')
}
