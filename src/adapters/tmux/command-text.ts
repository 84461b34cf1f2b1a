/** Text that reaches tmux's own command language, its formats or a pane, made harmless. */

/** One word of a tmux command: in single quotes tmux expands nothing, and lines may break. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
