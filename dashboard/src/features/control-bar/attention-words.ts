/** How many things need you, in the words of the control bar; nothing when nothing does. */
export function attentionWords(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? '1 thing needs you' : `${count} things need you`
}
