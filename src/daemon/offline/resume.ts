/**
 * The program behind `pan cloister resume` when no daemon runs: takes the latch of the emergency stop away, and leaves
 * a note by which the next daemon records the stop and saves the work. Exit codes: 0 resumed, 1 not, or there was nothing
 * to resume, as with a daemon.
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
    else if (wasLatched) process.stdout.write(`${RESUMED}\n`)
    else process.stderr.write(`${nothing(home)}\n`)
    return wasLatched ? 0 : 1
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 1
  }
}

function nothing(home: string): string {
  return (
    `Could not resume: there is no emergency stop to resume from in ${home}. Nothing needs to be done. No daemon runs; ` +
    'start it with `pan up`.'
  )
}
