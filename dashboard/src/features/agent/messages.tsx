/** The delivery ledger: what the agent was told, whether it has it, and by what that is known. Newest first. */
import { Check, CircleAlert, Clock, RotateCw, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MessageView } from '../../../../src/contract/views.ts'
import { call } from '../../live/store.ts'
import { Asked } from '../../parts/asked.tsx'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { Ago } from '../../parts/time.tsx'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'

const SHOWN = 5

export function Messages({ id }: { id: string }) {
  const query = useDetail('messages', id)
  const messages = query.data?.view.messages ?? []
  const open = messages.filter(({ state }) => state !== 'heard' && state !== 'recalled').length
  return (
    <Section title="Messages" aside={open > 0 && `${open} not heard`}>
      <Asked what="its messages" query={query}>
        {({ view }) => <Rows id={id} messages={view.messages} />}
      </Asked>
    </Section>
  )
}

function Rows({ id, messages }: { id: string; messages: readonly MessageView[] }) {
  const [isWhole, setIsWhole] = useState(false)
  if (messages.length === 0) return <p className="text-ink-soft">It was told nothing yet.</p>
  return (
    <div className="flex flex-col items-start">
      <ol aria-label="Messages, newest first" className="w-full">
        {messages
          .toReversed()
          .slice(0, isWhole ? undefined : SHOWN)
          .map((message) => (
            <Row key={message.id} id={id} message={message} />
          ))}
      </ol>
      {messages.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the newest only' : `Show all ${messages.length}`}
        </Button>
      )}
    </div>
  )
}

function Row({ id, message }: { id: string; message: MessageView }) {
  const { state, text, by, why, queuedWallAt } = message
  return (
    <li className="flex flex-col gap-1 border-b border-line py-1.5">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className={`flex items-center gap-1.5 font-medium ${INK[state]}`}>
          {ICONS[state]}
          {state}
        </span>
        <span className="min-w-0 flex-1 text-ink-soft">
          {partsOf(message).join(' · ')} · by {by}, <Ago at={queuedWallAt} />
        </span>
        <MessageDeed id={id} message={message} />
      </div>
      <p className="line-clamp-3 wrap-anywhere whitespace-pre-wrap">{text}</p>
      {why !== undefined && state !== 'heard' && <p className={`wrap-anywhere ${INK[state]}`}>{why}</p>}
    </li>
  )
}

function partsOf({ id, attempts, evidence, generation }: MessageView): string[] {
  const tries = attempts === 0 ? 'not typed yet' : attempts === 1 ? 'typed once' : `typed ${attempts} times`
  return [id, tries, ...(evidence === undefined ? [] : [EVIDENCE[evidence]]), `generation ${generation}`]
}

/** What a person can have done about a message; undefined where it is on its way, or over. */
const DEEDS: Partial<Record<MessageView['state'], { route: 'retry' | 'recall'; verb: string; done: string }>> = {
  undelivered: { route: 'retry', verb: 'Try again', done: 'is tried again' },
  queued: { route: 'recall', verb: 'Take back', done: 'is taken back' },
}

function MessageDeed({ id, message: { id: message, state } }: { id: string; message: MessageView }) {
  const deed = useDeed()
  const about = DEEDS[state]
  if (about === undefined) return null
  const { route, verb, done } = about
  const carryOut = (): Promise<boolean> =>
    deed({
      run: () => call(`POST /api/agents/:id/${route}-message`, { id, body: { message } }),
      done: `${message} ${done}`,
    })
  return (
    <ActButton onClick={() => void carryOut()}>
      {route === 'retry' ? <RotateCw size={16} aria-hidden="true" /> : <Undo2 size={16} aria-hidden="true" />}
      {verb}
      <span className="sr-only"> {message}</span>
    </ActButton>
  )
}

const EVIDENCE: Record<NonNullable<MessageView['evidence']>, string> = {
  hook: 'its hook said so',
  transcript: 'it is in its transcript',
  queue: 'it is in its own queue',
  typed: 'nobody can confirm it',
}

const INK: Record<MessageView['state'], string> = {
  queued: 'text-ink-soft',
  typed: 'text-ink-soft',
  heard: 'text-active',
  undelivered: 'text-stuck',
  recalled: 'text-ink-soft',
}

const ICONS: Record<MessageView['state'], ReactNode> = {
  queued: <Clock size={14} aria-hidden="true" />,
  typed: <Clock size={14} aria-hidden="true" />,
  heard: <Check size={14} aria-hidden="true" />,
  undelivered: <CircleAlert size={14} aria-hidden="true" />,
  recalled: <Undo2 size={14} aria-hidden="true" />,
}
