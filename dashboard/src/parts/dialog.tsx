/** A dialog over the page; Escape and the cross close it, focus returns to where it came from. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'

interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string
  children: ReactNode
}

export const BACKDROP =
  'fixed inset-0 z-40 bg-ground/70 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

export const POPUP =
  'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[32rem] max-w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-box border border-line-strong bg-surface p-4 outline-none transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

export function Dialog({ isOpen, onClose, title, description, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  // Where there is something to fill in, that is where one begins.
  const first = (): HTMLElement | true => content.current?.querySelector<HTMLElement>('input, textarea, select') ?? true
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={BACKDROP} />
        <BaseDialog.Popup data-covers-page initialFocus={first} className={POPUP}>
          <header className="flex items-start justify-between gap-4">
            <div>
              <BaseDialog.Title className="text-large font-semibold">{title}</BaseDialog.Title>
              {description !== undefined && (
                <BaseDialog.Description className="mt-1 text-ink-soft">{description}</BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close aria-label="Close" className={`${buttonClass('quiet', 'icon')} -mt-1 -mr-1`}>
              <X size={16} aria-hidden="true" />
            </BaseDialog.Close>
          </header>
          <div ref={content}>{children}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
