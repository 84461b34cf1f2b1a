/** Its tasks: what it does, what comes next and for which model, what waits, what is done. */
import { useState } from 'react'
import type { TasksView } from '../../../../src/contract/tasks.ts'
import { Asked } from '../../parts/asked.tsx'
import { Button } from '../../parts/button.tsx'
import { STATE_WORDS } from '../../parts/task-words.ts'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'

export function Tasks({ id }: { id: string }) {
  const query = useDetail('tasks', id)
  const view = query.data?.view
  return (
    <Section title="Tasks" aside={view !== undefined && view.total > 0 && `${view.counts.closed} of ${view.total}`}>
      <Asked what="its tasks" query={query}>
        {(data) => <List view={data.view} />}
      </Asked>
    </Section>
  )
}

const SHOWN = 6

function List({ view }: { view: TasksView }) {
  const [isWhole, setIsWhole] = useState(false)
  const tasks = view.tasks.filter(({ group }) => group !== true)
  if (tasks.length === 0)
    return <p className="text-ink-soft">{`There are none: ${view.why ?? 'its list is empty'}.`}</p>
  return (
    <div className="flex flex-col items-start gap-1">
      <ul aria-label="Tasks, what is left to do first" className="w-full">
        {tasks.slice(0, isWhole ? undefined : SHOWN).map((task) => (
          <Row key={task.id} task={task} isNext={task.id === view.next?.id} />
        ))}
      </ul>
      {tasks.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the first only' : `Show all ${tasks.length}`}
        </Button>
      )}
    </div>
  )
}

function Row({ task, isNext }: { task: TasksView['tasks'][number]; isNext: boolean }) {
  const { id, title, state, blockedBy, route } = task
  const isOpen = state !== 'closed'
  return (
    <li className="flex min-w-0 flex-wrap gap-x-2 border-b border-line py-1">
      <span className="w-22 shrink-0 text-ink-soft">{isNext ? 'next' : STATE_WORDS[state]}</span>
      <span className={`min-w-0 flex-1 wrap-anywhere ${isOpen ? '' : 'text-ink-soft'}`}>
        {title} <span className="font-mono text-small text-ink-soft">{id}</span>
      </span>
      {isOpen && (
        <span className="text-small text-ink-soft">
          {state === 'blocked' && blockedBy.length > 0
            ? `waits for ${blockedBy.join(', ')}`
            : `${route.complexity}, for ${route.model}`}
        </span>
      )}
    </li>
  )
}
