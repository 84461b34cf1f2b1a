/** Gives an agent another model; one that runs is restarted and goes on with its session. */
import { useState, type FormEvent } from 'react'
import { call, useAgents, type LiveAgent } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { ActButton, Button } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'

interface ModelDialogProps {
  agent: LiveAgent
  isOpen: boolean
  onClose: () => void
}

export function ModelDialog({ agent, isOpen, onClose }: ModelDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Switch the model of ${agent.id}`}
      description={
        isRunning(agent)
          ? 'Its work is saved, its program is ended and started again with the same session and the other model.'
          : 'It has the model from its next start on.'
      }
    >
      <ModelForm agent={agent} onClose={onClose} />
    </Dialog>
  )
}

const TIERS = ['opus', 'sonnet', 'haiku']

function ModelForm({ agent, onClose }: Omit<ModelDialogProps, 'isOpen'>) {
  const { id } = agent
  const deed = useDeed()
  const [isSending, setIsSending] = useState(false)
  const known = [...new Set([...TIERS, ...useAgents().map(({ model }) => model)])].filter(
    (name) => name !== agent.model,
  )
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const model = new FormData(event.currentTarget).get('model')
    if (typeof model !== 'string' || model.trim() === '' || isSending) return
    setIsSending(true)
    const isTaken = await deed({
      run: () => call('POST /api/agents/:id/switch-model', { id, body: { model: model.trim() } }),
      done: isRunning(agent) ? `${id} is switched to ${model.trim()}` : `${id} has the model ${model.trim()}`,
      ...(isRunning(agent) ? { act: { agent: id, kind: 'resume' as const } } : {}),
    })
    setIsSending(false)
    if (isTaken) onClose()
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
      <TextField
        name="model"
        label="Model"
        required
        maxLength={100}
        autoComplete="off"
        list="models-to-switch-to"
        placeholder={known[0]}
        hint={`A tier (opus, sonnet, haiku) or a model's id. It has ${agent.model} now.`}
      />
      <datalist id="models-to-switch-to">
        {known.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <ActButton type="submit" kind="accent" disabled={isSending}>
          Switch
        </ActButton>
      </div>
    </form>
  )
}
