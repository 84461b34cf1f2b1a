/** The same questions when no daemon answers: answered by the program daemon/offline/look, loaded by path. */
import { extname } from 'node:path'
import { viewOf, type Client } from './client.ts'
import type { Failure } from './failure.ts'
import { clockTime, duration } from './words.ts'

interface Seen {
  status: number
  body: unknown
}

interface Given {
  id?: string
  query?: Record<string, unknown>
}

type Ask = (key: string, given: Given) => Promise<Seen | undefined>

interface LookProgram {
  lookAtJournal: (home: string) => Promise<JournalLook | undefined>
  lookForTerminal: (home: string, agent: string) => Promise<Seen | undefined>
}

interface JournalLook {
  asOfWallAt: number
  ask: Ask
  close: () => void
}

export interface Offline {
  client: Client
  /** Said before anything else, where people see it. */
  label: string
  close: () => void
}

export interface Place {
  home: string
  /** File URL of the CLI's main file. */
  entry: string
  /** The failure that brought us here. */
  why: Failure
}

/** Undefined where there is nothing to read. */
export async function openOffline(from: 'journal' | 'tmux', place: Place): Promise<Offline | undefined> {
  const program = (await import(
    new URL(`../daemon/offline/look${extname(place.entry)}`, place.entry).href
  )) as LookProgram
  const { sentence, hint } = place.why.error
  if (from === 'tmux') {
    const ask: Ask = (_, { id = '' }) => program.lookForTerminal(place.home, id)
    const label = `${sentence}, so that nobody watches the agent. ${hint}`
    return { client: clientOf(place, ask, {}), label, close: () => undefined }
  }
  const look = await program.lookAtJournal(place.home)
  if (look === undefined) return undefined
  const { asOfWallAt, ask, close } = look
  const ago = duration(Date.now() - asOfWallAt)
  const label = `${sentence}; as of ${clockTime(asOfWallAt)} (${ago} ago). ${hint}`
  return { client: clientOf(place, ask, { asOf: new Date(asOfWallAt).toISOString() }), label, close }
}

function clientOf({ home, why }: Place, ask: Ask, note: object): Client {
  return {
    home,
    call: async (key, ...[given]) => {
      const seen = key.startsWith('GET ') ? await ask(key, (given ?? {}) as Given) : undefined
      if (seen === undefined) throw why
      return viewOf(seen.status, seen.body)
    },
    told: (view) => ({ daemon: false, why: why.error.code, ...note, ...view }),
    noDaemon: why,
  }
}
