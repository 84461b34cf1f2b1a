/** However much was typed and printed, and whatever it is: what is looked at is counted, never timed. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { recogniseTestRun } from './recognise-test-run.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

interface Work {
  /** Characters that patterns went over, and those that were taken one by one. */
  looked: number
  patterns: Set<string>
}

function workOf(given: Parameters<typeof recogniseTestRun>[0]): Work {
  const work: Work = { looked: 0, patterns: new Set() }
  const exec = Reflect.get(RegExp.prototype, 'exec') as (this: RegExp, text: string) => RegExpExecArray | null
  const charAt = Reflect.get(String.prototype, 'charAt') as (this: string, at: number) => string
  const patterns = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function count(this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    const to = found === null ? (this.sticky ? from + 1 : text.length) : found.index + found[0].length
    work.looked += Math.max(1, to - from)
    work.patterns.add(this.source)
    return found
  })
  const signs = vi.spyOn(String.prototype, 'charAt').mockImplementation(function count(this: string, at: number) {
    work.looked += 1
    return charAt.call(this, at)
  })
  try {
    recogniseTestRun(given)
  } finally {
    patterns.mockRestore()
    signs.mockRestore()
  }
  return work
}

/** Whatever repeats, with something else at its end. */
const hostile = fc.oneof(
  fc.constantFrom(
    ...[
      ' ',
      '\t',
      '=',
      '!',
      '9',
      '> ',
      '$ ',
      '1 passed, ',
      '1 failed | ',
      '--- FAIL: ',
      'Tests  ',
      'a:',
      'a ',
      '[',
      '- ',
    ],
    ...[
      '\u001b[1',
      '\u001b]8;;',
      '\n',
      '\r',
      'x\n',
      '1 pass\n',
      'FAIL\n',
      'ok\ta\t1s\n',
      'a: b: ',
      '00:01 +1: ',
      '1 test, ',
    ],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
)
const commands = ['mise run test', 'npm test', 'go test', 'pytest', 'vitest | grep x', 'tox; bun test; cargo test']

test('a long output costs as much as one of the length that is looked at', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(...commands), (piece, command) => {
      const output = (length: number) => piece.repeat(Math.ceil(length / piece.length))
      const some = workOf({ command, output: output(100_000), exitCode: 1 }).looked
      const much = workOf({ command, output: output(800_000), exitCode: 1 }).looked
      expect(much).toBeLessThan(some * 1.1 + 10_000)
      // Every pattern of every runner once for each character, and twice where lines may have labels.
      expect(much).toBeLessThan(300 * 80_000)
    }),
    { numRuns: 25 },
  )
})

const quotes = fc.constantFrom(
  ...[
    '"',
    "'",
    '`',
    '$(',
    '\\',
    '(',
    '<<X ',
    '<<',
    '&&',
    '|',
    ';',
    ' ',
    'sudo ',
    'a ',
    'npm run x; ',
    '>',
    '#',
    'run -- ',
  ],
  ...[`bash -c '`, `ssh h "`, 'A=1 ', '-x ', 'npx "a b" ', '"sudo a b" ', 'docker run "x y" '],
)

test('a long command costs in proportion to its length', () => {
  fc.assert(
    fc.property(fc.array(quotes, { minLength: 1, maxLength: 4 }), (pieces) => {
      const piece = pieces.join('')
      const command = (length: number) => piece.repeat(Math.ceil(length / piece.length))
      for (const length of [2_000, 16_000]) {
        expect(workOf({ command: command(length), output: '', exitCode: 0 }).looked).toBeLessThan(120 * length + 50_000)
      }
    }),
    { numRuns: 40 },
  )
})

test('no pattern repeats without limit what repeats in itself', () => {
  const found = new Set<string>()
  for (const command of commands) {
    const output = [
      'x',
      '> vitest run',
      ' Test Files  1 passed (1)',
      '\u001b[1mTests  1 passed (1)',
      'ok\ta\t1s',
      '1 passed in 1s',
    ].join('\n')
    for (const pattern of workOf({ command, output, exitCode: 0 }).patterns) found.add(pattern)
  }
  expect(found.size).toBeGreaterThan(60)
  expect([...found].filter(isNested)).toEqual([])
  expect(['(a+)+', '(?:a|b*)*c', '(a{2,}b)+', '((a+)b)*'].filter((pattern) => !isNested(pattern))).toEqual([])
})

test('a hundred calls are no more work than one', () => {
  const output = ' ✓ a test\n'.repeat(10_000)
  const one = workOf({ command: 'npm test', output, exitCode: 1 }).looked
  expect(workOf({ command: 'npm test;'.repeat(100), output, exitCode: 1 }).looked).toBeLessThan(one * 1.5)
})

/** Whether a group that is repeated without limit holds something that repeats. */
function isNested(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const open: boolean[] = []
  let inner = false
  for (const [sign] of plain.matchAll(
    /\((?:\?(?:<?[=!]|:|<\w+>))?|\)(?:[*+]|\{\d+(?:,\d*)?\}|\?)?|[*+]|\{\d+,(?:\d+)?\}|[^()]/g,
  )) {
    if (sign.startsWith('(')) {
      open.push(inner)
      inner = false
    } else if (sign.startsWith(')')) {
      const isEndless = /[*+]|,\}/.test(sign)
      if (isEndless && inner) return true
      inner = (open.pop() ?? false) || inner || isEndless
    } else if (/^[*+{]/.test(sign)) inner = true
  }
  return false
}
