/** The one deed that mostly settles an item of its kind, beside the answers that it may ask for. */
import { Play, RotateCw, Send, Skull } from 'lucide-react'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'
import { call, useAgent } from '../live/store.ts'
import { barredWords, useAgentDeeds } from './agent-deeds.tsx'
import { ActButton } from './button.tsx'
import { useDeed } from './deed.tsx'

const DEEDS: Partial<Record<NeedsYou['kind'], 'start' | 'kill' | 'poke'>> = {
  dead: 'start',
  crash_loop: 'start',
  spawn_failed: 'start',
  no_terminal: 'kill',
  kill_incomplete: 'kill',
  attention: 'poke',
  quiet: 'poke',
  unhelped: 'poke',
}

const LOOKS = {
  start: { word: 'Start it again', Icon: Play },
  kill: { word: 'Kill it, work saved', Icon: Skull },
  poke: { word: 'Poke it', Icon: Send },
}

interface NeedsYouDeedProps {
  item: NeedsYou
  agent: string
  isOff: boolean
}

export function NeedsYouDeed({ item: { kind, message }, agent, isOff }: NeedsYouDeedProps) {
  const deeds = useAgentDeeds(agent)
  const live = useAgent(agent)
  const name = DEEDS[kind]
  if (message !== undefined) return <TryAgain agent={agent} message={message} isOff={isOff} />
  if (name === undefined) return null
  const { word, Icon } = LOOKS[name]
  const whyNot = live === undefined || name === 'start' ? undefined : barredWords(live, name)
  return (
    <ActButton kind="quiet" whyNot={whyNot} disabled={isOff} onClick={() => void deeds[name]()}>
      <Icon size={16} aria-hidden="true" />
      {word}
    </ActButton>
  )
}

function TryAgain({ agent, message, isOff }: { agent: string; message: string; isOff: boolean }) {
  const deed = useDeed()
  const retry = () =>
    deed({
      run: () => call('POST /api/agents/:id/retry-message', { id: agent, body: { message } }),
      done: `${message} is tried again`,
    })
  return (
    <ActButton kind="quiet" disabled={isOff} onClick={() => void retry()}>
      <RotateCw size={16} aria-hidden="true" />
      Try it again
    </ActButton>
  )
}
