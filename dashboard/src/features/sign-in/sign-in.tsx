/** For a tab without a sign-in: where the link comes from, and a field for who has the link but not the tab. */
import { Bell } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { ApiError } from '../../live/api.ts'
import { signIn, useConnection } from '../../live/store.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Quoted } from '../../parts/quoted.tsx'
import { codeIn } from './code-in.ts'

export function SignIn() {
  const { reason } = useConnection()
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-8">
      <Bell size={32} strokeWidth={1.5} className="text-accent" aria-hidden="true" />
      <div className="flex flex-col gap-2">
        <h1 className="text-title font-semibold">Sign in to Cloister</h1>
        <p role="status">
          <Quoted text={reason ?? 'This tab is not signed in.'} />
        </p>
        <p className="text-ink-soft">
          In a terminal on this machine this command prints a link. It works once and for a minute; the sign-in counts
          for the tab that opens it.
        </p>
      </div>
      <pre className="overflow-x-auto rounded-small border border-line bg-surface px-3 py-2 font-mono select-all">
        pan dashboard
      </pre>
      <CodeForm />
    </main>
  )
}

function CodeForm() {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const code = codeIn(typed)
    if (code === undefined) return setProblem('This is neither such a link nor its code.')
    setIsSending(true)
    await signIn(code).catch((error: unknown) => setProblem(wordsOf(error)))
    setIsSending(false)
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void send(event)}>
      <TextField
        label="Or paste the link here"
        value={typed}
        problem={problem}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" kind="accent" disabled={isSending || typed === ''} className="self-start">
        Sign in
      </Button>
    </form>
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.sentence}. ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}
