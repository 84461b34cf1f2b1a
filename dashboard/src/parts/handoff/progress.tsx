/** An open hand-off: its steps, where it is, since when, and how long that may take yet. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import { useState } from 'react'
import type { OpenHandoffView } from '../../../../src/contract/handoff-panel-views.ts'
import { useNow, type LiveAgent } from '../../live/store.ts'
import { duration } from '../words.ts'
import { Approval } from './approval.tsx'
import { stepsOf, type PlannedStep } from './steps.ts'
import { useDecision } from './use-deeds.ts'
import { partiesOf, STATE_WORDS, wordOf } from './words.ts'

export function Progress({ agent, handoff }: { agent: LiveAgent; handoff: OpenHandoffView }) {
  const now = useNow()
  const passedMs = Math.max(0, now - agent.asOf)
  const { id, state, forMs, leftMs } = handoff
  const giver = handoff.giver
  // What a specialist gives back goes to the agent itself.
  const { from, to } = partiesOf(
    { ...agent, specialist: giver },
    { ...handoff.to, ...(giver && { specialist: agent.id }) },
  )
  const isWaiting = state === 'awaiting_approval'
  const left = Math.max(0, leftMs - passedMs)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-2">
        {isWaiting ? (
          <span className="font-medium">A hand-off is proposed</span>
        ) : (
          <span className="flex items-center gap-1 font-medium">
            {from}
            <ArrowRight size={14} aria-label="to" />
            {to}
          </span>
        )}
        <Link to="/handoffs" search={{ open: id }} className="font-mono text-accent hover:underline">
          {id}
        </Link>
      </p>
      <ol aria-label="Steps" className="flex flex-wrap gap-x-1 gap-y-1">
        {stepsOf(handoff).map((step) => (
          <Step key={step.state} step={step} />
        ))}
      </ol>
      <p role="status">
        {wordOf(STATE_WORDS, state)}
        <span className="text-ink-soft">
          {` for ${duration(forMs + passedMs)}, ${left === 0 ? 'its time is over' : `at most ${duration(left)} more`}`}
        </span>
      </p>
      {isWaiting && <Waiting id={id} />}
    </div>
  )
}

const LOOKS: Record<PlannedStep['is'], string> = {
  past: 'border-line text-ink-soft',
  now: 'border-accent bg-accent-soft font-medium text-ink',
  ahead: 'border-dashed border-line text-ink-soft',
}

function Step({ step: { word, is } }: { step: PlannedStep }) {
  return (
    <li
      aria-current={is === 'now' ? 'step' : undefined}
      className={`flex h-6 items-center gap-1 rounded-small border px-1.5 text-small ${LOOKS[is]}`}
    >
      {is === 'past' && <Check size={12} aria-label="done:" />}
      {word}
    </li>
  )
}

function Waiting({ id }: { id: string }) {
  const decide = useDecision()
  const [isSending, setIsSending] = useState(false)
  const send = async (answer: 'approve' | 'refuse', reason?: string): Promise<void> => {
    setIsSending(true)
    await decide(id, answer, reason)
    setIsSending(false)
  }
  return <Approval handoff={id} isOff={isSending} decide={(answer, reason) => void send(answer, reason)} />
}
