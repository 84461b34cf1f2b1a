/** What there is to look at of an agent that finished, also when somebody has: on its own page one looks at it. */
import { CircleCheck } from 'lucide-react'
import type { LiveAgent } from '../../live/store.ts'
import { factsOf } from '../../parts/finished-words.ts'
import { Ago } from '../../parts/time.tsx'
import { useDetail } from './details.ts'

export function FinishedHere({ agent: { id, finished } }: { agent: LiveAgent }) {
  return finished === undefined ? null : <Shown id={id} when={finished} />
}

function Shown({ id, when: { wallAt, seen } }: { id: string; when: NonNullable<LiveAgent['finished']> }) {
  const view = useDetail('finished', id).data?.view.finished
  return (
    <section aria-label="Finished" className="border-l-2 border-line-strong bg-surface">
      <div className="flex flex-wrap items-start gap-x-3 px-3 py-2">
        <CircleCheck size={16} className="mt-0.5 shrink-0 text-ink-soft" aria-hidden="true" />
        <div className="min-w-0 flex-1 basis-60">
          <p>
            Finished <Ago at={wallAt} />
            {seen !== undefined && (
              <span className="text-ink-soft">
                ; seen by {seen.by} <Ago at={seen.wallAt} />
              </span>
            )}
          </p>
          {view !== undefined && (
            <p className="text-ink-soft tabular-nums wrap-anywhere">{factsOf(view).join(' · ')}</p>
          )}
        </div>
      </div>
    </section>
  )
}
