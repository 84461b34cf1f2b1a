/** What the successor was given to read. It holds words of agents and files: shown as they stand, never as anything else. */
import { useState } from 'react'
import type { HandoffEvent } from '../../../../src/contract/handoff-views.ts'
import { Asked } from '../../parts/asked.tsx'
import { Button } from '../../parts/button.tsx'
import { PART_WORDS, wordOf } from '../../parts/handoff/words.ts'
import { useDocument } from './use-handoffs.ts'

export function SuccessorText({ handoff: { id, captured } }: { handoff: HandoffEvent }) {
  const [isShown, setIsShown] = useState(false)
  const query = useDocument(id, isShown)
  if (captured === undefined) return <p className="text-ink-soft">Nothing was written down.</p>
  const { parts, bytes } = captured
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <p className="text-ink-soft wrap-anywhere">{`${kilobytes(bytes)} made of ${parts.map((part) => wordOf(PART_WORDS, part)).join(', ') || 'what the journal knows'}`}</p>
      <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide the text' : 'Show the text'}
      </Button>
      {isShown && (
        <Asked what="the text" query={query}>
          {({ text, changed }) => (
            <div className="flex w-full min-w-0 flex-col gap-2">
              {changed === true && (
                <p className="text-warning">The file was changed since: this is not what the successor was given.</p>
              )}
              <pre
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
                tabIndex={0}
                aria-label="What the successor was given"
                className="max-h-96 overflow-auto rounded-small border border-line bg-ground p-3 font-mono text-small whitespace-pre-wrap wrap-anywhere"
              >
                {text}
              </pre>
            </div>
          )}
        </Asked>
      )}
    </div>
  )
}

function kilobytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`
}
