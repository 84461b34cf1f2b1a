/** A night for people who want to see Cloister at work: three simulated agents with different fates. */
import type { Command } from '../../contract/commands.ts'
import { MINUTE } from '../../core/durations.ts'
import type { VirtualAgent } from './virtual-agent.ts'
import type { VirtualFleet } from './virtual-fleet.ts'

export interface Stage {
  fleet: VirtualFleet
  submit: (command: Command) => Promise<unknown>
  /** Lets this much virtual time pass; answers false when the audience has left. */
  pass: (ms: number) => Promise<boolean>
}

const CAST = [
  { id: 'agent-demo-1', model: 'sonnet', title: 'works all night' },
  { id: 'agent-demo-2', model: 'haiku', title: 'falls silent and is woken by a poke' },
  { id: 'agent-demo-3', model: 'opus', title: 'asks for permission, then hangs' },
] as const

export async function tellDemoStory({ fleet, submit, pass }: Stage): Promise<void> {
  for (const { id, model, title } of CAST) {
    await submit({
      type: 'agent.spawn',
      agent: id,
      kind: 'issue',
      title,
      workspace: `/demo/${id}`,
      runtime: 'simulated',
      model,
      simulated: true,
    })
  }
  const second = () => fleet.agent(CAST[1].id)
  const third = () => fleet.agent(CAST[2].id)
  const scenes: [minutes: number, happen: () => void][] = [
    [2, () => third()?.becomes({ kind: 'permission', what: 'rm -rf build' }, { busy: false })],
    [3, () => second()?.silent({ rests: false })],
    [4, () => third()?.works()],
    [3, () => hang(third())],
    [70, () => {}],
  ]
  for (const [minutes, happen] of scenes) {
    if (!(await pass(minutes * MINUTE))) return
    happen()
  }
}

function hang(agent: VirtualAgent | undefined): void {
  if (agent === undefined) return
  agent.temper = 'ignores'
  agent.silent({ rests: true })
}
