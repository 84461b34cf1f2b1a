/** The same questions without a daemon: answered by the program daemon/offline/look, loaded by path. */
import { extname } from 'node:path'
import { viewOf, type Client } from './client.ts'
import type { Failure } from './failure.ts'
import { clockTime, duration } from './words.ts'

interface Seen {
  status: number
  body: unknown
}

interface LookProgram {
  lookAtJournal: (home: string) => Promise<JournalLook | undefined>
  lookForTerminal: (home: string, agent: string) => Promise<Seen | undefined>
}

interface JournalLook {
  asOfWallAt: number
  get: (path: string) => Promise<Seen>
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

const UNWATCHED = 'The daemon is not running, so that nobody watches the agent. Start it with `pan up`.'

/** Undefined where there is nothing to read. */
export async function openOffline(from: 'journal' | 'tmux', place: Place): Promise<Offline | undefined> {
  const program = (await import(
    new URL(`../daemon/offline/look${extname(place.entry)}`, place.entry).href
  )) as LookProgram
  if (from === 'tmux') {
    const get = (path: string) => program.lookForTerminal(place.home, decodeURIComponent(path.split('/')[3] ?? ''))
    return { client: clientOf(place, get, { daemon: false }), label: UNWATCHED, close: () => undefined }
  }
  const look = await program.lookAtJournal(place.home)
  if (look === undefined) return undefined
  const { asOfWallAt, get, close } = look
  const ago = duration(Date.now() - asOfWallAt)
  const label = `The daemon is not running; as of ${clockTime(asOfWallAt)} (${ago} ago). Start it with \`pan up\`.`
  return { client: clientOf(place, get, { daemon: false, asOf: new Date(asOfWallAt).toISOString() }), label, close }
}

function clientOf({ home, why }: Place, get: (path: string) => Promise<Seen | undefined>, note: object): Client {
  return {
    home,
    get: async (path) => {
      const seen = await get(path)
      if (seen === undefined) throw why
      return viewOf(seen.status, seen.body)
    },
    post: () => Promise.reject(why),
    told: (view) => ({ ...note, ...view }),
    noDaemon: why,
  }
}
