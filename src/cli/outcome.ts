/** After a command was taken: shows what happens on its agent until the act has its outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventOf } from '../contract/events.ts'
import type { ActKind } from '../contract/acts.ts'
import type { ShownEvent } from '../contract/views.ts'
import type { Client } from './client.ts'
import { EXIT } from './failure.ts'
import { complain, print, printable, printJson } from './output.ts'

const PATIENCE_MS = 120_000
/** A message that is held this long, past its second try, is not waited for: the way is not free, and it is said why. */
const HELD_PATIENCE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

export const WAIT_OPTION = ['--no-wait', 'do not wait for the outcome'] as const

export interface Waiting {
  json?: true
  wait: boolean
}

export interface Awaited {
  agent: string
  act: ActKind
  /** The act that follows it, where only that one's end counts. */
  next?: ActKind
  /** Events after this one are of interest. */
  seq: number
  /** What else --json tells. */
  about?: object
}

/** Returns the exit code: 0 only when the act is verified as done. */
export async function followAct(client: Client, { json, wait }: Waiting, awaited: Awaited): Promise<number> {
  const { agent, act, seq, about = {} } = awaited
  if (!wait) {
    if (json) printJson({ agent, act, seq, ...about })
    else print(`Asked for: ${act} of ${agent}. \`pan agents logs ${agent}\` shows what becomes of it.`)
    return EXIT.ok
  }
  const seen: ShownEvent[] = []
  const ended = await untilEnded(client, awaited, (event) => {
    if (!json && !isRepeated(event, seen)) print(printable(event.sentence))
    seen.push(event)
  })
  if (json) {
    printJson({ agent, act, seq, ...ended, ...about, events: seen })
  } else if (ended.result === null) {
    complain(`${printable(openSentence(awaited, ended.detail))} \`pan agents logs ${agent}\` shows what becomes of it.`)
  }
  return ended.result === 'done' ? EXIT.ok : EXIT.failed
}

function openSentence({ act, agent, seq }: Awaited, why: string | undefined): string {
  if (why === undefined) return `The ${act} of ${agent} has no outcome yet.`
  return `Message m-${seq} still waits for ${agent} (${why}); it is typed as soon as the way is free.`
}

/** Waiting and looking take turns until something shows; each is said once. */
export function isRepeated(event: ShownEvent, seen: readonly ShownEvent[]): boolean {
  if (event.type !== 'act.stepped' || (event.step !== 'confirming' && event.step !== 'checking')) return false
  return seen.some((each) => each.type === 'act.stepped' && each.step === event.step && each.agent === event.agent)
}

/** Null: it has no outcome yet. */
interface Ended {
  result: EventOf<'act.ended'>['result'] | null
  detail?: string | undefined
}

async function untilEnded(client: Client, awaited: Awaited, show: (event: ShownEvent) => void): Promise<Ended> {
  const { agent, seq } = awaited
  let after = seq
  let waitMs = FIRST_WAIT_MS
  let held: Held | undefined
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += waitMs) {
    const { events, lastSeq } = await client.call('GET /api/agents/:id/logs', {
      id: agent,
      query: { after, limit: 1000 },
    })
    after = lastSeq
    let ended: Ended | undefined
    for (const event of events) {
      show(event)
      ended = endOf(event, awaited) ?? ended
      held = heldAfter(event, held, { message: `m-${seq}`, waitedMs })
    }
    if (ended !== undefined) return ended
    if (held !== undefined && waitedMs - held.sinceMs >= HELD_PATIENCE_MS) break
    waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)
    await sleep(waitMs)
  }
  return { result: null, detail: held?.why }
}

interface Held {
  why: string
  sinceMs: number
}

/** Tried again in vain is still held; typed is not. */
export function heldAfter(
  event: ShownEvent,
  held: Held | undefined,
  { message, waitedMs }: { message: string; waitedMs: number },
): Held | undefined {
  if (event.type === 'message.typed' && event.message === message) return undefined
  if (event.type !== 'message.held' || event.message !== message) return held
  return { why: event.why, sinceMs: held?.sinceMs ?? waitedMs }
}

/** A message may be typed several times and wait in between: only what its ledger says is its end. */
export function endOf(event: ShownEvent, { act, next, seq }: Awaited): Ended | undefined {
  if (act === 'message') {
    if (event.type === 'message.heard' && event.message === `m-${seq}`) return { result: 'done' }
    if (event.type === 'message.recalled' && event.message === `m-${seq}`) {
      return { result: 'cancelled', detail: `${event.by} took it back` }
    }
    const isLost = event.type === 'message.undelivered' && event.message === `m-${seq}`
    return isLost ? { result: 'not_done', detail: event.why } : undefined
  }
  if (event.type !== 'act.ended') return undefined
  const isStep = next !== undefined && event.act === act && event.result === 'done'
  return !isStep && (event.act === act || event.act === next)
    ? { result: event.result, detail: event.detail }
    : undefined
}
