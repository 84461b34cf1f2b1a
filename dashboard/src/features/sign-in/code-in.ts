/** The one-time code in what somebody pasted: the whole link of `pan dashboard`, its end, or the code alone. */
export function codeIn(pasted: string): string | undefined {
  return /^(?:.*#login=|login=)?([\w.~-]{8,200})$/.exec(pasted.trim())?.[1]
}
