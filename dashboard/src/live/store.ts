/**
 * The live state for React: each hook draws anew only when what it gives changed. One stream per tab; two tabs know
 * nothing of each other.
 */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { AgentId } from '../../../src/contract/ids.ts'
import type { Ribbon } from '../../../src/contract/ribbon.ts'
import type { ShownEvent } from '../../../src/contract/views.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { call, whenUnauthorized } from './api.ts'
import { LiveState, type Connection, type LiveAgent, type LiveChange, type Topic } from './live-state.ts'
import type { LiveRibbons } from './live-ribbon.ts'
import { RibbonFeeds } from './ribbon-feeds.ts'
import { forgetToken, keepToken, takeLoginCode, token } from './session.ts'
import { StreamClient } from './stream-client.ts'
import { Ticker } from './ticker.ts'

export type { Connection, LiveAgent, LiveChange, LiveRibbons }
export { call }

export interface LiveRibbon {
  from: number
  to: number
  ribbon: Ribbon
}

const HIDDEN_FRAME_MS = 1_000
const EVENTS_LOADED = 200

const state = new LiveState({ now: () => Date.now(), onFrame })
const client = new StreamClient({
  state,
  token,
  signedOut: leave,
  fetch: (...given) => fetch(...given),
  wait,
  random: () => Math.random(),
})
const ticker = new Ticker({ now: state.now, wait })
const ribbons = new RibbonFeeds({
  state,
  wait,
  onFrame,
  load: ({ hours, agent }) =>
    agent === undefined
      ? call('GET /api/ribbons', { query: { hours } })
      : call('GET /api/agents/:id/ribbon', { id: agent, query: { hours } }),
})

/** Takes the code of a login link, if the address has one, and connects. Call it once, before the first drawing. */
export async function startLive(): Promise<void> {
  whenUnauthorized(() => leave('The sign-in of this tab does not count any more. Run `pan dashboard` again.'))
  // A person who comes back should not wait for the next try.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && state.connection().state === 'offline') client.start()
  })
  state.watch(({ anew }) => {
    if (anew) void loadEvents()
  })
  // A link that is opened in a tab of this page changes only what follows the #.
  addEventListener('hashchange', () => void signInByLink())
  if (!(await signInByLink())) client.start()
}

/** Whether the address was such a link. */
async function signInByLink(): Promise<boolean> {
  const code = takeLoginCode()
  if (code === undefined) return false
  await signIn(code).catch((error: unknown) => {
    // A link that was opened twice does not sign anybody out.
    if (token() === undefined) leave(error instanceof Error ? error.message : String(error))
    else client.start()
  })
  return true
}

/** Trades the one-time code of `pan dashboard` for this tab's token. Throws an ApiError when the code does not count. */
export async function signIn(code: string): Promise<void> {
  const login = await call('POST /api/login', { body: { code } })
  keepToken(login.token)
  client.start()
}

export function signOut(): void {
  // Whether or not the daemon can be reached, this tab forgets.
  void call('POST /api/logout').catch(() => {})
  leave('You signed out of this tab. Run `pan dashboard` to come back.')
}

function leave(reason: string): void {
  client.stop()
  forgetToken()
  state.forget()
  state.connect({ state: 'signed-out', reason })
}

/** What happened before the stream began; without it the list is only shorter. */
async function loadEvents(): Promise<void> {
  const { boot } = state
  const { events } = await call('GET /api/events', { query: { limit: EVENTS_LOADED } }).catch(() => ({ events: [] }))
  if (state.boot === boot) state.addEvents(events)
}

/** Undefined until the first snapshot. */
export function useStatus(): StatusView | undefined {
  return useTopic('status', state.status)
}

/** All agents by name. Changes whenever any of them does: for long lists take `useAgentIds` and `useAgent`. */
export function useAgents(): readonly LiveAgent[] {
  return useTopic('agents', state.agents)
}

/** Changes only when an agent comes or goes. */
export function useAgentIds(): readonly AgentId[] {
  return useTopic('ids', state.ids)
}

export function useAgent(id: AgentId): LiveAgent | undefined {
  return useTopic(`agent ${id}`, () => state.agent(id))
}

/** What happened lately, oldest first: the last 500, or the last 100 of one agent, as far as this tab knows them. */
export function useEvents(agent?: AgentId): readonly ShownEvent[] {
  return useTopic(agent === undefined ? 'events' : `events ${agent}`, () => state.events(agent))
}

export function useConnection(): Connection {
  return useTopic('connection', state.connection)
}

/** The daemon's wall clock, every second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.now)
}

/** The same at this moment, for what is asked for and ages from then on. */
export function clockNow(): number {
  return state.now()
}

/** The last hours of all agents up to now; undefined until they are there. */
export function useRibbons(hours: number): LiveRibbons | undefined {
  const feed = ribbons.feed({ hours })
  return useSyncExternalStore(feed.subscribe, feed.current)
}

export function useRibbon(agent: AgentId, hours: number): LiveRibbon | undefined {
  const feed = ribbons.feed({ hours, agent })
  const view = useSyncExternalStore(feed.subscribe, feed.current)
  return useMemo(() => {
    const ribbon = view?.ribbons[0]
    return view === undefined || ribbon === undefined ? undefined : { from: view.from, to: view.to, ribbon }
  }, [view])
}

/** For details that are asked for: called with what changed, and with `anew` when all may have. */
export function watchChanges(call: (change: LiveChange) => void): () => void {
  return state.watch(call)
}

function useTopic<Value>(topic: Topic, value: () => Value): Value {
  const subscribe = useCallback((call: () => void) => state.subscribe(topic, call), [topic])
  return useSyncExternalStore(subscribe, value)
}

/** A hidden tab is not painted; its title should still be true. */
function onFrame(call: () => void): void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    clearTimeout(late)
    call()
  }
  const late = setTimeout(once, HIDDEN_FRAME_MS)
  requestAnimationFrame(once)
}

function wait(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
