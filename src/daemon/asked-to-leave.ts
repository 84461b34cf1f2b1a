/** When the program is to end: by a signal, or because nobody reads any more. */

export function askedToLeave(): Promise<void> {
  return new Promise((resolve) => {
    // Kept for good: a second Ctrl-C must not cut off what the first one began to clear away.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // Nobody reads any more, as behind `| head`.
    process.stdout.on('error', () => resolve())
  })
}
