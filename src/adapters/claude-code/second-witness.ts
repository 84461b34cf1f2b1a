/**
 * What the registry and the transcript say against what is believed of an agent. Hooks tell most moments first; those
 * without a hook (an interrupt, a cancelled question, a full context, a request that is sent again, an answer given in
 * the client's own dialog) are told here. Nothing is said where they agree. Pure.
 */
import type { Doing, Limit } from '../../contract/evidence.ts'
import type { RegistryEntry } from './registry.ts'
import type { SessionTail } from './session-tail.ts'
import { failureOf } from './stop-failure.ts'

export interface Believed {
  doing: Doing | undefined
  /** What goes on beside the wait that is believed in; known only while the daemon lives. */
  beyondWaits: Doing | undefined
  /** When a hook last reported. */
  heardWallAt: number
  /** It was given a first prompt, which it has not taken yet. */
  promptDue: boolean
  /** What the status line last said of the account's limits, and where this machine is: for the end of a limit. */
  limits: readonly Limit[] | undefined
  zone: string
}

export interface Seen {
  registry: RegistryEntry | undefined
  tail: SessionTail | undefined
}

export interface Objection {
  witness: 'registry' | 'transcript'
  doing: Doing
  wallAt: number
}

/** An objection that is not certain yet: whether it holds is seen after this long. */
export interface Doubt {
  againMs: number
}

/** The registry is written up to this long before or after the hook that tells the same. */
const SETTLE_MS = 400
/** Against a report that is younger than it, the registry's word must last this long. */
const PERSIST_MS = 1_500

export function objection(believed: Believed, seen: Seen, wallAt: number): Objection | Doubt | undefined {
  return retrying(believed, seen) ?? byRegistry(believed, seen, wallAt) ?? interrupted(believed, seen)
}

/** The same request again: the one before was not answered. */
function retrying({ doing }: Believed, { registry, tail }: Seen): Objection | undefined {
  const asked = tail?.asked
  const isBusy = registry === undefined || registry.status === 'busy'
  if (asked === undefined || asked.times < 2 || !isBusy) return undefined
  const isOpen = doing === undefined || doing.kind === 'thinking' || doing.kind === 'api_error'
  const what = `no answer from the model's service; the request was sent ${asked.times} times`
  if (!isOpen || (doing?.kind === 'api_error' && doing.what === what)) return undefined
  return { witness: 'transcript', doing: { kind: 'api_error', what }, wallAt: asked.at }
}

function byRegistry(believed: Believed, { registry, tail }: Seen, wallAt: number): Objection | Doubt | undefined {
  if (registry?.status === undefined) return undefined
  const doing = READ[registry.status](believed, { registry, tail })
  if (doing === undefined) return undefined
  const { statusWallAt } = registry
  const certainAt = statusWallAt >= believed.heardWallAt ? statusWallAt + SETTLE_MS : believed.heardWallAt + PERSIST_MS
  if (wallAt < certainAt) return { againMs: certainAt - wallAt }
  return { witness: 'registry', doing, wallAt: statusWallAt }
}

type Kind = Doing['kind']
const WORKING: readonly Kind[] = ['tool', 'thinking', 'compacting', 'looping']
const WAITING: readonly Kind[] = ['permission', 'question']

type Reader = (
  believed: Believed,
  seen: { registry: RegistryEntry; tail: SessionTail | undefined },
) => Doing | undefined

/** What each word means where another thing is believed; undefined where it agrees. */
const READ: Record<NonNullable<RegistryEntry['status']>, Reader> = {
  idle: (believed, { tail }) => {
    if (!isAtWork(believed)) return undefined
    return gaveUp(believed, tail) ?? { kind: 'idle' }
  },
  shell: (believed) => {
    const isRest = believed.doing?.kind === 'idle'
    return isAtWork(believed) || isRest ? { kind: 'background', tasks: 1 } : undefined
  },
  busy: ({ doing, beyondWaits }) => {
    if (doing !== undefined && WAITING.includes(doing.kind)) return beyondWaits ?? { kind: 'thinking' }
    const isWork = doing !== undefined && (WORKING.includes(doing.kind) || doing.kind === 'background')
    // Sent again and again: that is busy, too.
    return isWork || doing?.kind === 'api_error' ? undefined : { kind: 'thinking' }
  },
  waiting: ({ doing }, { registry }) => {
    if (doing !== undefined && WAITING.includes(doing.kind)) return undefined
    const what = `it asks in its own terminal (${registry.waitingFor ?? 'a dialog'})`
    return { kind: registry.waitingFor === 'input needed' ? 'question' : 'permission', what }
  },
}

/** Believed to be busy or to wait for somebody. A client that starts with a prompt rests for a moment before it. */
function isAtWork({ doing, promptDue }: Believed): boolean {
  if (doing === undefined) return true
  if (doing.kind === 'starting') return !promptDue
  if (doing.kind === 'api_error') return doing.what.startsWith('no answer')
  return WORKING.includes(doing.kind) || WAITING.includes(doing.kind)
}

/** What a later try may mend, in the client's words. */
const OUTAGE = /\b5\d\d\b|overloaded|connection|network|timed? ?out/i

/** The client ended the turn by itself, with a message of its own in place of an answer. */
function gaveUp({ heardWallAt, limits, zone }: Believed, tail: SessionTail | undefined): Doing | undefined {
  const error = tail?.apiError
  if (error?.text === undefined || error.retryAt !== undefined || error.at < heardWallAt - SETTLE_MS) return undefined
  const isLast = error.at >= (tail?.answerAt ?? 0) && error.at >= (tail?.promptAt ?? 0)
  if (!isLast) return undefined
  // The hook of the same end may come later, or be older than this: both have to say the same.
  if (error.status === 429) {
    return failureOf({ error: 'rate_limit', message: error.text, limits, told: { wallAt: error.at, zone } })
  }
  const ended = OUTAGE.test(error.text) ? { ended: true as const } : {}
  return { kind: 'api_error', what: error.text.slice(0, 400), ...ended }
}

/** Without a registry the transcript's own note is what is left. */
function interrupted(believed: Believed, { registry, tail }: Seen): Objection | undefined {
  const { interrupt } = tail ?? {}
  if (registry !== undefined || interrupt === undefined || !isAtWork(believed)) return undefined
  const isLast = interrupt.at >= (tail?.promptAt ?? 0) && interrupt.at >= believed.heardWallAt
  return isLast ? { witness: 'transcript', doing: { kind: 'idle' }, wallAt: interrupt.at } : undefined
}
