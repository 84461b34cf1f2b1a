/** Work that was saved before a kill, and the way back to it. */
import { useState } from 'react'
import type { SalvageView } from '../../../../src/contract/work-views.ts'
import { call, type LiveAgent } from '../../live/store.ts'
import { Asked } from '../../parts/asked.tsx'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { ActMenu } from '../../parts/menu.tsx'
import { Ago } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'

export function Salvages({ agent }: { agent: LiveAgent }) {
  const query = useDetail('git', agent.id)
  const size = query.data?.view.salvages.length ?? 0
  return (
    <Section title="Salvages" aside={size > 0 && String(size)}>
      <Asked what="its salvages" query={query}>
        {({ view }) => <List agent={agent} salvages={view.salvages} />}
      </Asked>
    </Section>
  )
}

const SHOWN = 5

function List({ agent, salvages }: { agent: LiveAgent; salvages: readonly SalvageView[] }) {
  const [isWhole, setIsWhole] = useState(false)
  if (salvages.length === 0)
    return <p className="text-ink-soft">None yet. What is not committed is saved here before a kill.</p>
  const newest = salvages.toReversed()
  return (
    <div className="flex flex-col items-start gap-1">
      {isRunning(agent) && <p className="text-ink-soft">They can be restored while nobody works here.</p>}
      <ul aria-label="Salvages, newest first" className="w-full">
        {newest.slice(0, isWhole ? undefined : SHOWN).map((salvage) => (
          <Salvage key={salvage.ref} agent={agent} salvage={salvage} />
        ))}
      </ul>
      {salvages.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the newest only' : `Show all ${salvages.length}`}
        </Button>
      )}
    </div>
  )
}

function Salvage({ agent, salvage }: { agent: LiveAgent; salvage: SalvageView }) {
  const { name, commit, savedAt, files, branch, replaced, notes } = salvage
  const restore = useRestore(agent.id, salvage)
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b border-line py-1">
      <span className="font-mono" title={commit}>
        {name}
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {count(files, 'file')}
        <span className="text-ink-soft">
          {branch !== undefined && ` of ${branch}`}
          {replaced === true && ' that a restore replaced'} · <Ago at={Date.parse(savedAt)} />
        </span>
      </span>
      <ActButton disabled={isRunning(agent)} onClick={() => void restore(false)}>
        Restore<span className="sr-only"> {name}</span>
      </ActButton>
      <ActMenu
        label={`Ways to restore ${name}`}
        items={[
          { label: 'Restore what is missing…', isDisabled: isRunning(agent), onPress: () => void restore(false) },
          {
            label: 'Restore and replace…',
            isDisabled: isRunning(agent),
            isDanger: true,
            onPress: () => void restore(true),
          },
        ]}
      />
      {notes.length > 0 && <p className="basis-full text-small text-ink-soft wrap-anywhere">{notes.join(' ')}</p>}
    </li>
  )
}

/** Replacing is asked for apart: what is in the way is saved first, but the workspace looks another way afterwards. */
function useRestore(id: string, { ref, name, files }: SalvageView): (force: boolean) => Promise<boolean> {
  const deed = useDeed()
  return (force) =>
    deed({
      ask: {
        title: `Restore ${name} of ${id}?`,
        text: force
          ? `Brings ${count(files, 'file')} back into the workspace, replaces what differs and deletes what was deleted then. What is there now is saved first.`
          : `Brings ${count(files, 'file')} back into the workspace. Where a file with other work is in the way, nothing is written and you are told.`,
        verb: force ? 'Restore and replace' : 'Restore',
        isDanger: force,
      },
      run: () => call('POST /api/agents/:id/restore', { id, body: { ref, ...(force ? { force } : {}) } }),
      done: `${name} is being restored`,
      act: { agent: id, kind: 'restore' },
    })
}
