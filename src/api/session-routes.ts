/** An agent's conversation: its messages, and its session's sleep, waking, interruption and clearing. */
import * as z from 'zod'
import { messageId, modelName } from '../contract/ids.ts'
import * as views from '../contract/views.ts'
import { TEXT_LIMIT } from '../contract/text-limit.ts'
import { noAgent, ok, refused } from './answer.ts'
import { COMMAND_REFUSALS, post, read } from './route.ts'
import { submit } from './submit.ts'

const taken = { answer: views.acceptedView, statuses: [202], refusals: COMMAND_REFUSALS } as const

export const sessionRoutes = [
  read('/api/agents/:id/messages', {
    summary: 'The last messages to it: whether each was heard, and by what that is known.',
    answer: views.messagesView,
    handler: ({ param }, deps) => {
      const view = deps.messages(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  post('/api/agents/:id/retry-message', {
    summary: 'Tries a message again that was not delivered.',
    body: z.strictObject({ message: messageId }),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'agent.retry-message', agent: request.param, message: request.body.message }, request, deps),
  }),
  post('/api/agents/:id/recall-message', {
    summary: 'Takes a message back that waits and was not typed.',
    body: z.strictObject({ message: messageId }),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'agent.recall-message', agent: request.param, message: request.body.message }, request, deps),
  }),
  post('/api/agents/:id/resume', {
    summary: 'Goes on with its session, or with a new one where that cannot be had.',
    body: z.strictObject({ message: z.string().trim().min(1).max(TEXT_LIMIT).optional() }).default({}),
    ...taken,
    handler: (request, deps) => {
      const { message: prompt } = request.body
      return submit(
        { type: 'agent.resume', agent: request.param, ...(prompt === undefined ? {} : { prompt }) },
        request,
        deps,
      )
    },
  }),
  post('/api/agents/:id/switch-model', {
    summary: 'Ends it and goes on with its session by another model.',
    body: z.strictObject({ model: modelName }),
    ...taken,
    handler: async (request, deps) => {
      const { model } = request.body
      const barred = await deps.handoffCheck({ agent: request.param, to: { model } })
      if (barred !== undefined) return refused(barred)
      return submit({ type: 'agent.switch-model', agent: request.param, model }, request, deps)
    },
  }),
  post('/api/agents/:id/suspend', {
    summary: 'Ends an idle agent and keeps its session.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.suspend', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/interrupt', {
    summary: 'Interrupts its turn, as by the Escape key.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.interrupt', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/rest', {
    summary: 'Lets it stop at the next good moment, by an order that its hook takes.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.rest', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/clear', {
    summary: 'Gives it an empty context, which is a new generation.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.clear', agent: request.param }, request, deps),
  }),
] as const
