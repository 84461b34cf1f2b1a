/** The one way to ask before something that cannot be taken back: says what will happen, then does it or does not. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { BACKDROP, POPUP } from './dialog.tsx'
import { Guard } from './guard.tsx'

export interface Question {
  /** «Kill agent-pan-18?» */
  title: string
  /** What will happen and what will not. */
  text: string
  /** What is concerned, by name. */
  names?: readonly string[]
  /** The word on the button: «Kill». */
  verb: string
  isDanger?: boolean
  /** For what stops everything: the button must be held, or this word typed. */
  guardWord?: string
}

type Ask = (question: Question) => Promise<boolean>

const Asking = createContext<Ask>(() => Promise.resolve(false))

export function useConfirm(): Ask {
  return useContext(Asking)
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const [isOpen, setIsOpen] = useState(false)
  const answer = useRef<(agreed: boolean) => void>(undefined)

  const ask = useCallback<Ask>((asked) => {
    answer.current?.(false)
    setQuestion(asked)
    setIsOpen(true)
    return new Promise((resolve) => (answer.current = resolve))
  }, [])

  const settle = (agreed: boolean): void => {
    setIsOpen(false)
    answer.current?.(agreed)
    answer.current = undefined
  }

  return (
    <Asking value={ask}>
      {children}
      <AlertDialog.Root open={isOpen} onOpenChange={(open) => open || settle(false)}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className={BACKDROP} />
          {question !== undefined && <Popup question={question} onAnswer={settle} />}
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </Asking>
  )
}

function Popup({ question, onAnswer }: { question: Question; onAnswer: (agreed: boolean) => void }) {
  const { title, text, names = [], verb, isDanger = false, guardWord } = question
  // The safe answer has the focus.
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Popup data-covers-page initialFocus={cancel} className={POPUP}>
      <AlertDialog.Title className="text-large font-semibold">{title}</AlertDialog.Title>
      <AlertDialog.Description className="text-ink-soft">{text}</AlertDialog.Description>
      {names.length > 0 && <Names names={names} />}
      {guardWord !== undefined && <Guard word={guardWord} verb={verb} onDone={() => onAnswer(true)} />}
      <div className="flex justify-end gap-2">
        <Button ref={cancel} onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        {guardWord === undefined && (
          <Button kind={isDanger ? 'danger' : 'accent'} onClick={() => onAnswer(true)}>
            {verb}
          </Button>
        )}
      </div>
    </AlertDialog.Popup>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled list must be reachable by keyboard
      tabIndex={0}
      aria-label="Concerned"
      className="max-h-40 columns-2 overflow-y-auto border-y border-line py-2 font-mono text-small"
    >
      {names.map((name) => (
        <li key={name} className="truncate">
          {name}
        </li>
      ))}
    </ul>
  )
}
