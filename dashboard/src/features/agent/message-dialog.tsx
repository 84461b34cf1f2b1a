/** Says something to an agent; it is typed into its own prompt. */
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { call, type LiveAgent } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextAreaField } from '../../parts/field.tsx'

interface MessageDialogProps {
  agent: LiveAgent
  isOpen: boolean
  onClose: () => void
}

export function MessageDialog({ agent, isOpen, onClose }: MessageDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Message ${agent.id}`}
      description={
        isRunning(agent)
          ? 'It is typed into its prompt as one message. While it works, its program may keep it until it has time.'
          : 'It does not run: it goes on with the session that it had, and is told this first.'
      }
    >
      <MessageForm agent={agent} onClose={onClose} />
    </Dialog>
  )
}

/** Kept while the dialog is closed, so that a slip of the hand loses nothing. */
const drafts = new Map<string, string>()

function MessageForm({ agent, onClose }: Omit<MessageDialogProps, 'isOpen'>) {
  const { text, setText, isSending, send } = useMessage(agent, onClose)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
  }
  return (
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
        maxLength={200_000}
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
  )
}

/** One that sleeps is woken by a message; one that was stopped goes on with its session for it. */
function useMessage(agent: LiveAgent, onSent: () => void) {
  const { id, lifecycle } = agent
  const [text, setText] = useState(drafts.get(id) ?? '')
  const [isSending, setIsSending] = useState(false)
  const deed = useDeed()
  const keep = (next: string): void => {
    drafts.set(id, next)
    setText(next)
  }
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return
    setIsSending(true)
    const isSent = await deed({
      run: () =>
        isRunning(agent) || lifecycle === 'suspended'
          ? call('POST /api/agents/:id/message', { id, body: { message: text } })
          : call('POST /api/agents/:id/resume', { id, body: { message: text } }),
      done: isRunning(agent) ? `Your message goes to ${id}` : `${id} is woken for your message`,
      act: { agent: id, kind: isRunning(agent) ? 'message' : 'resume' },
    })
    setIsSending(false)
    if (!isSent) return
    keep('')
    onSent()
  }
  return { text, setText: keep, isSending, send }
}
