/**
 * The program behind `pan cloister resume` when no daemon runs: takes the latch of the emergency stop away, names whom it
 * stopped, and leaves a note by which the next daemon records the stop and saves the work. Exit codes: 0 resumed, 1 not,
 * or there was nothing to resume, as with a daemon.
 */
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { isLatched, readNote, releaseUnrecorded } from '../../adapters/process/sentinel.ts'
import type { StatusView } from '../../contract/status-view.ts'
import { lookAtJournal } from './look.ts'

const RESUMED =
  'The emergency stop is over: agents may be started and typed to again. No daemon runs; start it with `pan up`, ' +
  'which will record the stop and save what the agents had not committed.'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const home = homeFolder(process.env)
  try {
    const wasLatched = await isLatched(home)
    const stopped = await whomItStopped(home)
    if (wasLatched) await releaseUnrecorded(home)
    const told = { resumed: wasLatched, daemon: false, started: [], stopped }
    if (values.json) process.stdout.write(`${JSON.stringify(told)}\n`)
    else if (wasLatched) process.stdout.write(`${[RESUMED, ...startLines(stopped)].join('\n')}\n`)
    else process.stderr.write(`${nothing(home, stopped)}\n`)
    return wasLatched ? 0 : 1
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 1
  }
}

/** As the next daemon will have it; a journal that cannot be read must not keep anybody from resuming. */
async function whomItStopped(home: string): Promise<readonly string[]> {
  try {
    const look = await lookAtJournal(home)
    if (look !== undefined) {
      const { body } = await look.ask('GET /api/cloister/status', {})
      look.close()
      const { startable = [] } = (body as StatusView).lastStop ?? {}
      if (startable.length > 0) return startable
    }
  } catch {}
  return (await readNote(home)).ended ?? []
}

function startLines(stopped: readonly string[]): string[] {
  if (stopped.length === 0) return []
  return [
    `  It had stopped: ${stopped.join(', ')}`,
    `  Start ${stopped.length === 1 ? 'it' : 'them'} again with \`pan up\`, then \`pan cloister resume --start\`.`,
  ]
}

function nothing(home: string, stopped: readonly string[]): string {
  const next =
    stopped.length === 0
      ? 'Nothing needs to be done. No daemon runs; start it with `pan up`.'
      : `It is over, and not started since: ${stopped.join(', ')}. Start them again with \`pan up\`, then \`pan cloister resume --start\`.`
  return `Could not resume: there is no emergency stop to resume from in ${home}. ${next}`
}
