/**
 * Loaded into the daemon of a drill before anything else: its wall clock is off by the milliseconds that stand in a file
 * of its home; the monotonic clock is not. Without that file, and anywhere else, time is what it is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLOCK_FILE, DRILL_CLOCK } from './drill-flags.ts'

const home = process.env[DRILL_CLOCK]
const now = Date.now.bind(Date)

if (home) Date.now = () => now() + offsetMs(join(home, CLOCK_FILE))

function offsetMs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}
