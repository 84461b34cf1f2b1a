/** The change set: always in sight while there is one, looked through once more before it is saved. */
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { ConfigView } from '../../../../src/contract/config-view.ts'
import { ActButton, Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { count } from '../../parts/words.ts'
import { shown, valueIn, type Draft } from './draft.ts'
import type { Editing } from './use-settings.ts'

interface ReviewProps {
  view: ConfigView
  editing: Editing
  /** Nothing was saved, and the problems are known. */
  onRefused: () => void
}

export function Review({ view, editing, onRefused }: ReviewProps) {
  const { draft, problems, isSaving, isOvertaken, undoAll, save } = editing
  const [isOpen, setIsOpen] = useState(false)
  const toast = useToast()
  if (draft.size === 0 && !isOpen) return null
  const commit = async (): Promise<void> => {
    const result = await save()
    if (result === 'conflict') return
    setIsOpen(false)
    if (result === 'saved') toast({ title: 'Saved', text: `Written to ${view.file}; its comments are kept.` })
    else onRefused()
  }
  const wrong = problems.byKey.size + problems.others.length
  return (
    <>
      <div
        role="region"
        aria-label="Changes"
        data-act-bar
        className="sticky bottom-16 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border border-accent bg-raised px-3 py-2 sm:bottom-2"
      >
        <span role="status" className="min-w-0 flex-1 font-medium max-sm:basis-full">
          {count(draft.size, 'change')} not saved
          {wrong > 0 && <span className="text-stuck"> · {count(wrong, 'problem')}, marked above</span>}
        </span>
        <Button onClick={undoAll}>Discard</Button>
        <Button kind="accent" onClick={() => setIsOpen(true)}>
          Review and save
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Save ${count(draft.size, 'change')}?`}
        description={`They are written to ${view.file}; comments and all other lines are kept. Most count at once.`}
      >
        <div className="flex flex-col gap-4">
          {isOvertaken && (
            <p role="alert" className="text-warning">
              The file was changed by somebody else in the meantime; nothing was saved. These are your changes over what
              stands there now. Look through them again.
            </p>
          )}
          <Changes view={view} draft={draft} />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setIsOpen(false)}>Back</Button>
            <ActButton kind="accent" disabled={isSaving || draft.size === 0} onClick={() => void commit()}>
              {isSaving ? 'Saving…' : 'Save'}
            </ActButton>
          </div>
        </div>
      </Dialog>
    </>
  )
}

function Changes({ view, draft }: { view: ConfigView; draft: Draft }) {
  const changed = view.keys.filter(({ path }) => draft.has(path))
  if (changed.length === 0) return <p>Nothing is left to change: the file has it already.</p>
  return (
    <ul className="flex flex-col gap-2">
      {changed.map((key) => (
        <li key={key.path} className="flex flex-col">
          <span className="font-mono wrap-anywhere">{key.path}</span>
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="text-ink-soft line-through wrap-anywhere">{shown(key.value)}</span>
            <ArrowRight size={14} aria-label="becomes" className="shrink-0" />
            <span className="font-medium wrap-anywhere">{shown(valueIn(draft, key))}</span>
            {'unset' in (draft.get(key.path) ?? {}) && <span className="text-ink-soft">the default</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
