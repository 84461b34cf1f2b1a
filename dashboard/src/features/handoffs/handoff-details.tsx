/** All that is known of one hand-off: facts, steps, what its successor read, the way back, and whether it helped. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { HandoffEvent } from '../../../../src/contract/handoff-views.ts'
import { call } from '../../live/store.ts'
import { ActButton } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import {
  estimateWords,
  helpedWords,
  JUDGED_BY,
  METHOD_WORDS,
  reckonedWords,
  restoreCommand,
  savingsOf,
  whyWords,
  wordOf,
} from '../../parts/handoff/words.ts'
import { Ago } from '../../parts/time.tsx'
import { duration } from '../../parts/words.ts'
import { Steps } from './steps.tsx'
import { SuccessorText } from './successor-text.tsx'

export function HandoffDetails({ handoff }: { handoff: HandoffEvent }) {
  return (
    <div className="flex min-w-0 flex-col gap-6 px-3 pt-2 pb-4 sm:px-7">
      <div className="grid min-w-0 gap-x-8 gap-y-6 lg:grid-cols-2">
        <Facts handoff={handoff} />
        <Part title="Steps">
          <Steps id={handoff.id} state={handoff.state} />
        </Part>
      </div>
      <Outcome handoff={handoff} />
      <Part title="What the successor was given">
        <SuccessorText handoff={handoff} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Facts({ handoff }: { handoff: HandoffEvent }) {
  const { agentId, issueId, from, to, method, by, gate, timestamp, durationMs, errorMessage } = handoff
  const { salvage, context, savings, evidence = [] } = handoff
  return (
    <Part title="Facts">
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Work of">
          <Link to="/agents/$id" params={{ id: agentId }} className="font-mono text-accent hover:underline">
            {agentId}
          </Link>
          {issueId !== '' && <span className="text-ink-soft"> on {issueId}</span>}
        </Fact>
        <Fact name="From">{fullName(from)}</Fact>
        <Fact name="To">{fullName(to)}</Fact>
        <Fact name="Method">{wordOf(METHOD_WORDS, method)}</Fact>
        <Fact name="Why">{whyWords(handoff)}</Fact>
        {evidence.length > 0 && <Fact name="Evidence">{evidence.join('; ')}</Fact>}
        <Fact name="Wanted by">{by}</Fact>
        {gate !== undefined && <Fact name="Needed a yes">{gate}</Fact>}
        {context.stuckMinutes !== undefined && <Fact name="Stuck for">{`${context.stuckMinutes} min`}</Fact>}
        <Fact name="Began">
          <Ago at={Date.parse(timestamp)} />
        </Fact>
        {durationMs !== undefined && <Fact name="Took">{duration(durationMs)}</Fact>}
        {errorMessage !== undefined && <Fact name="Ended">{errorMessage}</Fact>}
        {savings !== undefined && (
          <Fact name="Came to">
            {reckonedWords(savings).join(' ')}
            <span className="block text-ink-soft">{savings.why}</span>
          </Fact>
        )}
        <Fact name="Estimate">
          {savingsOf(handoff) ?? 'not known'}
          <span className="block text-ink-soft">{estimateWords(handoff, to.model)}</span>
        </Fact>
        <Fact name="Salvage">
          {salvage === undefined ? (
            <span className="text-ink-soft">none</span>
          ) : (
            <span className="flex flex-wrap items-center gap-x-1">
              <span className="basis-full font-mono">{salvage}</span>
              <code className="font-mono text-small">{restoreCommand(agentId, salvage)}</code>
              <CopyButton label="Copy the command" text={restoreCommand(agentId, salvage)} />
            </span>
          )}
        </Fact>
      </dl>
    </Part>
  )
}

function fullName({ model, runtime, specialist }: HandoffEvent['to']): string {
  return `${specialist === undefined ? '' : `${specialist}: `}${model} in ${runtime}`
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

/** Only one that was done can have helped; a person's word counts more than what was seen. */
function Outcome({ handoff }: { handoff: HandoffEvent }) {
  const deed = useDeed()
  const { id, outcome } = handoff
  if (outcome === undefined) return null
  const { verificationMethod: by, verifiedAt, notes } = outcome
  const judge = (recovered: 'yes' | 'no') =>
    deed({
      run: () => call('POST /api/handoffs/:id/judge', { id, body: { recovered } }),
      done: recovered === 'yes' ? `It is written down that ${id} helped` : `It is written down that ${id} did not help`,
    })
  return (
    <Part title="Whether it helped">
      <p>
        <span className="font-medium">{sentence(helpedWords(handoff))}</span>
        {by !== undefined && <span className="text-ink-soft">{`, ${wordOf(JUDGED_BY, by)}`}</span>}
        {verifiedAt !== undefined && (
          <span className="text-ink-soft">
            {', '}
            <Ago at={Date.parse(verifiedAt)} />
          </span>
        )}
        {notes !== undefined && <span className="block wrap-anywhere">{notes}</span>}
      </p>
      <div role="group" aria-label="Your word on it" className="flex flex-wrap gap-2">
        <ActButton onClick={() => void judge('yes')}>It helped</ActButton>
        <ActButton onClick={() => void judge('no')}>It did not help</ActButton>
      </div>
    </Part>
  )
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
