/** What Hono carries along with a request: which door it came in by, and what the door found out. */
import type { IncomingMessage } from 'node:http'
import type { Note } from './audit.ts'
import type { Caller } from './caller.ts'

/** The unix socket, which no web page can reach, or a port on loopback, which every one can. */
export type Door =
  | { via: 'socket' }
  | {
      via: 'tcp'
      /** The only values that a Host header may have. */
      hosts: ReadonlySet<string>
    }

export interface DoorEnv {
  Bindings: {
    incoming?: IncomingMessage
    door?: Door
    /** Whether whoever asked has hung up. */
    isGone?: () => Promise<boolean>
    /** Told that whoever asks has shown a good token. */
    known?: () => void
  }
  Variables: {
    caller: Caller
    requestId: string
    /** Adds a line to the audit, in the name of who asks. */
    note: Note
  }
}
