/** Settings: every key of cloister.yaml with its help, changed as one set that is looked through before it is saved. */
import { useBlocker } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ConfigView } from '../../../../src/contract/config-view.ts'
import { signOut } from '../../live/store.ts'
import { Button } from '../../parts/button.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { INPUT } from '../../parts/field.tsx'
import { Empty, Loading } from '../../parts/notice.tsx'
import { count } from '../../parts/words.ts'
import { valueIn } from './draft.ts'
import { groupsOf, titleOf, type Group } from './groups.ts'
import { KeyRow } from './key-row.tsx'
import { Review } from './review.tsx'
import { useConfig, useEditing, type Editing } from './use-settings.ts'

export function SettingsPage() {
  const { data, error, refetch } = useConfig()
  if (data !== undefined) return <Settings view={data} />
  if (error === null) return <Loading what="the settings" rows={10} height={72} />
  return (
    <Empty isPage title="The settings could not be read.">
      <p>{error.message}</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </Empty>
  )
}

function Settings({ view }: { view: ConfigView }) {
  const editing = useEditing(view)
  const [looked, setLooked] = useState('')
  const groups = useMemo(() => groupsOf(view.keys, looked), [view.keys, looked])
  const found = groups.reduce((sum, { keys }) => sum + keys.length, 0)
  useWarningOnLeave(editing.draft.size > 0)
  const showWrong = (): void => {
    // A search may have hidden it.
    setLooked('')
    bringWrongInSight()
  }
  return (
    <div className="flex max-w-7xl flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-title font-semibold">Settings</h1>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-4">
          <span className="font-mono text-ink-soft wrap-anywhere">{view.file}</span>
          <Button kind="quiet" className="max-sm:-ml-3" onClick={signOut}>
            Sign out of this tab
          </Button>
        </p>
      </div>
      <Wrong title="The file has problems; the last good settings stay in force." lines={view.problems} />
      <Wrong title="Nothing was saved." lines={editing.problems.others} />
      <search className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="relative w-full sm:w-72">
          <span className="sr-only">Search settings</span>
          <Search size={16} className="absolute top-2 left-2 text-ink-faint" aria-hidden="true" />
          <input
            type="search"
            data-search-field
            value={looked}
            placeholder="Search settings"
            className={`${INPUT} pl-8`}
            onChange={(event) => setLooked(event.target.value)}
          />
        </label>
        <span role="status" className="text-ink-soft">
          {looked === '' ? count(view.keys.length, 'setting') : `${found} of ${count(view.keys.length, 'setting')}`}
        </span>
      </search>
      <div className="flex min-w-0 flex-col gap-4 xl:flex-row-reverse xl:gap-8">
        <Contents groups={groups} />
        <div className="min-w-0 flex-1">
          {groups.length === 0 && <Empty title="No setting is like that." />}
          {groups.map((group) => (
            <Keys key={group.name} group={group} editing={editing} />
          ))}
          <Review view={view} editing={editing} onRefused={showWrong} />
        </div>
      </div>
    </div>
  )
}

function Contents({ groups }: { groups: readonly Group[] }) {
  return (
    <nav
      aria-label="Sections"
      className="flex flex-wrap gap-x-4 gap-y-1 self-start xl:sticky xl:top-18 xl:w-44 xl:shrink-0 xl:flex-col"
    >
      {groups.map(({ name }) => (
        <a key={name} href={`#${name}`} className="text-accent hover:underline">
          {titleOf(name)}
        </a>
      ))}
    </nav>
  )
}

function Keys({ group: { name, keys }, editing }: { group: Group; editing: Editing }) {
  const { draft, problems, edit, undo } = editing
  return (
    <section aria-labelledby={name} className="pb-6">
      <h2 id={name} className="scroll-mt-24 border-b border-line pb-1 text-large font-semibold sm:scroll-mt-16">
        {titleOf(name)}
      </h2>
      {keys.map((key) => (
        <KeyRow
          key={key.path}
          configKey={key}
          value={valueIn(draft, key)}
          edit={draft.get(key.path)}
          problem={problems.byKey.get(key.path)}
          onEdit={(change) => edit(key, change)}
          onUndo={() => undo(key.path)}
        />
      ))}
    </section>
  )
}

function Wrong({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div role="alert" className="border-l-2 border-stuck bg-stuck-soft px-3 py-2">
      <p className="font-medium text-stuck">{title}</p>
      <ul>
        {lines.map((line) => (
          <li key={line} className="font-mono text-small wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Where nothing was saved because of it: the first thing that is wrong. */
function bringWrongInSight(): void {
  requestAnimationFrame(() =>
    document.querySelector('main [role=alert], main [aria-invalid=true]')?.scrollIntoView({ block: 'center' }),
  )
}

/** Leaving would lose the changes: asked first, also when the tab is closed. */
function useWarningOnLeave(isDirty: boolean): void {
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !(await confirm(LEAVE)),
    enableBeforeUnload: isDirty,
  })
}

const LEAVE = {
  title: 'Leave without saving?',
  text: 'What you changed here is lost when you go to another page.',
  verb: 'Leave',
}
