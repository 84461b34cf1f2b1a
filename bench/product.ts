/** The product as people run it: the built programs, and the flags and environment with which `pan up` starts the daemon. */
import { join } from 'node:path'
import { DAEMON_ENVIRONMENT, DAEMON_FLAGS } from '../src/daemon/offline/up-flags.ts'

const DIST = join(import.meta.dirname, '../dist')

export const DAEMON = { argv: [...DAEMON_FLAGS, join(DIST, 'daemon/main.js')], env: DAEMON_ENVIRONMENT }
export const PAN = join(DIST, 'cli/main.js')
export const EMERGENCY_STOP = join(DIST, 'hook/emergency-stop.js')
export const TRANSCRIPTS = join(DIST, 'daemon/offline/transcripts.js')
export const DASHBOARD = join(DIST, 'dashboard')

/** For a part of the daemon that is measured inside the benchmark: the same machine code, the same garbage collector. */
export const IN_PROCESS_FLAGS: readonly string[] = [...DAEMON_FLAGS, '--expose-gc']
