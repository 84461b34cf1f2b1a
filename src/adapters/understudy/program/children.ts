/** The real processes behind a step: a tool's child with or without CPU, and orphans that try to get away. */
import { startChild } from '../../process/start-child.ts'
import type { Orphan } from './script.ts'
import type { Stage } from './stage.ts'

/** A child that works, or only waits, for so long. It ends with the step, and by itself should we be killed. */
export async function runChild(stage: Stage, ms: number, cpu: boolean): Promise<void> {
  const seconds = secondsOf(stage.scaled(ms))
  const child = startChild(cpu ? ['timeout', seconds, 'yes'] : ['sleep', seconds])
  stage.atLeaving(() => child.kill('SIGTERM'))
  const { error } = await stage.race(child.ended)
  if (error !== undefined) await stage.wait(ms)
}

/** Leaves a process behind that no closing terminal and no dying parent takes along. It ends by itself after `ms`. */
export function leaveOrphan(stage: Stage, how: Orphan, ms: number): void {
  const sleep = ['sleep', secondsOf(stage.scaled(ms))]
  startChild([...WRAPPERS[how], ...sleep], { detached: true })
}

const WRAPPERS: Readonly<Record<Orphan, readonly string[]>> = {
  setsid: ['setsid'],
  nohup: ['nohup'],
  'double-fork': ['setsid', '--fork'],
  stubborn: ['setsid', '--fork', 'env', '--ignore-signal=TERM', '--ignore-signal=HUP', '--ignore-signal=INT'],
}

function secondsOf(ms: number): string {
  return Math.max(0.01, ms / 1000).toFixed(2)
}
