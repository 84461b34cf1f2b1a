/** The deeds on an agent's conversation, for its menu: what its runtime cannot do at all is left out. */
import type { LiveAgent } from '../live/store.ts'
import type { AgentDeeds } from './agent-deeds.tsx'
import type { MenuItem } from './menu.tsx'

type Subject = Pick<LiveAgent, 'lifecycle' | 'can'>

/** Of an agent that runs. `onSwitch` asks for the model. */
export function sessionItems({ lifecycle, can }: Subject, deeds: AgentDeeds, onSwitch?: () => void): MenuItem[] {
  const atWork = lifecycle === 'active' ? undefined : 'it rests already'
  const atRest = lifecycle === 'idle' ? undefined : 'only at rest'
  const items: (MenuItem | false)[] = [
    can.includes('interrupt') && { label: 'Interrupt', whyNot: atWork, onPress: () => void deeds.interrupt() },
    can.includes('softStop') && { label: 'Let it rest', whyNot: atWork, onPress: () => void deeds.rest() },
    can.includes('resume') && { label: 'Suspend', whyNot: atRest, onPress: () => void deeds.suspend() },
    can.includes('clear') && { label: 'Clear context…', whyNot: atRest, onPress: () => void deeds.clear() },
    can.includes('resume') && onSwitch !== undefined && { label: 'Switch model…', whyNot: atRest, onPress: onSwitch },
  ]
  return items.filter((item) => item !== false)
}
