/**
 * Short news at the edge of the page: what a deed came to. Read out politely; what failed stays until it is closed, by
 * its cross or by Escape. News never stand over a page's own bar of acts, and what is under them can be clicked.
 */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useCallback, useEffect, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { Quoted } from './quoted.tsx'

export interface News {
  title: string
  text?: string
  isFailure?: boolean
}

const DONE_MS = 5_000

/** Says something; what comes back says something else in its place, also when that was gone by then. */
export function useToast(): (news: News) => (instead: News) => void {
  const { add } = Toast.useToastManager()
  return useCallback(
    (news) => {
      const id = add(shown(news))
      return (instead) => void add({ id, ...shown(instead) })
    },
    [add],
  )
}

function shown({ title, text, isFailure = false }: News) {
  return {
    title,
    description: text === undefined ? undefined : <Quoted text={text} />,
    type: isFailure ? 'failure' : 'done',
    priority: isFailure ? 'high' : 'low',
    timeout: isFailure ? 0 : DONE_MS,
  } as const
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="news-place pointer-events-none fixed right-4 left-4 z-50 flex flex-col gap-2 sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts, close } = Toast.useToastManager()
  useEscape(toasts.length > 0, close)
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      data-news
      className={`flex items-start gap-3 rounded-box border bg-raised p-3 transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0 ${toast.type === 'failure' ? 'border-stuck' : 'border-line-strong'}`}
    >
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className={`font-medium wrap-anywhere ${toast.type === 'failure' ? 'text-stuck' : ''}`} />
        <Toast.Description className="text-ink-soft" />
      </Toast.Content>
      <Toast.Close aria-label="Close" className={`${buttonClass('quiet', 'icon')} pointer-events-auto -mt-1 -mr-1`}>
        <X size={14} aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ))
}

/** Wherever the focus is, unless the key means something else there: a dialog, a menu, an agent's terminal. */
function useEscape(isThere: boolean, close: () => void): void {
  useEffect(() => {
    if (!isThere) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('[data-covers-page], [role=menu]') !== null) return
      if (!(event.target instanceof Element && event.target.closest('.xterm') !== null)) close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isThere, close])
}
