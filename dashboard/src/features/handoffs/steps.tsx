/** The steps of a hand-off as they were gone, each with how long it took and what ended it. */
import type { HandoffStep } from '../../../../src/contract/handoff-panel-views.ts'
import type { HandoffState } from '../../../../src/contract/handoffs.ts'
import { useNow } from '../../live/store.ts'
import { Asked } from '../../parts/asked.tsx'
import { duration, exact } from '../../parts/words.ts'
import { timedSteps } from './timed-steps.ts'
import { useTimeline } from './use-handoffs.ts'

export function Steps({ id, state }: { id: string; state: HandoffState }) {
  const query = useTimeline(id)
  return (
    <Asked what="its steps" query={query}>
      {(view) => <List steps={view.steps} state={state} />}
    </Asked>
  )
}

function List({ steps, state }: { steps: readonly HandoffStep[]; state: HandoffState }) {
  const now = useNow()
  if (steps.length === 0) return <p className="text-ink-soft">What happened is not in the journal any more.</p>
  return (
    <ol className="flex flex-col border-l border-line">
      {timedSteps(steps, state, now).map(({ at, word, tookMs, isNow, detail, leftMs }) => (
        <li
          key={`${at} ${word}`}
          aria-current={isNow ? 'step' : undefined}
          className={`flex flex-wrap gap-x-3 border-l-2 py-0.5 pl-3 ${isNow ? 'border-accent font-medium' : 'border-transparent'}`}
        >
          <time dateTime={new Date(at).toISOString()} title={exact(at)} className="w-20 shrink-0 text-ink-soft">
            {secondFormat.format(at)}
          </time>
          <span className="min-w-0 flex-1 wrap-anywhere">
            {word}
            {detail !== undefined && <span className="block font-normal text-ink-soft">{detail}</span>}
          </span>
          <span className="font-normal text-ink-soft">
            {tookMs !== undefined && duration(tookMs)}
            {leftMs !== undefined && `, at most ${duration(leftMs)} more`}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Most steps take seconds. */
const secondFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
