/** What is wanted of an agent, for its menu: that rules leave it alone for a while, that nobody touches it, that it works. */
import { CirclePause, CirclePlay, ListPlus, Snowflake } from 'lucide-react'
import type { LiveAgent } from '../live/store.ts'
import type { AgentDeeds } from './agent-deeds.tsx'
import type { MenuItem } from './menu.tsx'

/** `onAssign` asks for the work. */
export function standingItems({ desired }: LiveAgent, deeds: AgentDeeds, onAssign?: () => void): MenuItem[] {
  const isKept = desired?.state === 'hold' || desired?.state === 'frozen'
  const hold = { label: 'Hold', icon: <CirclePause size={16} aria-hidden="true" />, onPress: () => void deeds.hold() }
  const items: (MenuItem | false)[] = [
    isKept && {
      label: 'Release',
      icon: <CirclePlay size={16} aria-hidden="true" />,
      onPress: () => void deeds.release(),
    },
    !isKept && (desired?.state === 'stop' ? { ...hold, whyNot: 'it is stopped' } : hold),
    desired?.state !== 'frozen' && {
      label: 'Freeze…',
      icon: <Snowflake size={16} aria-hidden="true" />,
      onPress: () => void deeds.freeze(),
    },
    onAssign !== undefined && {
      label: 'Give it work…',
      icon: <ListPlus size={16} aria-hidden="true" />,
      onPress: onAssign,
    },
  ]
  return items.filter((item) => item !== false)
}
