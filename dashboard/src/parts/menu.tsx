/** A menu of deeds behind one button. */
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { EllipsisVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { useWhyNot } from './why-not.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  isDanger?: boolean
  isDisabled?: boolean
  /** Why it cannot be pressed now, in two or three words. */
  whyNot?: string | undefined
  onPress: () => void
}

/** What only the daemon can do, so nothing of it while that is not heard; `label` names what it is about. */
export function ActMenu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const whyNot = useWhyNot()
  if (items.length === 0) return null
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger aria-label={label} className={buttonClass('quiet', 'icon')}>
        <EllipsisVertical size={16} aria-hidden="true" />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-40">
          <BaseMenu.Popup className="min-w-40 rounded-box border border-line-strong bg-raised py-1 outline-none">
            {items.map((item) => (
              <Item key={item.label} item={item} whyNot={whyNot} />
            ))}
            {whyNot !== undefined && <p className="max-w-60 px-3 py-1 text-small text-ink-soft">{whyNot}</p>}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function Item({ item, whyNot }: { item: MenuItem; whyNot: string | undefined }) {
  const { label, icon, isDanger = false, isDisabled = false, onPress } = item
  const isOff = isDisabled || item.whyNot !== undefined || whyNot !== undefined
  return (
    <BaseMenu.Item
      disabled={isOff}
      onClick={onPress}
      className={`flex h-8 cursor-pointer items-center gap-2 px-3 outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-line ${isDanger ? 'text-stuck' : 'text-ink'}`}
    >
      {icon}
      {label}
      {item.whyNot !== undefined && <span className="ml-auto pl-4 text-small">{item.whyNot}</span>}
    </BaseMenu.Item>
  )
}
