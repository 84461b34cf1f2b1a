/** One thing that waits for a person: what it is, since when, and the answers that can be given from here. */
import { Link } from '@tanstack/react-router'
import { Check, Flag, SquareTerminal } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'
import { call } from '../live/store.ts'
import { ActButton, buttonClass } from './button.tsx'
import { Answers, type AnswersProps } from './answers.tsx'
import { useDeed } from './deed.tsx'
import { Approval } from './handoff/approval.tsx'
import { useDecision } from './handoff/use-deeds.ts'
import { StartAgain, StopEvidence } from './last-stop.tsx'
import { NeedsYouDeed } from './needs-you-deed.tsx'
import { Quoted } from './quoted.tsx'
import { Ago } from './time.tsx'

interface NeedsYouItemProps {
  item: NeedsYou
  /** On the agent's own page its name and the way to it are not needed. */
  isAtHome?: boolean
  /** It waits no more, and stands only so that nothing moves under a hand. */
  isSettled?: boolean
}

export function NeedsYouItem({ item, isAtHome = false, isSettled = false }: NeedsYouItemProps) {
  const { send, settle, decide, isSending, given, isTaken } = useAnswers(item)
  const isOver = isSettled || isTaken
  return (
    <article
      data-needs-you={item.id}
      tabIndex={-1}
      aria-label={item.sentence}
      className={`flex min-w-0 gap-3 border-l-2 px-3 py-3 ${isOver ? 'border-line-strong bg-surface' : 'border-accent bg-accent-soft'}`}
    >
      <Flag size={16} className={`mt-0.5 shrink-0 ${isOver ? 'text-ink-faint' : 'text-accent'}`} aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h2 className={`min-w-0 flex-1 basis-60 font-medium wrap-anywhere ${isOver ? 'text-ink-soft' : ''}`}>
            {item.sentence}
          </h2>
          <span className="text-ink-soft">
            <Ago at={item.raisedWallAt} />
          </span>
          <p className="basis-full text-ink-soft">
            <Quoted text={item.hint} />
          </p>
        </div>
        {item.kind === 'emergency_stopped' && <StopEvidence />}
        <Answering item={item} send={send} decide={decide} isOff={isSending || isOver} />
        <Ways item={item} isAtHome={isAtHome}>
          {item.agent !== undefined && !isOver && <NeedsYouDeed item={item} agent={item.agent} isOff={isSending} />}
          {item.kind === 'emergency_stopped' && !isOver && <StartAgain isOff={isSending} />}
          {isOver ? (
            <Over words={given ?? 'Settled elsewhere'} />
          ) : (
            // A proposal is put away by refusing it.
            item.kind !== 'approval' && (
              <ActButton kind="quiet" disabled={isSending} onClick={() => void settle()}>
                <Check size={16} aria-hidden="true" />
                Put away
              </ActButton>
            )
          )}
        </Ways>
      </div>
    </article>
  )
}

interface AnsweringProps extends AnswersProps {
  decide: (handoff: string, answer: 'approve' | 'refuse', reason?: string) => Promise<boolean>
}

function Answering({ item, send, decide, isOff }: AnsweringProps) {
  const { kind, handoff, answerable } = item
  if (kind === 'approval' && handoff !== undefined) {
    const answer = (...given: ['approve' | 'refuse', string?]): void => void decide(handoff, ...given)
    return <Approval handoff={handoff} isOff={isOff} decide={answer} />
  }
  return answerable === true ? <Answers item={item} send={send} isOff={isOff} /> : null
}

/** Of the height of the button that stood there. */
function Over({ words }: { words: string }) {
  return (
    <p role="status" className="flex min-h-8 min-w-0 items-center gap-2 px-3 font-medium wrap-anywhere">
      <Check size={16} className="shrink-0" aria-hidden="true" />
      {words}
    </p>
  )
}

/** What still waits so long after it was answered did not get the answer. */
const TAKEN_MS = 10_000

function useAnswers({ id, agent }: NeedsYou) {
  const deed = useDeed()
  const decision = useDecision()
  const [isSending, setIsSending] = useState(false)
  const [given, setGiven] = useState<string>()
  const [isTaken, setIsTaken] = useState(false)
  useEffect(() => {
    if (!isTaken) return
    const timer = setTimeout(() => setIsTaken(false), TAKEN_MS)
    return () => clearTimeout(timer)
  }, [isTaken])
  const doing = async (words: string, work: Promise<boolean>): Promise<boolean> => {
    setIsSending(true)
    const isDone = await work
    setIsSending(false)
    if (isDone) {
      setGiven(words)
      setIsTaken(true)
    }
    return isDone
  }
  return {
    isSending,
    given,
    isTaken,
    send: (answer: string) =>
      doing(
        `Answered: ${answer}`,
        deed({
          run: () => call('POST /api/inbox/:id/answer', { id, body: { answer } }),
          done: `${agent ?? 'The agent'} gets your answer`,
          ...(agent === undefined ? {} : { act: { agent, kind: 'answer' } }),
        }),
      ),
    decide: (handoff: string, answer: 'approve' | 'refuse', reason?: string) =>
      doing(answer === 'approve' ? 'Approved' : 'Refused', decision(handoff, answer, reason)),
    settle: () => doing('Put away', deed({ run: () => call('POST /api/inbox/:id/settle', { id }), done: 'Put away' })),
  }
}

function Ways({ item: { agent }, isAtHome, children }: NeedsYouItemProps & { children: ReactNode }) {
  return (
    <div className="-ml-3 flex flex-wrap items-center gap-x-2">
      {children}
      {agent !== undefined && !isAtHome && (
        <Link to="/agents/$id" params={{ id: agent }} className={buttonClass('quiet')}>
          <SquareTerminal size={16} aria-hidden="true" />
          Open {agent}
        </Link>
      )}
    </div>
  )
}
