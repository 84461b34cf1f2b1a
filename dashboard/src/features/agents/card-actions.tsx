/** What can be done to an agent from its card; appears on hover and focus, and is always there on touch screens. */
import { ArrowLeftRight, CirclePlay, CircleX, Hand, RotateCcw } from 'lucide-react'
import type { LiveAgent } from '../../live/store.ts'
import { barredWords, isResumable, isRunning, useAgentDeeds, type AgentDeeds } from '../../parts/agent-deeds.tsx'
import { ActMenu, type MenuItem } from '../../parts/menu.tsx'
import { sessionItems } from '../../parts/session-menu.ts'
import { standingItems } from '../../parts/standing-menu.tsx'

export function CardActions({ agent, onHandoff }: { agent: LiveAgent; onHandoff: () => void }) {
  const deeds = useAgentDeeds(agent.id)
  const items = isRunning(agent) ? running(agent, deeds, onHandoff) : resting(agent, deeds)
  return (
    <span className="absolute top-0.5 right-0.5 bg-surface opacity-100 transition-opacity duration-150 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 has-data-popup-open:opacity-100">
      <ActMenu label={`Acts on ${agent.id}`} items={items} />
    </span>
  )
}

function running(agent: LiveAgent, deeds: AgentDeeds, onHandoff: () => void): MenuItem[] {
  return [
    {
      label: 'Poke',
      icon: <Hand size={16} aria-hidden="true" />,
      isDisabled: barredWords(agent, 'poke') !== undefined,
      onPress: () => void deeds.poke(),
    },
    ...standingItems(agent, deeds),
    ...sessionItems(agent, deeds).map((item) => ({ icon: <span className="w-4" />, ...item })),
    {
      label: 'Hand off…',
      icon: <ArrowLeftRight size={16} aria-hidden="true" />,
      isDisabled: agent.adopted !== undefined,
      onPress: onHandoff,
    },
    {
      label: 'Kill…',
      icon: <CircleX size={16} aria-hidden="true" />,
      isDanger: true,
      isDisabled: barredWords(agent, 'kill') !== undefined,
      onPress: () => void deeds.kill(),
    },
  ]
}

function resting(agent: LiveAgent, deeds: AgentDeeds): MenuItem[] {
  const start = {
    label: isResumable(agent) ? 'Start with a new session' : 'Start again',
    icon: <RotateCcw size={16} aria-hidden="true" />,
    isDisabled: agent.adopted !== undefined,
    onPress: () => void deeds.start(),
  }
  if (!isResumable(agent)) return [start]
  const icon = <CirclePlay size={16} aria-hidden="true" />
  return [{ label: 'Resume', icon, onPress: () => void deeds.resume() }, start]
}
