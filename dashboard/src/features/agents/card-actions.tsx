/** What can be done to an agent from its card; appears on hover and focus, and is always there on touch screens. */
import { CirclePlay, CircleX, Hand } from 'lucide-react'
import type { LiveAgent } from '../../live/store.ts'
import { isRunning, useAgentDeeds } from '../../parts/agent-deeds.tsx'
import { ActMenu, type MenuItem } from '../../parts/menu.tsx'

export function CardActions({ agent }: { agent: LiveAgent }) {
  const { poke, kill, start } = useAgentDeeds(agent.id)
  const items: MenuItem[] = isRunning(agent)
    ? [
        { label: 'Poke', icon: <Hand size={16} aria-hidden="true" />, onPress: () => void poke() },
        { label: 'Kill…', icon: <CircleX size={16} aria-hidden="true" />, isDanger: true, onPress: () => void kill() },
      ]
    : [{ label: 'Start again', icon: <CirclePlay size={16} aria-hidden="true" />, onPress: () => void start() }]
  return (
    <span className="absolute top-0.5 right-0.5 bg-surface opacity-100 transition-opacity duration-150 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 has-data-popup-open:opacity-100">
      <ActMenu label={`Acts on ${agent.id}`} items={items} />
    </span>
  )
}
