/** Its work as it lies in the workspace: branch, newest commit, and what is not committed. */
import { useState } from 'react'
import type { DirtyFile, GitView } from '../../../../src/contract/work-views.ts'
import { Asked } from '../../parts/asked.tsx'
import { Button } from '../../parts/button.tsx'
import { Ago } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'

export function GitState({ id }: { id: string }) {
  const query = useDetail('git', id)
  const view = query.data?.view
  return (
    <Section title="Git" aside={view?.repository && (view.dirtyTotal === 0 ? 'clean' : `${view.dirtyTotal} dirty`)}>
      <Asked what="the state of its workspace" query={query}>
        {(data) => <State view={data.view} />}
      </Asked>
    </Section>
  )
}

function State({ view: { repository, workspace, branch, head, upstream, dirty, dirtyTotal } }: { view: GitView }) {
  if (!repository) {
    return (
      <p className="text-ink-soft wrap-anywhere">
        <span className="font-mono">{workspace}</span> is not in a repository: nothing of its work can be saved.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere">
        <span className="font-mono">{branch ?? 'detached'}</span>
        {upstream !== undefined && (
          <span className="text-ink-soft">
            {' · '}
            {upstream.ahead} ahead of and {upstream.behind} behind <span className="font-mono">{upstream.name}</span>
          </span>
        )}
      </p>
      {head === undefined ? (
        <p className="text-ink-soft">There is no commit yet.</p>
      ) : (
        <p className="wrap-anywhere">
          <span className="font-mono text-ink-soft">{head.hash.slice(0, 8)}</span> {head.subject}{' '}
          <span className="text-ink-soft">
            <Ago at={Date.parse(head.committedAt)} />
          </span>
        </p>
      )}
      {dirtyTotal > 0 && <Dirty files={dirty} total={dirtyTotal} />}
    </div>
  )
}

const SHOWN = 8

function Dirty({ files, total }: { files: readonly DirtyFile[]; total: number }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = files.slice(0, isWhole ? undefined : SHOWN)
  return (
    <div className="flex flex-col items-start">
      <ul aria-label="Not committed" className="w-full">
        {shown.map(({ path, state, staged }) => (
          <li key={path} className="flex items-baseline gap-x-3 border-b border-line py-1">
            <span className="min-w-0 flex-1 font-mono wrap-anywhere">{path}</span>
            <span className={`shrink-0 ${state === 'conflict' ? 'text-stuck' : 'text-ink-soft'}`}>
              {state}
              {staged && ', staged'}
            </span>
          </li>
        ))}
      </ul>
      {files.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the first only' : `Show ${files.length} of ${count(total, 'file')}`}
        </Button>
      )}
    </div>
  )
}
