/** Finds what was probably meant, by edit distance with neighbouring letters swapped counted once. */

const LONGEST_WORD = 100

/** The nearest candidate, or none when even that one needs too many changes. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const allowed = allowedChanges(word, candidate)
    if (Math.abs(word.length - candidate.length) > allowed) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** A third of the letters: short words must be nearly right. */
function allowedChanges(word: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.min(word.length, candidate.length) / 3))
}

export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let distance = Math.min(cell(last, j) + 1, cell(row, j - 1) + 1, cell(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) distance = Math.min(distance, cell(beforeLast, j - 2) + 1)
      row.push(distance)
    }
    beforeLast = last
    last = row
  }
  return cell(last, b.length)
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
