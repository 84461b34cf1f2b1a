/** docs/figures.md as it is printed, and read again. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printFigures, readRatios, type Figure } from '../../bench/figures.ts'

const RUN = { date: '2026-01-20', machine: '2 × a processor, 24 GB', commit: 'abc1234' }
const STEP: Figure = { bench: 'step', ours: 10.2, peer: 113, limit: 0.1, unit: 'µs per input', ratio: 11.1 }

function printed(figures: readonly Figure[], before: Record<string, number> = {}): string {
  return printFigures({ ...RUN, figures, before: new Map(Object.entries(before)) })
}

function row(text: string, bench: string): string[] | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`| ${bench} `))
  return line
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

test('says when, where and of which commit', () => {
  expect(printed([STEP])).toContain('- Date: 2026-01-20\n- Machine: 2 × a processor, 24 GB\n- Commit: abc1234\n')
})

test.each<[string, number | undefined, string]>([
  ['nothing before', undefined, '—'],
  ['the same', 11.1, '0 %'],
  ['more', 10, '+11 %'],
  ['a little less', 12, '−8 %'],
  ['a fall', 17, '**fell: −35 %**'],
  ['nothing to compare with', 0, '—'],
])('%s', (_, before, change) => {
  const text = printed([STEP], before === undefined ? {} : { step: before })
  const shown = before === undefined ? '—' : String(before)
  expect(row(text, 'step')).toEqual(['step', '10.2', '113', '0.1', 'µs per input', '11.1', shown, change])
})

test('what failed has a row without figures and its reason', () => {
  const text = printed([STEP, { bench: 'sse', failed: 'ended with 1. Error: no' }], { sse: 40 })
  expect(row(text, 'sse')).toEqual(['sse', '—', '—', '—', '—', '—', '40', '—'])
  expect(text).toContain('## Not measured\n\n- sse: ended with 1. Error: no\n')
  expect(text).not.toContain('Broken promises')
})

test('a broken promise is named', () => {
  const text = printed([{ ...STEP, broken: ['the cost of an input does not grow with the fleet'] }])
  expect(text).toContain('## Broken promises\n\n- step: the cost of an input does not grow with the fleet\n')
})

test.each<[string, string, [string, number][]]>([
  ['what was printed is read again', printed([STEP, { bench: 'sse', failed: 'no' }], { step: 17 }), [['step', 11.1]]],
  ['nothing', '', []],
  ['another text', '# Notes\n\n| a | b |\n| - | - |\n| 1 | 2 |\n', []],
])('%s', (_, text, ratios) => {
  expect([...readRatios(text)]).toEqual(ratios)
})

test('is as the formatter would have it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-figures-'))
  try {
    const root = join(import.meta.dirname, '../..')
    writeFileSync(
      join(folder, 'figures.md'),
      printed([STEP, { bench: 'sse', failed: 'no', broken: ['x'] }], { step: 17 }),
    )
    const { stdout, stderr, status } = spawnSync(join(root, 'node_modules/.bin/oxfmt'), ['--check', 'figures.md'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
