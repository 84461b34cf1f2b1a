/**
 * Every runner with what it prints: passed, failed, an error, nothing to run. A case of a file in `fixtures` is
 *   @@ title / $ command / = exit N: runner result passed/failed/skipped / what was printed
 * where ␛ stands for the escape sign and ␍ for a carriage return.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TestRun } from '../../contract/test-run.ts'
import { recogniseTestRun } from './recognise-test-run.ts'

interface Case {
  file: string
  title: string
  command: string
  exitCode: number
  output: string
  run: Pick<TestRun, 'runner' | 'result' | 'counts'> | undefined
}

const FOLDER = join(import.meta.dirname, 'fixtures')
const FILES = readdirSync(FOLDER)
const CASES = FILES.flatMap((file) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^@@ /m)
    .slice(1)
    .map((text) => caseOf(file.replace('.txt', ''), text)),
)

function caseOf(file: string, text: string): Case {
  const [title = '', command = '', end = '', ...lines] = text.split('\n')
  const [, exit, said = ''] = /^= exit (\d+): (.+)$/.exec(end) ?? []
  const output = lines.join('\n').replaceAll('␛', '\u001b').replaceAll('␍', '\r')
  return { file, title, command: command.slice(2), exitCode: Number(exit), output, run: runOf(said) }
}

function runOf(said: string): Case['run'] {
  if (said === 'undecided') return undefined
  const [runner, result, counts] = said.split(' ') as [TestRun['runner'], TestRun['result'], string | undefined]
  const [passed = 0, failed = 0, skipped = 0] = counts?.split('/').map(Number) ?? []
  return { runner, result, ...(counts === undefined ? {} : { counts: { passed, failed, skipped } }) }
}

function told({ command, output, exitCode }: Pick<Case, 'command' | 'output' | 'exitCode'>): Case['run'] {
  const run = recogniseTestRun({ command, output, exitCode })
  if (run === undefined) return undefined
  const { why: _, ...rest } = run
  return rest
}

test('there are thirty runners and more, each with four cases at least: passed, failed, an error, none', () => {
  const byFile = new Map(FILES.map((file) => [file, CASES.filter((each) => `${each.file}.txt` === file)]))
  expect(FILES.length).toBeGreaterThan(30)
  for (const [file, cases] of byFile) {
    expect([file, cases.length]).toEqual([file, expect.toSatisfy((count: number) => count >= 4)])
    const results = new Set(cases.map(({ run }) => run?.result))
    expect([file, results.has('passed'), results.has('failed'), results.has('not_run')]).toEqual([
      file,
      true,
      true,
      true,
    ])
  }
})

describe.each(FILES.map((file) => file.replace('.txt', '')))('%s', (file) => {
  const own = CASES.filter((each) => each.file === file)

  test.each(own)('$title', ({ run, ...given }) => {
    expect(told(given)).toEqual(run)
  })

  test.each(own)('the same with line ends of Windows: $title', ({ run, ...given }) => {
    expect(told({ ...given, output: given.output.replaceAll('\n', '\r\n') })).toEqual(run)
  })

  const counted = own.filter(
    ({ run, exitCode, command }) =>
      run?.counts && run.result === (exitCode === 0 ? 'passed' : 'failed') && !/^rtk|pytest .* pytest/.test(command),
  )

  test.each(counted)('the same as a task whose runner nobody named: $title', ({ run, ...given }) => {
    const output = given.output.replaceAll(/^(?:\[\w+\] )?[>$] .*$/gm, '')
    expect(told({ ...given, output, command: 'mise run test' })).toEqual(run)
  })

  const unrun = own.filter(({ run }) => run?.result === 'not_run')

  test.each(unrun)('as a task it did not pass either: $title', (given) => {
    expect(told({ ...given, command: 'mise run test' })?.result).not.toBe('passed')
  })
})
