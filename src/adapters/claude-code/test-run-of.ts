/** A finished call of one of the client's shells as a command that is over, and whether it ran tests. */
import type { TestRun } from '../../contract/test-run.ts'
import type { RecogniseTestRun, ShellEnd } from '../../core/test-runs.ts'
import { fieldsOf, textOf, type Fields } from './hook-body.ts'
import { toolCallOf } from './tool-call.ts'

interface Told {
  failed: boolean
  recognise: RecogniseTestRun
}

/** Undefined for any other call, for one that goes on in the background and for one that was cut off. */
export function testRunOf(fields: Fields, { failed, recognise }: Told): TestRun | undefined {
  const call = toolCallOf(fields)
  const shell = SHELLS.get(call?.tool ?? '')
  const command = textOf(call?.input['command'])
  if (shell === undefined || command === undefined || call?.input['run_in_background'] === true) return undefined
  const end = failed ? ofFailure(textOf(fields['error']) ?? '') : ofSuccess(fields['tool_response'])
  return end === undefined ? undefined : recognise({ command, shell, ...end })
}

const SHELLS = new Map<string, NonNullable<ShellEnd['shell']>>([
  ['Bash', 'posix'],
  ['PowerShell', 'powershell'],
])

type End = Pick<ShellEnd, 'output' | 'exitCode'>

function ofSuccess(response: unknown): End | undefined {
  const { stdout, stderr, interrupted, backgroundTaskId } = fieldsOf(response)
  if (interrupted === true || textOf(backgroundTaskId) !== undefined) return undefined
  const output = textOf(response) ?? [textOf(stdout), textOf(stderr)].filter((each) => each !== undefined).join('\n')
  return { output, exitCode: 0 }
}

/** The client writes the exit code before what was printed. */
function ofFailure(error: string): End {
  const code = /^Exit code (\d{1,3})\b/.exec(error)?.[1]
  return { output: error, ...(code === undefined ? {} : { exitCode: Number(code) }) }
}
