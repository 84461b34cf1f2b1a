/** Whether a finished call of the client's shell ran tests, and what came of them. */
import type { TestRun } from '../../contract/test-run.ts'
import { recogniseTestRun } from '../../core/handoffs/test-runs.ts'
import { fieldsOf, textOf, type Fields } from './hook-body.ts'
import { toolCallOf } from './tool-call.ts'

/** Undefined for any other call, for one that goes on in the background and for one that was cut off. */
export function testRunOf(fields: Fields, { failed }: { failed: boolean }): TestRun | undefined {
  const call = toolCallOf(fields)
  const command = call?.tool === 'Bash' ? textOf(call.input['command']) : undefined
  if (command === undefined || call?.input['run_in_background'] === true) return undefined
  return failed ? ofFailure(command, textOf(fields['error']) ?? '') : ofSuccess(command, fields['tool_response'])
}

function ofSuccess(command: string, response: unknown): TestRun | undefined {
  const { stdout, stderr, interrupted, backgroundTaskId } = fieldsOf(response)
  if (interrupted === true || textOf(backgroundTaskId) !== undefined) return undefined
  const output = textOf(response) ?? [textOf(stdout), textOf(stderr)].filter((each) => each !== undefined).join('\n')
  return recogniseTestRun({ command, output, exitCode: 0 })
}

/** The client writes the exit code before what was printed. */
function ofFailure(command: string, error: string): TestRun | undefined {
  const code = /^Exit code (\d{1,3})\b/.exec(error)?.[1]
  return recogniseTestRun({ command, output: error, ...(code === undefined ? {} : { exitCode: Number(code) }) })
}
