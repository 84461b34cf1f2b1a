/**
 * The program behind `pan cloister resume` when no daemon runs: takes the latch of the emergency stop away, and leaves
 * a note by which the next daemon records the stop and saves the work.
 */
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { isLatched, releaseUnrecorded } from '../../adapters/process/sentinel.ts'

const RESUMED =
  'The emergency stop is over: agents may be started and typed to again. No daemon runs; start it with `pan up`, ' +
  'which will record the stop and save what the agents had not committed.'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const home = homeFolder(process.env)
  try {
    const wasLatched = await isLatched(home)
    if (wasLatched) await releaseUnrecorded(home)
    if (values.json) process.stdout.write(`${JSON.stringify({ resumed: wasLatched, daemon: false })}\n`)
    else process.stdout.write(`${wasLatched ? RESUMED : nothing(home)}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 1
  }
}

function nothing(home: string): string {
  return `There is no emergency stop in ${home}, so there was nothing to resume. No daemon runs; start it with \`pan up\`.`
}
