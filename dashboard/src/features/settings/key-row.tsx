/** One setting: its name, what it is for, its value, where that comes from, and what is wrong with it. */
import { RotateCcw, Undo2 } from 'lucide-react'
import { useId } from 'react'
import type { ConfigKeyView } from '../../../../src/contract/config-view.ts'
import { IconButton } from '../../parts/button.tsx'
import { Control } from './controls.tsx'
import { shown, type Edit, type Value } from './draft.ts'
import { nameIn } from './groups.ts'

interface KeyRowProps {
  configKey: ConfigKeyView
  value: Value
  edit: Edit | undefined
  problem: string | undefined
  onEdit: (edit: Edit) => void
  onUndo: () => void
}

export function KeyRow({ configKey, value, edit, problem, onEdit, onUndo }: KeyRowProps) {
  const id = useId()
  const { path, help, note } = configKey
  const described = [`${id}-help`, ...(problem === undefined ? [] : [`${id}-problem`])].join(' ')
  return (
    <div
      data-key={path}
      className={`grid gap-x-6 gap-y-1 border-l-2 border-b border-b-line py-3 pl-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] ${edit === undefined ? 'border-l-transparent' : 'border-l-accent'}`}
    >
      <div className="flex min-w-0 flex-col gap-0.5">
        <h3 id={`${id}-name`} className="font-mono font-medium wrap-anywhere">
          {nameIn(path)}
        </h3>
        <p id={`${id}-help`} className="text-ink-soft">
          {help}
        </p>
        <Standing configKey={configKey} edit={edit} />
        {note !== undefined && <p className="text-small text-ink-soft">{note}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <Control
              configKey={configKey}
              value={value}
              onChange={(set) => onEdit({ set })}
              joined={{
                id,
                'aria-labelledby': `${id}-name`,
                'aria-describedby': described,
                ...(problem === undefined ? {} : { 'aria-invalid': true }),
              }}
            />
          </div>
          <Back configKey={configKey} edit={edit} onEdit={onEdit} onUndo={onUndo} />
        </div>
        {problem !== undefined && (
          <p id={`${id}-problem`} role="alert" className="text-stuck wrap-anywhere">
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

function Standing({ configKey, edit }: Pick<KeyRowProps, 'configKey' | 'edit'>) {
  const { default: usual, isSet, inEffect } = configKey
  return (
    <p className="flex flex-wrap gap-x-3 text-small text-ink-faint">
      <span className="wrap-anywhere">
        default <span className="font-mono">{shown(usual)}</span>
      </span>
      <span>{edit !== undefined ? 'changed, not saved' : isSet ? 'set in the file' : ''}</span>
      {!inEffect && (
        <span className="text-warning" title="It is checked and kept, but nothing acts on it in this version.">
          not yet in effect
        </span>
      )}
    </p>
  )
}

function Back({ configKey, edit, onEdit, onUndo }: Pick<KeyRowProps, 'configKey' | 'edit' | 'onEdit' | 'onUndo'>) {
  if (edit !== undefined) {
    return (
      <IconButton label={`Take back the change of ${configKey.path}`} onClick={onUndo}>
        <Undo2 size={16} aria-hidden="true" />
      </IconButton>
    )
  }
  if (!configKey.isSet) return <span className="w-8 shrink-0" />
  return (
    <IconButton label={`Default for ${configKey.path}`} onClick={() => onEdit({ unset: true })}>
      <RotateCcw size={16} aria-hidden="true" />
    </IconButton>
  )
}
