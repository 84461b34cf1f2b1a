/** On or off. */
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import type { ComponentProps } from 'react'

export function Switch(props: Omit<ComponentProps<typeof BaseSwitch.Root>, 'className' | 'children'>) {
  return (
    <BaseSwitch.Root
      {...props}
      className="flex h-5 w-9 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-ground px-0.5 data-checked:border-accent data-checked:bg-accent data-disabled:cursor-not-allowed data-disabled:opacity-50"
    >
      <BaseSwitch.Thumb className="block size-3.5 rounded-full bg-line-strong transition-transform duration-150 data-checked:translate-x-4 data-checked:bg-accent-ink" />
    </BaseSwitch.Root>
  )
}
