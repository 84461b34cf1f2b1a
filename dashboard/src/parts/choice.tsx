/** One of a few, side by side. */
import { useId } from 'react'

interface ChoiceProps<Value extends string | number> {
  label: string
  options: readonly { value: Value; word: string }[]
  value: Value
  onChange: (value: Value) => void
}

export function Choice<Value extends string | number>({ label, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="flex h-8 rounded-small border border-line">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-center px-1.5 sm:px-2.5 text-ink-soft hover:text-ink has-checked:bg-line has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.word}
        </label>
      ))}
    </fieldset>
  )
}
