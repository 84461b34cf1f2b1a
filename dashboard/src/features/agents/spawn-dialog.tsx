/** Starts an agent: for an issue, a project, or by name. What is left out is taken from what is known or the settings. */
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { SpawnBody } from '../../../../src/contract/bodies.ts'
import { ApiError } from '../../live/api.ts'
import { call, useAgents } from '../../live/store.ts'
import { ActButton, Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextAreaField, TextField } from '../../parts/field.tsx'

interface SpawnDialogProps {
  isOpen: boolean
  onClose: () => void
}

export function SpawnDialog({ isOpen, onClose }: SpawnDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Start an agent"
      description="Only who and where must be said. The rest comes from what is known of the agent, then from the settings."
    >
      <SpawnForm onClose={onClose} />
    </Dialog>
  )
}

function SpawnForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    setIsSending(true)
    try {
      const { agent } = await call('POST /api/agents', { body: bodyOf(new FormData(event.currentTarget)) })
      onClose()
      if (agent !== undefined) await navigate({ to: '/agents/$id', params: { id: agent } })
    } catch (error) {
      setProblem(error instanceof ApiError ? `${error.sentence}. ${error.hint}` : String(error))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
      <Fields />
      {problem !== undefined && (
        <p role="alert" className="text-stuck">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <ActButton type="submit" kind="accent" disabled={isSending}>
          {isSending ? 'Starting…' : 'Start'}
        </ActButton>
      </div>
    </form>
  )
}

function Fields() {
  const agents = useAgents()
  const known = (values: readonly (string | undefined)[]): string[] => [
    ...new Set(values.flatMap((value) => value ?? [])),
  ]
  return (
    <>
      <TextField
        name="id"
        label="Agent or issue"
        required
        autoComplete="off"
        placeholder="pan-18"
        hint="An issue's id, a specialist's name, or the id of an agent to start again."
      />
      <TextField
        name="workspace"
        label="Folder it works in"
        autoComplete="off"
        placeholder="/home/me/project"
        list="known-workspaces"
        hint="An absolute path. Needed for a new agent."
      />
      <label className="flex cursor-pointer items-start gap-2">
        <input type="checkbox" name="own" defaultChecked className="mt-1 accent-accent" />
        <span>
          Give a new agent a worktree of its own
          <span className="block text-small text-ink-soft">
            On a branch of its own, in the repository of that folder; what you do there stays apart from it.
          </span>
        </span>
      </label>
      <TextAreaField name="prompt" label="First prompt" hint="What it is told when it starts." />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField name="title" label="Title" autoComplete="off" />
        <TextField name="runtime" label="Runtime" autoComplete="off" list="known-runtimes" />
        <TextField name="model" label="Model" autoComplete="off" list="known-models" />
      </div>
      <label className="flex cursor-pointer items-start gap-2">
        <input type="checkbox" name="auto" className="mt-1 accent-accent" />
        <span>
          Choose the model by its task
          <span className="block text-small text-ink-soft">
            By what its tasks, its title and its prompt say; a model that is named counts before that.
          </span>
        </span>
      </label>
      <Known id="known-workspaces" values={known(agents.map(({ workspace }) => workspace))} />
      <Known id="known-runtimes" values={known(agents.map(({ runtime }) => runtime))} />
      <Known id="known-models" values={known(agents.map(({ model }) => model))} />
    </>
  )
}

function Known({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </datalist>
  )
}

const NAMES = ['id', 'workspace', 'prompt', 'title', 'runtime', 'model'] as const

function bodyOf(data: FormData): SpawnBody {
  const { workspace, ...said }: SpawnBody = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = data.get(name)
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : []
    }),
  )
  const body: SpawnBody = data.get('auto') === null ? said : { ...said, auto: true }
  if (workspace === undefined) return body
  return data.get('own') === null ? { ...body, workspace } : { ...body, repo: workspace }
}
