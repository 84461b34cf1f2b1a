/** A few words on hover and focus; never the only place where something is said. */
import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

export function Tip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="rounded-small border border-line bg-raised px-2 py-1 text-small text-ink">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
