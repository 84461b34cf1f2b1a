/** How `pan up` runs the daemon, and how it learns that another one was faster. */

/**
 * It holds little for long, so memory is worth more to it than a few percent of speed; what runs only at its start need
 * not stay compiled.
 */
export const DAEMON_FLAGS: readonly string[] = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--bytecode-old-age=1',
  '--flush-baseline-code',
]

/** Else glibc gives each of its threads an arena, and each arena keeps what was freed in it. */
export const DAEMON_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' }

/** In the background, a daemon whose home is another's ends with this code; see sysexits.h for «try again later». */
export const TAKEN_CODE = 75
