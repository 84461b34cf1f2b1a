/** The emergency stop under its guard: press, then hold or type; names who will be stopped. */
import { OctagonX } from 'lucide-react'
import { call, useAgents } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { ActButton } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { count } from '../../parts/words.ts'

const BY_HAND = 'The daemon is not heard: run `pan cloister emergency-stop` in a terminal, which works without it.'

export function EmergencyButton({ isOff }: { isOff: boolean }) {
  const deed = useDeed()
  const agents = useAgents()
  const press = (): Promise<boolean> => {
    // Those that were adopted are left alone.
    const names = agents.filter((agent) => isRunning(agent) && agent.adopted === undefined).map(({ id }) => id)
    return deed({
      ask: {
        title: 'Emergency stop',
        text: `Ends ${names.length === 0 ? 'every agent' : count(names.length, 'agent')} and all that they started, at once. Uncommitted work stays in the workspaces but is not saved first. Nothing is started or typed again until you resume.`,
        names,
        verb: 'Stop everything',
        guardWord: 'stop',
      },
      run: () => call('POST /api/cloister/emergency-stop', { body: { reason: 'pressed in the dashboard' } }),
      done: 'Emergency stop asked for',
    })
  }
  return (
    <ActButton kind="danger" disabled={isOff} whyNot={BY_HAND} onClick={() => void press()}>
      <OctagonX size={16} aria-hidden="true" />
      <span className="max-md:sr-only">Emergency stop</span>
      <span aria-hidden="true" className="md:hidden">
        Stop
      </span>
    </ActButton>
  )
}
