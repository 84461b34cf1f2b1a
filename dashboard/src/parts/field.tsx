/** A labelled control with its hint and what is wrong with it. */
import { useId, type ComponentProps, type ReactNode } from 'react'

export const INPUT =
  'h-8 w-full min-w-0 rounded-small border border-line-strong bg-ground px-2 text-ink placeholder:text-ink-faint aria-invalid:border-stuck disabled:opacity-50'

interface FieldProps {
  label: string
  hint?: ReactNode
  problem?: string | undefined
  /** Gets what joins it to its label and its hint. */
  children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ReactNode
}

export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
        ...(problem === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-small text-ink-soft">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-small text-stuck">
          {problem}
        </p>
      )}
    </div>
  )
}

type TextFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'input'>, 'id'>

export function TextField({ label, hint, problem, className = '', ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(joined) => <input type="text" {...joined} {...input} className={`${INPUT} ${className}`} />}
    </Field>
  )
}

type TextAreaFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'textarea'>, 'id'>

export function TextAreaField({ label, hint, problem, className = '', ...area }: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(joined) => <textarea rows={4} {...joined} {...area} className={`${INPUT} h-auto py-1 ${className}`} />}
    </Field>
  )
}
