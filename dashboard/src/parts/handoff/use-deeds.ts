/** What a person can do about an agent's hand-offs. */
import { useMemo } from 'react'
import type { Handoff } from '../../../../src/contract/handoffs.ts'
import { call } from '../../live/store.ts'
import { useDeed } from '../deed.tsx'
import { planWords } from './words.ts'

interface Party {
  model: string
  runtime: string
  specialist?: string | undefined
}

interface Start {
  from: Party
  to: Party
  /** «Escalate», «Downgrade», «Hand off» */
  verb: string
  /** What it would cost, in a sentence. */
  price?: string | undefined
}

export function useHandoffDeeds(agent: string) {
  const deed = useDeed()
  return useMemo(
    () => ({
      start: ({ from, to, verb, price }: Start) =>
        deed({
          ask: {
            title: `${verb}: ${agent} to ${to.specialist ?? to.model}?`,
            text: [planWords({ agent, from, to }), ...(price === undefined ? [] : [price])].join(' '),
            verb,
          },
          run: () =>
            call('POST /api/agents/:id/handoff', {
              id: agent,
              body: { ...targetOf(to), reason: 'asked for on the dashboard' },
            }),
          done: `The work of ${agent} is being handed to ${to.specialist ?? to.model}`,
        }),
      cycle: () =>
        deed({
          ask: {
            title: `A fresh context for ${agent}?`,
            text:
              'It keeps its model: it writes down where it stands, its context is cleared, and it goes on from what it ' +
              'wrote. If a step fails, it goes on with its old context, or you are asked.',
            verb: 'Fresh context',
          },
          run: () =>
            call('POST /api/agents/:id/handoff', {
              id: agent,
              body: { method: 'context_cycle', reason: 'asked for on the dashboard' },
            }),
          done: `${agent} writes down where it stands`,
        }),
      takeBack: () =>
        deed({
          run: () => call('POST /api/agents/:id/handoff/back', { id: agent, body: {} }),
          done: `${agent} is being given its work back`,
        }),
      setAuto: (on: boolean) =>
        deed({
          run: () => call('POST /api/agents/:id/handoff/auto', { id: agent, body: { on } }),
          done: on ? `Rules may hand the work of ${agent} over` : `Rules leave the work of ${agent} where it is`,
        }),
    }),
    [deed, agent],
  )
}

/** A specialist has a model and a runtime of its own. */
function targetOf({ model, runtime, specialist }: Party) {
  return specialist === undefined ? { toModel: model, toRuntime: runtime } : { toSpecialist: specialist }
}

export function useDecision() {
  const deed = useDeed()
  return (id: Handoff['id'], answer: 'approve' | 'refuse', reason = ''): Promise<boolean> =>
    answer === 'approve'
      ? deed({ run: () => call('POST /api/handoffs/:id/approve', { id }), done: `Hand-off ${id} goes on` })
      : deed({
          run: () => call('POST /api/handoffs/:id/refuse', { id, body: reason === '' ? {} : { reason } }),
          done: `Hand-off ${id} is refused`,
        })
}
