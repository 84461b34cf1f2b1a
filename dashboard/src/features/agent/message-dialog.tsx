/** Says something to an agent, typed into its own prompt, or gives it work that it is reminded of until it begins. */
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { call, type LiveAgent } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed, type Deed } from '../../parts/deed.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextAreaField } from '../../parts/field.tsx'

interface MessageDialogProps {
  agent: LiveAgent
  /** A message now, or work for when it rests. */
  as: 'message' | 'work'
  isOpen: boolean
  onClose: () => void
}

export function MessageDialog({ agent, as, isOpen, onClose }: MessageDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={as === 'message' ? `Message ${agent.id}` : `Give work to ${agent.id}`}
      description={as === 'message' ? messageWords(agent) : WORK_WORDS}
    >
      <MessageForm agent={agent} as={as} onClose={onClose} />
    </Dialog>
  )
}

function messageWords(agent: LiveAgent): string {
  return isRunning(agent)
    ? 'It is typed into its prompt as one message. While it works, its program may keep it until it has time.'
    : 'It does not run: it goes on with the session that it had, and is told this first.'
}

const WORK_WORDS =
  'It is told of it when it rests, at most three times, and woken for it when it sleeps. Other work that waits is replaced.'

/** Kept while the dialog is closed, so that a slip of the hand loses nothing. */
const drafts = new Map<string, string>()

function MessageForm({ agent, as, onClose }: Omit<MessageDialogProps, 'isOpen'>) {
  const { text, setText, isSending, send } = useText(agent, as, onClose)
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
        label={as === 'message' ? 'Message' : 'Work'}
        rows={5}
        maxLength={as === 'message' ? 200_000 : 1000}
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

function useText(agent: LiveAgent, as: MessageDialogProps['as'], onSent: () => void) {
  const { id } = agent
  const key = `${as} ${id}`
  const [text, setText] = useState(drafts.get(key) ?? '')
  const [isSending, setIsSending] = useState(false)
  const deed = useDeed()
  const keep = (next: string): void => {
    drafts.set(key, next)
    setText(next)
  }
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return
    setIsSending(true)
    const isSent = await deed(as === 'message' ? messaging(agent, text) : assigning(id, text))
    setIsSending(false)
    if (!isSent) return
    keep('')
    onSent()
  }
  return { text, setText: keep, isSending, send }
}

/** One that sleeps is woken by a message; one that was stopped goes on with its session for it. */
function messaging(agent: LiveAgent, text: string): Deed {
  const { id, lifecycle } = agent
  return {
    run: () =>
      isRunning(agent) || lifecycle === 'suspended'
        ? call('POST /api/agents/:id/message', { id, body: { message: text } })
        : call('POST /api/agents/:id/resume', { id, body: { message: text } }),
    done: isRunning(agent) ? `Your message goes to ${id}` : `${id} is woken for your message`,
    act: { agent: id, kind: isRunning(agent) ? 'message' : 'resume' },
  }
}

function assigning(id: string, what: string): Deed {
  return { run: () => call('POST /api/agents/:id/assign', { id, body: { what } }), done: `Work waits for ${id}` }
}
