/** What can be done to one agent from anywhere, by its state and by what its runtime can. */
import { useMemo } from 'react'
import { call, type LiveAgent } from '../live/store.ts'
import type { Question } from './confirm.tsx'
import { useDeed, type Deed } from './deed.tsx'

const NAMES = [
  'poke',
  'hold',
  'freeze',
  'release',
  'interrupt',
  'rest',
  'suspend',
  'clear',
  'resume',
  'kill',
  'start',
  'forget',
] as const
type DeedName = (typeof NAMES)[number]

export type AgentDeeds = Record<DeedName, () => Promise<boolean>>

export function useAgentDeeds(id: string): AgentDeeds {
  const deed = useDeed()
  return useMemo(() => {
    const entries = NAMES.map((name) => [name, () => deed(DEEDS[name](id))] as const)
    return Object.fromEntries(entries) as AgentDeeds
  }, [deed, id])
}

const DEEDS: Record<DeedName, (id: string) => Deed> = {
  poke: (id) => ({
    run: () => call('POST /api/agents/:id/poke', { id }),
    done: `${id} is being poked`,
    act: { agent: id, kind: 'poke' },
  }),
  hold: (id) => ({
    run: () => call('POST /api/agents/:id/hold', { id, body: { reason: 'held from the dashboard' } }),
    done: `${id} is held for 8 hours: rules leave it alone`,
  }),
  freeze: (id) => ({
    ask: FREEZE(id),
    run: () => call('POST /api/agents/:id/freeze', { id, body: { reason: 'frozen from the dashboard' } }),
    done: `${id} is frozen until you release it`,
  }),
  release: (id) => ({ run: () => call('POST /api/agents/:id/release', { id }), done: `${id} is released` }),
  interrupt: (id) => ({
    run: () => call('POST /api/agents/:id/interrupt', { id }),
    done: `${id} is being interrupted`,
    act: { agent: id, kind: 'interrupt' },
  }),
  rest: (id) => ({
    run: () => call('POST /api/agents/:id/rest', { id }),
    done: `${id} comes to rest after its present calls`,
    act: { agent: id, kind: 'rest' },
  }),
  suspend: (id) => ({
    run: () => call('POST /api/agents/:id/suspend', { id }),
    done: `${id} is being put to sleep`,
    act: { agent: id, kind: 'suspend' },
  }),
  clear: (id) => ({
    ask: CLEAR(id),
    run: () => call('POST /api/agents/:id/clear', { id }),
    done: `The context of ${id} is being cleared`,
    act: { agent: id, kind: 'clear' },
  }),
  resume: (id) => ({
    run: () => call('POST /api/agents/:id/resume', { id, body: {} }),
    done: `${id} is being resumed`,
    act: { agent: id, kind: 'resume' },
  }),
  kill: (id) => ({
    ask: KILL(id),
    run: () => call('POST /api/agents/:id/kill', { id, body: {} }),
    done: `${id} is being killed`,
    act: { agent: id, kind: 'kill' },
  }),
  start: (id) => ({
    run: () => call('POST /api/agents', { body: { id } }),
    done: `${id} is being started`,
    act: { agent: id, kind: 'spawn' },
  }),
  forget: (id) => ({
    ask: FORGET(id),
    run: () => call('POST /api/agents/:id/forget', { id }),
    done: `${id} is forgotten`,
  }),
}

const CLEAR = (id: string): Question => ({
  title: `Clear the context of ${id}?`,
  text: 'It forgets the conversation and begins a new session. Its files stay as they are.',
  verb: 'Clear',
  isDanger: true,
})

const FREEZE = (id: string): Question => ({
  title: `Freeze ${id}?`,
  text: 'Nobody types to it, starts it or changes it, neither a rule nor a person, until it is released. It can still be killed.',
  verb: 'Freeze',
  isDanger: false,
})

const KILL = (id: string): Question => ({
  title: `Kill ${id}?`,
  text: 'What it has not committed is saved first and can be restored. Its program and all that it started is ended.',
  verb: 'Kill',
  isDanger: true,
})

const FORGET = (id: string): Question => ({
  title: `Forget ${id}?`,
  text: 'It is taken off the list. Its workspace and the log stay, and so do its salvages, if there are any. One that was adopted goes on.',
  verb: 'Forget',
  isDanger: true,
})

/** What may be done to a session that a person started; undefined for an agent of Cloister's own. */
export function adoptedWords({ adopted }: Pick<LiveAgent, 'adopted'>): string | undefined {
  if (adopted === undefined) return undefined
  return adopted.allow.length === 0 ? 'adopted, observe-only' : `adopted, allowed: ${adopted.allow.join(', ')}`
}

/** Why this is never done to it; undefined when it may be. */
export function barredWords({ adopted }: Pick<LiveAgent, 'adopted'>, what: 'message' | 'kill' | 'poke') {
  if (adopted === undefined || (what !== 'poke' && adopted.allow.includes(what))) return undefined
  return 'You started it yourself and had it adopted; this was not allowed.'
}

/** Whether it runs now, so that it can be poked and killed rather than started. */
export function isRunning({ lifecycle }: Pick<LiveAgent, 'lifecycle'>): boolean {
  return lifecycle === 'active' || lifecycle === 'idle'
}

/** Whether there is a session that it can go on with. */
export function isResumable({
  lifecycle,
  sessionId,
  can,
}: Pick<LiveAgent, 'lifecycle' | 'sessionId' | 'can'>): boolean {
  return !isRunning({ lifecycle }) && sessionId !== undefined && can.includes('resume')
}
