/** What a person runs to sit at the agent's terminal himself, ready to be copied. */
import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../live/api.ts'
import { IconButton } from '../button.tsx'

const COPIED_MS = 2_000

export function AttachCommand({ agent, generation }: { agent: string; generation: number | undefined }) {
  const { data } = useQuery({
    queryKey: ['attach', agent, generation],
    queryFn: () => call('GET /api/agents/:id/attach', { id: agent }),
  })
  const [isCopied, setIsCopied] = useState(false)
  if (data === undefined) return null
  const command = data.command.map(inShell).join(' ')
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 truncate font-mono text-small text-ink-soft" title={command}>
        {command}
      </code>
      <IconButton label={isCopied ? 'Copied' : 'Copy the attach command'} onClick={() => void copy()}>
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  )
}

function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('=') ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
