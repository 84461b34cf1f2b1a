/** How Node runs the daemon: it holds little for long, so memory is worth more to it than a few percent of speed. */
export const DAEMON_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size']
