/**
 * Makes a tmux server look for children that have ended. It can miss the end of a pane's process: while it takes
 * the terminal out of utmp, SIGCHLD goes nowhere (README).
 */
export function nudge(serverPid: number): void {
  try {
    process.kill(serverPid, 'SIGCHLD')
  } catch {
    // The server has just ended; the next look says so.
  }
}
