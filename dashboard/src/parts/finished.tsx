/**
 * Who finished and was not looked at since, oldest first, so that what is new never moves what you are about to press.
 * Who it is comes with the stream; what it changed and cost is asked for while somebody looks.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { FinishedBrief, FinishedView } from '../../../src/contract/finished.ts'
import { call } from '../live/store.ts'
import { ActButton } from './button.tsx'
import { useDeed } from './deed.tsx'
import { factsOf } from './finished-words.ts'
import { Ago } from './time.tsx'

interface FinishedProps {
  finished: readonly FinishedBrief[]
  /** More stand in the inbox. */
  most?: number
}

export function Finished({ finished, most = Infinity }: FinishedProps) {
  const details = useDetails(finished)
  if (finished.length === 0) return null
  const oldest = finished.toSorted((a, b) => a.wallAt - b.wallAt)
  return (
    <section aria-label="Finished" className="border-l-2 border-line-strong bg-surface">
      <h2 className="px-3 pt-2 text-ink-soft">Finished: look at {finished.length === 1 ? 'it' : 'them'}</h2>
      <ul>
        {oldest.slice(0, most).map((brief) => (
          <Row key={brief.agent} view={{ ...details.get(brief.agent), ...brief }} />
        ))}
      </ul>
      {finished.length > most && (
        <Link to="/inbox" className="block px-3 pb-2 text-accent hover:underline">
          {finished.length - most} more in the inbox
        </Link>
      )}
    </section>
  )
}

const NOTHING: ReadonlyMap<string, FinishedView> = new Map()
/** Somebody may work in a workspace without any event telling of it. */
const EVERY_MS = 60_000

function useDetails(finished: readonly FinishedBrief[]): ReadonlyMap<string, FinishedView> {
  const who = finished.map(({ agent, wallAt }) => `${agent} ${wallAt}`).toSorted()
  const { data } = useQuery({
    queryKey: ['finished', ...who],
    queryFn: () => call('GET /api/finished'),
    enabled: who.length > 0,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return data === undefined ? NOTHING : new Map(data.finished.map((view) => [view.agent, view]))
}

function Row({ view }: { view: FinishedView }) {
  const { agent, title, wallAt } = view
  const deed = useDeed()
  const [isSending, setIsSending] = useState(false)
  const seen = async (): Promise<void> => {
    setIsSending(true)
    await deed({ run: () => call('POST /api/agents/:id/seen', { id: agent }), done: `${agent} is seen` })
    setIsSending(false)
  }
  return (
    <li className="flex flex-wrap items-start gap-x-3 px-3 py-2">
      <CircleCheck size={16} className="mt-0.5 shrink-0 text-ink-soft" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">
          <Link to="/agents/$id" params={{ id: agent }} className="font-medium text-accent hover:underline">
            {agent}
          </Link>
          {title !== undefined && ` ${title}`}
        </p>
        <p className="text-ink-soft tabular-nums wrap-anywhere">{factsOf(view).join(' · ')}</p>
      </div>
      <div className="flex shrink-0 items-center gap-2 text-ink-soft max-sm:ml-7">
        <Ago at={wallAt} />
        <ActButton kind="quiet" disabled={isSending} onClick={() => void seen()} aria-label={`${agent}: seen`}>
          <Check size={16} aria-hidden="true" />
          Seen
        </ActButton>
      </div>
    </li>
  )
}
