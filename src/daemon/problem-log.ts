/** Problems as lines of the log: the same one is said once a second, with how often it came, so that nobody fills it. */

const EVERY_MS = 1_000
/** Different ones within a second. */
const MOST = 20

export function problemLog(say: (sentence: string) => void): (error: unknown) => void {
  const counts = new Map<string, number>()
  let leftOut = 0
  const flush = () => {
    for (const [text, count] of counts) if (count > 0) say(`${count} more times: ${text.split('\n')[0]}`)
    if (leftOut > 0) say(`${leftOut} more problems within a second are left out.`)
    counts.clear()
    leftOut = 0
  }
  return (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const count = counts.get(text)
    if (count !== undefined) counts.set(text, count + 1)
    else if (counts.size >= MOST) leftOut += 1
    else {
      if (counts.size === 0) setTimeout(flush, EVERY_MS).unref()
      counts.set(text, 0)
      say(text)
    }
  }
}
