/** What became of a hand-off: a shape, a colour and a word. */
import { Check, CircleDashed, CornerUpLeft, Flag, Hourglass, Minus, type LucideIcon } from 'lucide-react'
import type { HandoffState } from '../../../../src/contract/handoffs.ts'

const LOOKS: Partial<Record<HandoffState, readonly [icon: LucideIcon, colour: string]>> = {
  awaiting_approval: [Hourglass, 'text-accent'],
  done: [Check, 'text-active'],
  rolled_back: [CornerUpLeft, 'text-warning'],
  needs_you: [Flag, 'text-stuck'],
  refused: [Minus, 'text-ink-soft'],
  lapsed: [Minus, 'text-ink-soft'],
  cancelled: [Minus, 'text-ink-soft'],
}

export function ResultMark({ state, word }: { state: HandoffState; word: string }) {
  const [Icon, colour] = LOOKS[state] ?? [CircleDashed, 'text-accent']
  return (
    <span className={`flex items-start gap-1.5 ${colour}`}>
      <Icon size={14} className="mt-0.5 shrink-0" aria-hidden="true" />
      {word}
    </span>
  )
}
