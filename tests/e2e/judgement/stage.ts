/** Settings in seconds instead of minutes, and what agents play, for a home that is not up yet. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveHome } from '../daemon/live-home.ts'

export interface Minutes {
  stale: number
  warning: number
  stuck: number
}

export function configure(live: LiveHome, thresholds: Minutes | undefined, more = ''): void {
  mkdirSync(join(live.home, 'understudies'), { recursive: true, mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), configText(thresholds, more))
}

export function configText(thresholds: Minutes | undefined, more = ''): string {
  const minutes = Object.entries(thresholds ?? {}).map(([key, value]) => `  ${key}: ${value}\n`)
  return `monitoring:\n  check_interval: 1\n${minutes.length === 0 ? '' : `thresholds:\n${minutes.join('')}`}${more}`
}

export function script(live: LiveHome, id: string, steps: readonly string[], more = ''): void {
  const lines = steps.map((step) => `  - ${step}\n`).join('')
  const text = `name: ${id}\nabout: plays what the test needs\n${more}steps:\n${lines}`
  writeFileSync(join(live.home, 'understudies', `${id}.yaml`), text)
}
