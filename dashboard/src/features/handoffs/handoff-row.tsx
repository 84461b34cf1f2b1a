/** One hand-off in a line: when, whose work, from whom to whom, why, what became of it; opens to all that is known. */
import { ArrowRight, ChevronDown, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import type { HandoffEvent } from '../../../../src/contract/handoff-views.ts'
import {
  estimateWords,
  helpedWords,
  moneyOf,
  partiesOf,
  STATE_WORDS,
  TRIGGER_WORDS,
  wordOf,
} from '../../parts/handoff/words.ts'
import { Ago } from '../../parts/time.tsx'
import { duration } from '../../parts/words.ts'
import { HandoffDetails } from './handoff-details.tsx'
import { ResultMark } from './result-mark.tsx'

interface HandoffRowProps {
  handoff: HandoffEvent
  isOpen: boolean
  onToggle: () => void
}

export function HandoffRow({ handoff, isOpen, onToggle }: HandoffRowProps) {
  const id = useId()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <li className={`border-b border-line ${isOpen ? 'bg-surface' : ''}`}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className="flex w-full min-w-0 cursor-pointer items-start gap-2 px-1 py-2 text-left hover:bg-surface"
      >
        <Chevron size={16} className="mt-0.5 shrink-0 text-ink-faint" aria-hidden="true" />
        <Line handoff={handoff} />
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <HandoffDetails handoff={handoff} />}
      </div>
    </li>
  )
}

function Line({ handoff }: { handoff: HandoffEvent }) {
  const { id, agentId, state, trigger, reason, timestamp, durationMs, outcome } = handoff
  const { from, to } = partiesOf(handoff.from, handoff.to)
  return (
    <span className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 lg:grid-cols-[10rem_11rem_minmax(0,1fr)_11rem_9rem]">
      <span className="flex items-baseline gap-2">
        <span className="font-mono">{id}</span>
        <span className="text-small text-ink-soft">
          <Ago at={Date.parse(timestamp)} />
        </span>
      </span>
      <span className="min-w-0">
        <span className="block truncate font-mono">{agentId}</span>
        <span className="flex items-center gap-1 text-ink-soft">
          {from}
          <ArrowRight size={12} aria-label="to" />
          {to}
        </span>
      </span>
      <span className="min-w-0 wrap-anywhere">
        {trigger !== 'manual' && wordOf(TRIGGER_WORDS, trigger)}
        <span className={`line-clamp-2 ${trigger === 'manual' ? '' : 'text-ink-soft'}`}>{reason}</span>
      </span>
      <span>
        <ResultMark state={state} word={wordOf(STATE_WORDS, state)} />
        <span className="block text-small text-ink-soft">
          {durationMs !== undefined && `took ${duration(durationMs)}`}
        </span>
      </span>
      <span className="text-small lg:text-right">
        {outcome !== undefined && <span className="block">{helpedWords(handoff)}</span>}
        <span className="block text-ink-soft" title={estimateWords(handoff, to)}>
          {moneyOf(handoff)}
        </span>
      </span>
    </span>
  )
}
