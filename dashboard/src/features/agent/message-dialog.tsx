/** Says something to an agent; it is typed into its own prompt. */
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { call } from '../../live/store.ts'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextAreaField } from '../../parts/field.tsx'

interface MessageDialogProps {
  id: string
  isOpen: boolean
  onClose: () => void
}

export function MessageDialog({ id, isOpen, onClose }: MessageDialogProps) {
  // Kept while the dialog is closed, so that a slip of the hand loses nothing.
  const [text, setText] = useState('')
  const [isSending, setIsSending] = useState(false)
  const deed = useDeed()
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return
    setIsSending(true)
    const isSent = await deed({
      run: () => call('POST /api/agents/:id/message', { id, body: { message: text } }),
      done: `Your message goes to ${id}`,
      act: { agent: id, kind: 'message' },
    })
    setIsSending(false)
    if (!isSent) return
    setText('')
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Message ${id}`}
      description="It is typed into its prompt as one message. While it works, its program may keep it until it has time."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
      >
        <TextAreaField
          label="Message"
          rows={5}
          maxLength={100_000}
          value={text}
          hint="Ctrl and Enter send it."
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <ActButton type="submit" kind="accent" disabled={isSending || text.trim() === ''}>
            {isSending ? 'Sending…' : 'Send'}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
