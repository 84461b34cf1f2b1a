/** Short news at the edge of the page: what a deed came to. Read out politely; what failed stays until it is closed. */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { Quoted } from './quoted.tsx'

export interface News {
  title: string
  text?: string
  isFailure?: boolean
}

const DONE_MS = 5_000

export function useToast(): (news: News) => void {
  const { add } = Toast.useToastManager()
  return ({ title, text, isFailure = false }) => {
    add({
      title,
      ...(text === undefined ? {} : { description: <Quoted text={text} /> }),
      type: isFailure ? 'failure' : 'done',
      priority: isFailure ? 'high' : 'low',
      timeout: isFailure ? 0 : DONE_MS,
    })
  }
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-20 left-4 z-50 flex flex-col gap-2 sm:bottom-4 sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      data-news
      className={`flex items-start gap-3 rounded-box border bg-raised p-3 transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0 ${toast.type === 'failure' ? 'border-stuck' : 'border-line-strong'}`}
    >
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className={`font-medium ${toast.type === 'failure' ? 'text-stuck' : ''}`} />
        <Toast.Description className="text-ink-soft" />
      </Toast.Content>
      <Toast.Close aria-label="Close" className={`${buttonClass('quiet', 'icon')} -mt-1 -mr-1`}>
        <X size={14} aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ))
}
