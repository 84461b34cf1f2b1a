/**
 * Libraries print to the console what they cannot tell anybody else; the HTTP adapter does so when an answer breaks
 * off. Of the daemon only sentences and events may be seen: errors become problems, the rest is not said.
 */

/** A client that went away is no problem. */
const WENT_AWAY: ReadonlySet<unknown> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ECONNRESET',
  'EPIPE',
])

export function quietConsole(problem: (error: unknown) => void): void {
  for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = () => {}
  // oxlint-disable-next-line no-console -- it is silenced here
  console.error = (...words: unknown[]) => {
    const error = words.find((word) => word instanceof Error)
    if (error !== undefined && !WENT_AWAY.has((error as NodeJS.ErrnoException).code)) problem(error)
  }
}
