/** Two transcripts, line by line: `-` is what was written down, `+` what happened now. */

export function diff(before: string, after: string): string {
  const a = before === '' ? [] : before.split('\n')
  const b = after.split('\n')
  const common = longestCommon(a, b)
  const lines: string[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1
      j += 1
    } else if (i < a.length && (j >= b.length || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push(`  - ${a[i]}`)
      i += 1
    } else {
      lines.push(`  + ${b[j]}`)
      j += 1
    }
  }
  return lines.join('\n')
}

/** common[i][j]: how many lines a from i and b from j have in common, in order. */
function longestCommon(a: readonly string[], b: readonly string[]): number[][] {
  const common = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  return common
}
