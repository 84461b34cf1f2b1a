/**
 * Whoever reads what we print may leave, as `| head -1` does. That is no fault: what was asked for is still done, its
 * exit code still counts, and nothing more is printed. Only what would go on for ever looks whether anybody listens.
 */

let hasLeft = false

export function isHeard(): boolean {
  return !hasLeft
}

/** Call it before anything is printed. */
export function mindListeners(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !hasLeft) couldNotPrint(error)
    hasLeft = true
  })
  process.stderr.on('error', () => undefined)
}

/** A full disk behind `>`, for example: what was promised is not there. */
function couldNotPrint(error: Error): void {
  process.stderr.write(`Could not print: ${error.message}.\n`)
  process.on('exit', () => {
    process.exitCode ||= 1
  })
}
