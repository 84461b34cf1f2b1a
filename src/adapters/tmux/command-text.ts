/** Text that reaches tmux's own command language, its formats or a pane, made harmless. */

/** One word of a tmux command: in single quotes tmux expands nothing, and lines may break. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Newline and tab are text. Any other control character could press a key or end the paste, since tmux passes
 * an «end of bracketed paste» in the text on to the program.
 */
export function typeable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
