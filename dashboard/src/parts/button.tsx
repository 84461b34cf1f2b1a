/** Buttons: what can be pressed is brass; what harms is red; all else is quiet. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Tip } from './tooltip.tsx'
import { useWhyNot } from './why-not.ts'

type Kind = 'accent' | 'plain' | 'danger' | 'quiet'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: Kind
  shape?: 'word' | 'icon'
  type?: 'button' | 'submit'
  /** Why it cannot be pressed. It keeps its place in the tab order, so that everybody can come to the reason. */
  whyNot?: string | undefined
}

const BASE =
  'inline-flex h-8 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-small border font-medium whitespace-nowrap transition-colors duration-150 select-none disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50'

const KINDS: Record<Kind, string> = {
  accent: 'border-accent bg-accent text-accent-ink hover:not-disabled:not-aria-disabled:bg-accent-strong',
  plain:
    'border-line-strong bg-transparent text-ink hover:not-disabled:not-aria-disabled:border-accent hover:not-disabled:not-aria-disabled:text-accent',
  danger:
    'border-stuck bg-transparent text-stuck hover:not-disabled:not-aria-disabled:bg-stuck hover:not-disabled:not-aria-disabled:text-ground',
  quiet:
    'border-transparent bg-transparent text-ink-soft hover:not-disabled:not-aria-disabled:bg-line hover:not-disabled:not-aria-disabled:text-ink',
}

/** For what looks like a button and is none; an icon's is as wide as it is high. */
export function buttonClass(kind: Kind, shape: 'word' | 'icon' = 'word'): string {
  return `${BASE} ${KINDS[kind]} ${shape === 'word' ? 'px-3' : 'w-8'}`
}

export function Button({
  kind = 'plain',
  shape = 'word',
  type = 'button',
  className = '',
  whyNot,
  ...rest
}: ButtonProps) {
  const dead = whyNot === undefined ? {} : { title: whyNot, 'aria-disabled': true, onClick: refuse }
  // oxlint-disable-next-line react/button-has-type -- the type above allows button and submit only
  return <button type={type} className={`${buttonClass(kind, shape)} ${className}`} {...rest} {...dead} />
}

/** Also keeps a form from being sent. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
}

/** A button of what only the daemon can do: it says so while the daemon is not heard. */
export function ActButton({ whyNot, ...rest }: ButtonProps) {
  const notNow = useWhyNot()
  return <Button whyNot={notNow && (whyNot ?? notNow)} {...rest} />
}

/** Its word is told to screen readers and shown on hover and focus. */
export function IconButton({ label, children, ...rest }: ButtonProps & { label: string; children: ReactNode }) {
  return (
    <Tip text={label}>
      <Button kind="quiet" shape="icon" aria-label={label} {...rest}>
        {children}
      </Button>
    </Tip>
  )
}
