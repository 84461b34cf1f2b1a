/** Two texts as lines that stayed, went and came, for people to read before something is written. */

const CONTEXT = 2
/** Beyond this the comparison would take seconds: then all of the middle went and came. */
const MOST_PAIRS = 4_000_000

export function diffLines(before: string, after: string): string[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  const marked = [
    ...a.slice(0, head).map(stayed),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(stayed),
  ]
  return nearChanges(marked).map(printable)
}

/** By the longest common subsequence, from its end. */
function middle(a: readonly string[], b: readonly string[]): string[] {
  if (a.length * b.length > MOST_PAIRS) return [...a.map(went), ...b.map(came)]
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const marked: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      marked.push(stayed(a[i] ?? ''))
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) marked.push(went(a[i++] ?? ''))
    else marked.push(came(b[j++] ?? ''))
  }
  return marked
}

function nearChanges(marked: readonly string[]): string[] {
  const isNear = (index: number) =>
    marked.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(' '))
  return marked.flatMap((line, index) => {
    if (isNear(index)) return [line]
    return index > 0 && isNear(index - 1) ? ['  …'] : []
  })
}

const stayed = (line: string) => `  ${line}`
const went = (line: string) => `- ${line}`
const came = (line: string) => `+ ${line}`

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** What stands in a file is data: none of it may steer a terminal. */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}]/gu, (char) =>
    char === '\t' ? char : char === '\r' ? '' : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  )
}
