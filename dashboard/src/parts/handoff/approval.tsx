/** A hand-off that waits for a yes: from whom to whom, why, at what price; yes, or no with a reason. */
import { ArrowRight } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import type { HandoffEvent } from '../../../../src/contract/handoff-views.ts'
import { ActButton } from '../button.tsx'
import { INPUT } from '../field.tsx'
import { useHandoff } from './use-handoff.ts'
import { estimateWords, partiesOf, savingsOf, TRIGGER_WORDS, wordOf } from './words.ts'

interface ApprovalProps {
  handoff: string
  isOff: boolean
  decide: (answer: 'approve' | 'refuse', reason?: string) => void
}

export function Approval({ handoff, isOff, decide }: ApprovalProps) {
  const { data } = useHandoff(handoff)
  const id = useId()
  const [reason, setReason] = useState('')
  // The key that ends a line refuses only where a reason was written.
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason.trim() !== '') decide('refuse', reason.trim())
  }
  return (
    <div className="flex flex-col gap-3">
      {data !== undefined && <Terms handoff={data} />}
      <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
        <ActButton kind="accent" data-answer="1" disabled={isOff} onClick={() => decide('approve')}>
          Approve
        </ActButton>
        <ActButton data-answer="2" disabled={isOff} onClick={() => decide('refuse', reason.trim())}>
          Refuse
        </ActButton>
        <span className="flex min-w-0 flex-1 basis-56 flex-col gap-1 sm:max-w-sm">
          <label htmlFor={id} className="text-small text-ink-soft">
            Why not, if you like
          </label>
          <input
            id={id}
            type="text"
            value={reason}
            disabled={isOff}
            autoComplete="off"
            maxLength={200}
            className={INPUT}
            onChange={(event) => setReason(event.target.value)}
          />
        </span>
      </form>
    </div>
  )
}

function Terms({ handoff }: { handoff: HandoffEvent }) {
  const { from, to } = partiesOf(handoff.from, handoff.to)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="flex items-center gap-1 font-medium">
        {from}
        <ArrowRight size={14} aria-label="to" />
        {to}
      </span>
      <span className="text-ink-soft">{wordOf(TRIGGER_WORDS, handoff.trigger)}</span>
      <span title={estimateWords(handoff, to)}>{savingsOf(handoff) ?? 'its price is not known'}</span>
    </p>
  )
}
