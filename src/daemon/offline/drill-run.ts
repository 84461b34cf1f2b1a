/** One drill in one home: gives the orders, follows the daemon's events, and does what the plan wants in between. */
import { setTimeout as sleep } from 'node:timers/promises'
import { livingGenerations } from '../../adapters/process/living-generations.ts'
import type { DrillReport } from '../../contract/drill.ts'
import type { Event, EventOf } from '../../contract/events.ts'
import type { AgentView, InboxView } from '../../contract/views.ts'
import type { StatusView } from '../../contract/status-view.ts'
import { SECOND } from '../../core/durations.ts'
import {
  beginDrill,
  beginsWithDeed,
  deedDone,
  follow,
  isOver,
  nextDeed,
  reportOf,
  type Drill,
} from '../../core/drill/follow.ts'
import type { Deed, DeedKind, Plan } from '../../core/drill/plan.ts'
import { JUMP_MS, LIMIT_MS } from '../../core/drill/plans.ts'
import { homeId } from '../home-id.ts'
import { eventsAfter, type DrillApi } from './drill-api.ts'
import { lines } from './drill-print.ts'

const POLL_MS = 100
/** So many looks that two which are owed after a doubt are among them; a live home has more time between its looks. */
const LOOKS = 4
const LIVE_LOOKS = 2
const GONE_MS = 10 * SECOND

export interface DrillRun {
  plan: Plan
  home: string
  api: DrillApi
  /** Only in a temporary home. */
  moveClock?: (offsetMs: number) => void
  /** Instead of what the plan allows. */
  timeoutMs: number | undefined
  signal: AbortSignal
  tell: (line: string) => void
}

export async function runDrill(run: DrillRun): Promise<DrillReport> {
  const { plan, api, moveClock, signal } = run
  let { lastSeq: seq } = await eventsAfter(api, await newestSeq(api))
  let drill = beginDrill(plan)
  if (beginsWithDeed(plan)) seq = await giveAndAwait(run, seq)
  else await give(run)
  const deadline = performance.now() + (run.timeoutMs ?? plan.patienceMs)
  let injectedAt: number | undefined
  // What was not noticed within its bound has failed, whatever comes after.
  const isLate = () =>
    drill.detected === undefined && performance.now() > (injectedAt ?? Infinity) + plan.boundMs + SECOND
  while (!isOver(drill) && !signal.aborted && !isLate() && performance.now() < deadline) {
    const { events, lastSeq } = await eventsAfter(api, seq)
    seq = lastSeq
    for (const event of events) drill = step(drill, event, run)
    if (drill.injectedAt !== undefined) injectedAt ??= performance.now()
    const deed = isOver(drill) ? undefined : nextDeed(drill)
    if (deed === undefined) await sleep(POLL_MS)
    else drill = await perform(drill, deed, run)
  }
  const home = moveClock === undefined ? 'live' : 'temporary'
  return reportOf(drill, home, signal.aborted ? 'interrupted' : undefined)
}

/** The newest event, however long the journal is. */
async function newestSeq(api: DrillApi): Promise<number> {
  const { lastSeq } = await api.get<{ lastSeq: number }>('/api/events?limit=1')
  return lastSeq
}

async function give({ plan, api }: DrillRun): Promise<void> {
  for (const { agent, text } of plan.orders) await api.post(`/api/agents/${agent}/message`, { message: text })
}

/** The stage is set first; the fault comes with a deed. */
async function giveAndAwait(run: DrillRun, after: number): Promise<number> {
  await give(run)
  const waiting = new Set(run.plan.orders.map(({ agent }) => agent))
  const deadline = performance.now() + 30 * SECOND
  let seq = after
  while (waiting.size > 0 && !run.signal.aborted && performance.now() < deadline) {
    const { events, lastSeq } = await eventsAfter(run.api, seq)
    seq = lastSeq
    for (const event of events) if (event.type === 'message.heard') waiting.delete(event.agent)
    await sleep(POLL_MS)
  }
  if (waiting.size > 0) throw new Error(`the order never reached ${[...waiting].join(', ')}`)
  await look(run, 2)
  return seq
}

/** By the daemon's own clock, which stands still while it sleeps; a fault that we made ourselves is timed by ours. */
function step(drill: Drill, event: Event, { plan, tell }: DrillRun): Drill {
  const next = follow(drill, event, beginsWithDeed(plan) ? performance.now() : event.observedAt)
  for (const line of lines(drill, next)) tell(line)
  return next
}

async function perform(drill: Drill, deed: Deed, run: DrillRun): Promise<Drill> {
  const failed = await DEEDS[deed.deed](run, drill)
  const done = deedDone(drill, deed, { at: performance.now(), failed })
  for (const line of lines(drill, done)) run.tell(line)
  return done
}

/** Each gives the reason when it failed. */
type Deeds = Record<DeedKind, (run: DrillRun, drill: Drill) => Promise<string | undefined>>

const DEEDS: Deeds = {
  'jump-ahead': (run) => jump(run, JUMP_MS),
  'jump-back': (run) => jump(run, 0),
  'look-on': (run) => look(run, run.moveClock === undefined ? LIVE_LOOKS : LOOKS),
  'pass-limit': async (run, { seen }) => {
    // The understudy goes by its own clock, and is limited until that says so.
    await sleep(LIMIT_MS + SECOND)
    const began = seen.find((event): event is EventOf<'limit.began'> => event.type === 'limit.began')
    return jump(run, (began?.limit.untilWallAt ?? 0) - Date.now() + SECOND)
  },
  answer: async ({ api, plan }) => {
    const item = (await inbox(api)).find(({ agent, kind }) => kind === 'waiting' && plan.faulty.includes(agent ?? ''))
    if (item === undefined) return 'the question is not in the inbox'
    if (item.answerable !== true) return 'the question in the inbox cannot be answered there'
    await api.post(`/api/inbox/${item.id}/answer`, { answer: 'deny' })
    return undefined
  },
  settle: async ({ api }) => {
    const item = (await inbox(api)).find(({ kind }) => kind === 'mass')
    if (item === undefined) return 'the alert is not in the inbox'
    await api.post(`/api/inbox/${item.id}/settle`)
    return undefined
  },
  'find-orphan': async (run) => ((await orphans(run, 'any')) > 0 ? undefined : 'the understudy left no process behind'),
  'find-no-orphans': async (run) => {
    const deadline = performance.now() + GONE_MS
    while ((await orphans(run, 'earlier')) > 0) {
      if (performance.now() > deadline) return 'the process that was left behind still lives'
      await sleep(POLL_MS)
    }
    return undefined
  },
}

async function jump({ moveClock }: DrillRun, offsetMs: number): Promise<string | undefined> {
  if (moveClock === undefined) return 'the clock of a live home is never moved'
  moveClock(offsetMs)
  return undefined
}

/** How many processes of the agent live: all of them, or those of an earlier generation than the present one. */
async function orphans({ api, home, plan }: DrillRun, which: 'any' | 'earlier'): Promise<number> {
  const [agent = ''] = plan.faulty
  const { generation } = await api.get<AgentView>(`/api/agents/${agent}`)
  const living = livingGenerations(homeId(home), agent)
  return living.filter((each) => which === 'any' || each < generation).length
}

async function look({ api, signal }: DrillRun, count: number): Promise<string | undefined> {
  const deadline = performance.now() + 60 * SECOND + count * 60 * SECOND
  for (let n = 0; n < count; n += 1) {
    const before = await lastCheck(api)
    while ((await lastCheck(api)) === before) {
      if (signal.aborted) return undefined
      if (performance.now() > deadline) return 'the daemon looks at nobody any more'
      await sleep(POLL_MS)
    }
  }
  return undefined
}

async function lastCheck(api: DrillApi): Promise<number | undefined> {
  return (await api.get<StatusView>('/api/cloister/status')).lastCheckWallAt
}

async function inbox(api: DrillApi): Promise<InboxView['items']> {
  return (await api.get<InboxView>('/api/inbox')).items
}
