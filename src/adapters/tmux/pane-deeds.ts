/** What can be done to a pane that is watched, as tmux commands. */
import type { Size } from '../../core/ports.ts'
import { typeable } from '../../core/typeable.ts'

/** tmux takes only so many words in one command. */
const KEYS_AT_ONCE = /.{1,1024}/g

/** Byte by byte as numbers, so that nothing in them is a name of a key. */
export function keysCommands(paneId: string, bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex').match(KEYS_AT_ONCE) ?? []
  const keys = hex.map((part) => `send-keys -t '${paneId}' -H${part.replaceAll(/../g, ' $&')}`)
  // A person who scrolls back would otherwise catch the keys.
  return [`copy-mode -q -t '${paneId}'`, ...keys]
}

/** tmux knows whether the program wants to be told that it is a paste. */
export function pasteCommands(paneId: string, text: string): string[] {
  const octal = [...Buffer.from(typeable(text))].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  const buffer = `cloister-view-${process.pid}`
  return [
    `copy-mode -q -t '${paneId}'`,
    `set-buffer -b ${buffer} "${octal.join('')}"`,
    `paste-buffer -p -d -b ${buffer} -t '${paneId}'`,
  ]
}

/** The window remembers the size that it had, so that it can be given back also after a crash; prints that size. */
export function resizeCommands(paneId: string, { cols, rows }: Size): string[] {
  return [
    `set-option -w -o -q -F -t '${paneId}' @cloister_size '#{window_width}x#{window_height}'`,
    `display-message -p -t '${paneId}' '#{@cloister_size}'`,
    `resize-window -t '${paneId}' -x ${cols} -y ${rows}`,
  ]
}

export function restoreCommands(paneId: string, { cols, rows }: Size): string[] {
  return [
    `resize-window -t '${paneId}' -x ${cols} -y ${rows}`,
    `set-option -w -u -t '${paneId}' window-size`,
    `set-option -w -u -t '${paneId}' @cloister_size`,
  ]
}
