/** On a card: that its work is handed over, should be, or must not be by rules; the whole of it opens on a press. */
import { ArrowLeftRight } from 'lucide-react'
import { useAgent, type LiveAgent } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { HandoffPanel } from '../../parts/handoff/panel.tsx'
import { useSuggestion } from '../../parts/handoff/use-handoff.ts'
import { savingsOf, STATE_WORDS, wordOf } from '../../parts/handoff/words.ts'

export function CardHandoff({ agent, onPress }: { agent: LiveAgent; onPress: () => void }) {
  const isFree = agent.handoff === undefined && agent.adopted === undefined && isRunning(agent)
  const { data } = useSuggestion(agent.id, isFree)
  const suggested = isFree && data?.suggested ? data : undefined
  const said = saidOf(agent, suggested)
  if (said === undefined) return null
  return (
    <button
      type="button"
      title={said.title}
      onClick={onPress}
      className={`flex h-4 max-w-1/2 shrink-0 cursor-pointer items-center gap-1 text-small hover:underline ${said.isCalling ? 'font-medium text-accent' : 'text-ink-soft'}`}
    >
      <ArrowLeftRight size={12} className="shrink-0" aria-hidden="true" />
      <span className="truncate">{said.words}</span>
    </button>
  )
}

interface Said {
  words: string
  title: string
  isCalling: boolean
}

function saidOf({ handoff, lent, autoHandoff }: LiveAgent, suggested: Suggested | undefined): Said | undefined {
  if (handoff !== undefined) {
    const title = `${handoff.id}: ${wordOf(STATE_WORDS, handoff.state)}`
    const whom = handoff.giver === undefined ? (handoff.to.specialist ?? handoff.to.model) : 'itself'
    return { words: `to ${whom}: ${wordOf(STATE_WORDS, handoff.state)}`, title, isCalling: true }
  }
  if (lent !== undefined) return { words: `with ${lent.to}`, title: `${lent.to} has its work`, isCalling: false }
  if (suggested !== undefined) {
    const savings = savingsOf(suggested)
    const title = savings === undefined ? suggested.reason : `${suggested.reason}; it ${savings}`
    return { words: `hand to ${suggested.suggestedSpecialist ?? suggested.suggestedModel}?`, title, isCalling: true }
  }
  if (autoHandoff !== 'off') return undefined
  return { words: 'auto off', title: 'Rules leave its work where it is', isCalling: false }
}

type Suggested = NonNullable<ReturnType<typeof useSuggestion>['data']>

interface HandoffDialogProps {
  id: string
  isOpen: boolean
  onClose: () => void
}

export function HandoffDialog({ id, isOpen, onClose }: HandoffDialogProps) {
  const agent = useAgent(id)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Hand off ${id}`}>
      {agent !== undefined && <HandoffPanel agent={agent} />}
    </Dialog>
  )
}
