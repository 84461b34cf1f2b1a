/** Loaded into the daemon before anything else: its wall clock is off by what stands in a file, the monotonic one is not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds, in the daemon's home. */
export const CLOCK_OFFSET = 'clock-offset'

const home = process.env['PANOPTICON_HOME']
const now = Date.now.bind(Date)

if (home !== undefined && process.env['NODE_OPTIONS']?.includes('faked-clock') === true) {
  Date.now = () => now() + offsetMs(join(home, CLOCK_OFFSET))
}

function offsetMs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}
