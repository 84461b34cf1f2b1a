/**
 * What came of a run of tests, from what its runner said and how its command ended. What the runner itself says counts
 * before the exit code, which often is that of another program. Where nobody can tell, there was no test run.
 */
import type { TestCounts, TestRun } from '../contract/test-run.ts'

/** A command of an agent's shell that is over, whichever runtime it belongs to. */
export interface ShellEnd {
  command: string
  /** Whose words the command is in; left out, those of a POSIX shell. */
  shell?: 'posix' | 'powershell'
  /** What it printed, to whichever stream. */
  output: string
  /** Of the whole command; left out where it is not known. */
  exitCode?: number
}

/** Handed to each runtime; undefined for a command that ran no tests, or where nobody can tell what came of them. */
export type RecogniseTestRun = (ended: ShellEnd) => TestRun | undefined

export interface TestsTold {
  /** Whether the name of what was called says that it tests, be it a runner's or that of a project's own script. */
  isNamed: boolean
  /** False for a script whose runner is not known. */
  isKnownRunner: boolean
  /** Undefined when it told of none. */
  counts?: TestCounts
  /** A part was left out that may say otherwise, or an earlier summary did. */
  isDoubtful: boolean
  /** Several speak, of whom one may only be quoted, and do not agree. */
  isContradictory: boolean
  /** It says that there was nothing to run. */
  isEmpty: boolean
  /** It says that it did not get as far as its tests. */
  isBroken: boolean
  exit: CommandExit
}

export interface CommandExit {
  code: number | undefined
  /** Zero says that the tests passed. */
  provesPass: boolean
  /** Another one says that the runner, and nobody else, failed. */
  provesFailure: boolean
}

type Judged = Pick<TestRun, 'result' | 'why'>

export function judgeTestRun(told: TestsTold): Judged | undefined {
  const { counts, exit } = told
  const ended = {
    isFailure: exit.code !== undefined && exit.code !== 0 && exit.provesFailure,
    isSuccess: exit.code === 0 && exit.provesPass,
  }
  if (counts !== undefined && counts.failed + counts.passed > 0) return byCounts(counts, told, ended)
  // Whatever else went wrong in a script that is not about tests is no news of them.
  if (!told.isNamed) return undefined
  if (told.isBroken && !ended.isSuccess) return { result: 'not_run', why: 'it did not get as far as its tests' }
  if (told.isEmpty || counts !== undefined) {
    return told.isDoubtful ? undefined : { result: 'not_run', why: 'it says that it ran no test' }
  }
  return byExit(told, ended)
}

interface Ended {
  isFailure: boolean
  isSuccess: boolean
}

function byCounts(
  { passed, failed }: TestCounts,
  told: TestsTold,
  { isFailure, isSuccess }: Ended,
): Judged | undefined {
  const { isDoubtful, isContradictory, isKnownRunner, exit } = told
  const isSettled = isFailure || isSuccess
  if (isContradictory || (isDoubtful && isSuccess && failed > 0)) {
    const why = `of several summaries that do not agree, exit code ${exit.code} decides`
    return isSettled ? { result: isSuccess ? 'passed' : 'failed', why } : undefined
  }
  if (failed > 0) return { result: 'failed', why: `it says that ${failed} failed` }
  if (isDoubtful && !isSettled) return undefined
  if (!isFailure) return { result: 'passed', why: `it says that ${passed} passed` }
  // Of a script that may do more than test, it may be something else that failed.
  if (!isKnownRunner) return undefined
  return { result: 'failed', why: `its tests passed, but it ended with exit code ${exit.code}` }
}

function byExit({ isKnownRunner, exit: { code = 0 } }: TestsTold, { isFailure, isSuccess }: Ended): Judged | undefined {
  if (isSuccess) return { result: 'passed', why: 'it ended with exit code 0' }
  if (!isFailure) return undefined
  if (isKnownRunner || NEVER_BEGAN.includes(code)) {
    return { result: 'not_run', why: `it ended with exit code ${code} before it told of any test` }
  }
  return { result: 'failed', why: `it ended with exit code ${code}` }
}

/** Ended by a timeout or a signal, not found, not allowed, not reached by ssh. */
const NEVER_BEGAN: readonly number[] = [124, 125, 126, 127, 129, 130, 137, 143, 255]
