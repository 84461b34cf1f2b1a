/** The right control for each kind of setting. What is typed and cannot be read yet stays in the control. */
import { useState } from 'react'
import type { ConfigKeyView } from '../../../../src/contract/config-view.ts'
import { INPUT } from '../../parts/field.tsx'
import { Switch } from '../../parts/switch.tsx'
import { isSame, type Value } from './draft.ts'
import { unitOf } from './groups.ts'
import { readLines, readLoose, writtenLines, writtenLoose } from './written.ts'

export interface ControlProps {
  configKey: ConfigKeyView
  value: Value
  onChange: (value: Value) => void
  /** What joins it to its label, help and problem. */
  joined: { id: string; 'aria-labelledby': string; 'aria-describedby': string; 'aria-invalid'?: true }
}

export function Control(props: ControlProps) {
  const { kind, options } = props.configKey
  if (kind === 'boolean') return <OnOff {...props} />
  if (kind === 'number') return <NumberInput {...props} />
  if (kind === 'choice') return <Select {...props} options={options ?? []} />
  if (kind === 'list') return options === undefined ? <Lines {...props} /> : <Several {...props} options={options} />
  return <TextInput {...props} />
}

function OnOff({ value, onChange, joined }: ControlProps) {
  const isOn = value === true
  return (
    <span className="flex h-8 items-center gap-2">
      <Switch {...joined} checked={isOn} onCheckedChange={onChange} />
      <span className="text-ink-soft">{isOn ? 'on' : 'off'}</span>
    </span>
  )
}

/** Empty is nothing where the default is nothing; else it is left to the daemon to say what is wrong. */
function NumberInput({ configKey, value, onChange, joined }: ControlProps) {
  const unit = unitOf(configKey)
  const [typed, setTyped] = useTyped(value, writtenLoose)
  return (
    <span className="flex items-center gap-2">
      <input
        {...joined}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        placeholder={configKey.default === null ? 'none' : ''}
        className={`${INPUT} w-28! text-right`}
        onChange={(event) => {
          const text = event.target.value
          const number = text.trim() === '' ? null : Number(text.replace(',', '.'))
          const read = Number.isNaN(number) ? text : number
          setTyped(text, read)
          onChange(read)
        }}
      />
      {unit !== undefined && <span className="text-ink-soft">{unit}</span>}
    </span>
  )
}

function TextInput({ configKey, value, onChange, joined }: ControlProps) {
  const isLoose = configKey.kind === 'other'
  const [typed, setTyped] = useTyped(value, writtenLoose)
  return (
    <input
      {...joined}
      type="text"
      autoComplete="off"
      spellCheck={false}
      value={typed}
      placeholder={configKey.default === null ? 'none' : ''}
      className={`${INPUT} ${isLoose ? 'font-mono' : ''}`}
      onChange={(event) => {
        const text = event.target.value
        const read = text === '' && configKey.default === null ? null : isLoose ? readLoose(text) : text
        setTyped(text, read)
        onChange(read)
      }}
    />
  )
}

function Select({ configKey, value, onChange, joined, options }: ControlProps & { options: readonly string[] }) {
  const word = value === null ? '' : writtenLoose(value)
  const isKnown = value === null || options.includes(word)
  return (
    <select
      {...joined}
      value={word}
      className={`${INPUT} cursor-pointer`}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    >
      {(configKey.default ?? null) === null && <option value="">none</option>}
      {!isKnown && <option>{word}</option>}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  )
}

function Several({ value, onChange, joined, options }: ControlProps & { options: readonly string[] }) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const { 'aria-labelledby': labelled, 'aria-describedby': described } = joined
  return (
    <div
      role="group"
      id={joined.id}
      aria-labelledby={labelled}
      aria-describedby={described}
      className="flex flex-col gap-1 py-1.5"
    >
      {options.map((option) => (
        <label key={option} className="flex cursor-pointer items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(options.filter((each) => (each === option ? target.checked : chosen.includes(each))))
            }
          />
          <span className="font-mono wrap-anywhere">{option}</span>
        </label>
      ))}
    </div>
  )
}

function Lines({ value, onChange, joined }: ControlProps) {
  const [typed, setTyped] = useTyped(value, writtenLines)
  return (
    <textarea
      {...joined}
      rows={Math.min(8, Math.max(2, typed.split('\n').length))}
      spellCheck={false}
      value={typed}
      className={`${INPUT} h-auto! py-1 font-mono`}
      onChange={(event) => {
        const read = readLines(event.target.value)
        setTyped(event.target.value, read)
        onChange(read)
      }}
    />
  )
}

/** The text as it was typed for as long as it means the value; another value from outside replaces it. */
function useTyped(value: Value, write: (value: Value) => string): [string, (text: string, means: Value) => void] {
  const [typed, setTyped] = useState({ text: write(value), means: value })
  const text = isSame(typed.means, value) ? typed.text : write(value)
  return [text, (next, means) => setTyped({ text: next, means })]
}
