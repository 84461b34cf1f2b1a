/** One thing that waits for a person: what it is, since when, and the answers that can be given from here. */
import { Link } from '@tanstack/react-router'
import { Check, Flag, SquareTerminal } from 'lucide-react'
import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react'
import type { NeedsYou } from '../../../src/contract/records.ts'
import { call } from '../live/store.ts'
import { ActButton, buttonClass } from './button.tsx'
import { useDeed } from './deed.tsx'
import { INPUT } from './field.tsx'
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
  const { send, settle, isSending, given, isTaken } = useAnswers(item)
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
        {item.answerable === true && <Answers item={item} send={send} isOff={isSending || isOver} />}
        <Ways item={item} isAtHome={isAtHome}>
          {isOver ? (
            <Over words={given ?? 'Settled elsewhere'} />
          ) : (
            <ActButton kind="quiet" disabled={isSending} onClick={() => void settle()}>
              <Check size={16} aria-hidden="true" />
              Put away
            </ActButton>
          )}
        </Ways>
      </div>
    </article>
  )
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
    settle: () => doing('Put away', deed({ run: () => call('POST /api/inbox/:id/settle', { id }), done: 'Put away' })),
  }
}

interface AnswersProps {
  item: NeedsYou
  send: (answer: string) => Promise<boolean>
  isOff: boolean
}

function Answers({ item: { options = [] }, send, isOff }: AnswersProps) {
  const isPermission = options.length === 2 && options[0] === 'allow' && options[1] === 'deny'
  return (
    <div className="flex flex-col gap-3">
      {options.length > 0 && (
        <div role="group" aria-label="Answers" className="flex flex-wrap gap-2">
          {options.map((option, index) => (
            <ActButton
              key={option}
              data-answer={index + 1}
              kind={index === 0 ? 'accent' : 'plain'}
              disabled={isOff}
              className="h-auto! min-h-8 max-w-full py-1 text-left whitespace-normal!"
              onClick={() => void send(option)}
            >
              {isPermission ? (PERMISSION_WORDS[option] ?? option) : option}
            </ActButton>
          ))}
        </div>
      )}
      <OwnWords isPermission={isPermission} hasOptions={options.length > 0} send={send} isOff={isOff} />
    </div>
  )
}

const PERMISSION_WORDS: Record<string, string> = { allow: 'Allow', deny: 'Deny' }

interface OwnWordsProps extends Omit<AnswersProps, 'item'> {
  isPermission: boolean
  hasOptions: boolean
}

/** What is said to a permission in words is a refusal with its reason; a question takes any text. */
function OwnWords({ isPermission, hasOptions, send, isOff }: OwnWordsProps) {
  const id = useId()
  const [text, setText] = useState('')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const said = text.trim()
    if (said !== '' && (await send(isPermission ? `deny: ${said}` : said))) setText('')
  }
  const label = isPermission ? 'Or deny with a reason' : hasOptions ? 'Or answer in your own words' : 'Your answer'
  return (
    <form className="flex max-w-xl flex-col gap-1" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="text-small text-ink-soft">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          type="text"
          value={text}
          disabled={isOff}
          autoComplete="off"
          maxLength={10_000}
          className={INPUT}
          onChange={(event) => setText(event.target.value)}
        />
        <ActButton type="submit" disabled={isOff || text.trim() === ''}>
          {isPermission ? 'Deny' : 'Send'}
        </ActButton>
      </div>
    </form>
  )
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
