/** The beginning of a text, cut at a whole character. */
export function cutAt(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
}
