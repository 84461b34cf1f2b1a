/** Three simulated agents with different fates, for people who want to see Cloister at work. */
import type { Settings } from '../contract/settings.ts'
import { SECOND } from '../core/durations.ts'
import type { OpenHouse } from './open-house.ts'

const CAST = [
  { id: 'demo-steady', script: 'steady', title: 'works, tests and commits' },
  { id: 'demo-asks', script: 'asks', title: 'asks for a permission and an answer' },
  { id: 'demo-hangs', script: 'hangs', title: 'falls silent and is woken by a poke' },
] as const

/** Minutes become seconds: a night in a quarter of an hour. */
export function demoSettings(settings: Settings): Settings {
  return {
    ...settings,
    thresholds: { staleMs: 15 * SECOND, warningMs: 40 * SECOND, stuckMs: 90 * SECOND },
    lookEveryMs: 5 * SECOND,
  }
}

export interface Stage {
  house: OpenHouse
  home: string
  say: (sentence: string) => void
  /** Makes a repository for an agent to work in. */
  workspace: (id: string) => Promise<string>
}

export const DEMO_KEEPS_SETTINGS = {
  code: 'conflict',
  sentence: 'The demo leaves your settings alone',
  hint: 'Change them with `pan config set`, or in the dashboard of your own daemon.',
} as const

/** How people call the CLI for the home of a demo. */
export function demoPan(home: string): string {
  return `PANOPTICON_HOME=${home} ./pan`
}

export async function playDemo({ house, home, say, workspace }: Stage): Promise<void> {
  say(`Demo: understudies (simulated agents) in real panes, in a home of their own: ${home}`)
  say('Minutes are seconds here: stale 15 s, warning 40 s, stuck 90 s. Ctrl-C ends and removes everything.')
  say(`Look around in another terminal with: ${demoPan(home)} status`)
  for (const { id, script, title } of CAST) {
    await house.loop.submit({
      id: `demo-${id}`,
      by: 'demo',
      command: {
        type: 'agent.spawn',
        agent: id,
        kind: 'project',
        title,
        workspace: await workspace(id),
        runtime: 'understudy',
        model: script,
        prompt: 'Begin.',
        simulated: true,
      },
    })
  }
}
