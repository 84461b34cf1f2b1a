/** «This was wrong»: a person's words on a verdict, kept with what led to it. */
import { useState, type FormEvent } from 'react'
import { call } from '../../live/store.ts'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { TextAreaField } from '../../parts/field.tsx'

const WORDS_LIMIT = 1000

export function WrongVerdict({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen) {
    return (
      <Button kind="quiet" className="self-start" onClick={() => setIsOpen(true)}>
        This is wrong…
      </Button>
    )
  }
  return <WrongForm id={id} onClose={() => setIsOpen(false)} />
}

function WrongForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [words, setWords] = useState('')
  const [isSending, setIsSending] = useState(false)
  const deed = useDeed()
  const send = async (): Promise<void> => {
    setIsSending(true)
    const isKept = await deed({
      run: () => call('POST /api/agents/:id/wrong', { id, body: { words: words.trim() } }),
      done: 'Kept in the folder «wrong» of the home',
    })
    setIsSending(false)
    if (isKept) onClose()
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextAreaField
        label="What is wrong with this verdict?"
        rows={2}
        maxLength={WORDS_LIMIT}
        value={words}
        hint="Your words, its record and its last reports are kept on this machine, without secrets. Nothing is sent."
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <ActButton type="submit" kind="accent" disabled={isSending || words.trim() === ''}>
          {isSending ? 'Keeping…' : 'Keep it'}
        </ActButton>
      </div>
    </form>
  )
}
