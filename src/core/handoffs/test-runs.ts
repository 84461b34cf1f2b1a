/**
 * Whether an agent's command ran tests, and what came of them. What the runner itself says counts before the exit code,
 * which often is that of another program. Where nobody can tell, there was no test run.
 */
import type { TestRun, TestRunner as Runner } from '../../contract/test-run.ts'
import { simpleCommands, type SimpleCommand } from './shell-words.ts'
import { runnerOf } from './test-runners.ts'
import { sum, summaryIn, type Summary } from './test-summaries.ts'

export interface ToolRun {
  command: string
  /** What it printed, to whichever stream. */
  output: string
  /** Of the whole command; left out where it is not known. */
  exitCode?: number
}

export function recogniseTestRun({ command, output, exitCode }: ToolRun): TestRun | undefined {
  const commands = simpleCommands(command)
  const found = commands.flatMap((each, at) => {
    const runner = runnerOf(each)
    return runner === undefined ? [] : [{ runner, at }]
  })
  const last = found.at(-1)
  if (last === undefined) return undefined
  const text = plain(output)
  const runners = [...new Set(found.map(({ runner }) => spoken(runner, text)))]
  const summaries = runners.map((runner) => ({ runner, ...summaryIn(runner, text) }))
  const worst = summaries.find(({ counts }) => (counts?.failed ?? 0) > 0) ?? summaries.find(({ counts }) => counts)
  const counted = summaries.flatMap(({ counts }) => counts ?? [])
  const told = {
    runner: worst?.runner ?? spoken(last.runner, text),
    summary: {
      ...(counted.length === 0 ? {} : { counts: sum(counted) }),
      isEmpty: summaries.some(({ isEmpty }) => isEmpty),
      isBroken: summaries.some(({ isBroken }) => isBroken),
    },
    exit: exitOf(commands, last.at, { command, exitCode }),
  }
  const judged = judgement(told)
  return judged === undefined
    ? undefined
    : { runner: told.runner, ...(told.summary.counts === undefined ? {} : { counts: told.summary.counts }), ...judged }
}

const HEAD = 20_000
const TAIL = 60_000

function plain(output: string): string {
  const part = output.length <= HEAD + TAIL ? output : `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}`
  return (
    part
      // oxlint-disable-next-line no-control-regex -- the codes of colours are what is taken out
      .replaceAll(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '')
      .replaceAll(/\r\n?/g, '\n')
  )
}

/** Package managers print what they start. */
function spoken(runner: Runner, text: string): Runner {
  if (runner !== 'script') return runner
  for (const [, line] of text.slice(0, HEAD).matchAll(/^[ \t]*[>$] ([^\n]{1,500})$/gm)) {
    const inner = simpleCommands(line ?? '').flatMap((each) => runnerOf(each) ?? [])
    const known = inner.find((each) => each !== 'script')
    if (known !== undefined) return known
  }
  return runner
}

interface Exit {
  code: number | undefined
  /** Zero says that the tests passed. */
  provesPass: boolean
  /** Another one says that the runner, and nobody else, failed. */
  provesFailure: boolean
}

function exitOf(
  commands: readonly SimpleCommand[],
  at: number,
  { command, exitCode }: Pick<ToolRun, 'command'> & { exitCode: number | undefined },
): Exit {
  const after = commands.slice(at).map(({ joint }) => joint)
  const isInverted = ['!', 'if', 'while', 'until'].includes(commands[at]?.words[0] ?? '')
  const isPiped = after.includes('|') && !/\bpipefail\b/.test(command)
  const isOwn = !isInverted && !isPiped && !after.some((joint) => joint === '||' || joint === ';' || joint === '&')
  const isAlone = after.every((joint) => joint === '' || joint === '|')
  const isFirst = !commands.slice(0, at).some(({ joint, words }) => joint === '&&' && words[0] !== 'cd')
  return { code: exitCode, provesPass: isOwn, provesFailure: isOwn && isAlone && isFirst }
}

interface Told {
  runner: Runner
  summary: Summary
  exit: Exit
}

type Judged = Pick<TestRun, 'result' | 'why'>

function judgement({ runner, summary, exit }: Told): Judged | undefined {
  const { counts, isEmpty, isBroken } = summary
  const { code, provesPass, provesFailure } = exit
  const isFailure = code !== undefined && code !== 0 && provesFailure
  if (counts !== undefined && counts.failed > 0)
    return { result: 'failed', why: `it says that ${counts.failed} failed` }
  if (counts !== undefined && counts.passed > 0) {
    return isFailure
      ? { result: 'failed', why: `its tests passed, but it ended with exit code ${code}` }
      : { result: 'passed', why: `it says that ${counts.passed} passed` }
  }
  if (isBroken) return { result: 'not_run', why: 'it did not get as far as its tests' }
  if (isEmpty || counts !== undefined) return { result: 'not_run', why: 'it says that it ran no test' }
  if (code === 0 && provesPass) return { result: 'passed', why: 'it ended with exit code 0' }
  if (!isFailure) return undefined
  if (runner !== 'script' || NEVER_BEGAN.includes(code)) {
    return { result: 'not_run', why: `it ended with exit code ${code} before it told of any test` }
  }
  return { result: 'failed', why: `it ended with exit code ${code}` }
}

/** Ended by a timeout or a signal, not found, not allowed. */
const NEVER_BEGAN: readonly number[] = [124, 126, 127, 129, 130, 137, 143]
