/** Keys of the inbox: j and k go from item to item, a digit gives the answer of that place. None while somebody types. */
import { useEffect, type RefObject } from 'react'
import { isBusy } from '../../parts/is-busy.ts'

const ITEM = '[data-needs-you]'

export function useInboxKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const isDone =
        event.key === 'j' || event.key === 'k'
          ? move(list.current, event.key === 'j' ? 1 : -1)
          : /^[1-9]$/.test(event.key) && answer(event.key)
      if (isDone) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [list])
}

function move(list: HTMLElement | null, step: 1 | -1): boolean {
  const items = [...(list?.querySelectorAll<HTMLElement>(ITEM) ?? [])]
  const at = items.findIndex((item) => item.contains(document.activeElement))
  const next = items[at === -1 ? 0 : Math.min(items.length - 1, Math.max(0, at + step))]
  next?.focus()
  return next !== undefined
}

/** Only of the item that has the focus: a stray digit must answer nothing. */
function answer(digit: string): boolean {
  const item = document.activeElement?.closest(ITEM)
  const button = item?.querySelector<HTMLButtonElement>(`[data-answer="${digit}"]:not(:disabled)`)
  button?.click()
  return button !== undefined && button !== null
}
