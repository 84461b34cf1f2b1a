/** `pan down`: asks the daemon to end, and waits until it is gone. Agents are left alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { isAlive } from '../alive.ts'
import { EXIT, Failure } from '../failure.ts'
import { complain, print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 50

export function downCommand(pan: Pan): Command {
  return new Command('down')
    .description('end the daemon; agents go on, unwatched')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((options: { json?: true }) =>
      pan.ask({ ...options, attempt: 'end the daemon' }, async (client) => {
        const { pid } = await client.call('POST /api/daemon/stop').catch(stillRuns)
        if (!(await isGone(pid))) {
          complain(`The daemon (process ${pid}) was asked to end and still runs. End it with \`kill ${pid}\`.`)
          return EXIT.failed
        }
        if (options.json) printJson({ stopped: true, pid })
        else print(`The daemon (process ${pid}) ended. Agents were left alone; nobody watches them until \`pan up\`.`)
        return EXIT.ok
      }),
    )
}

/** One that does not answer runs: that is not the same as none. */
function stillRuns(error: unknown): never {
  throw error instanceof Failure && error.error.code === 'no_answer' ? new Failure(error.error, EXIT.failed) : error
}

async function isGone(pid: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    if (!isAlive(pid)) return true
    await sleep(LOOK_EVERY_MS)
  }
  return false
}

const examples = `
Examples:
  pan down
  pan down && pan up         restart it, for example after an upgrade; agents do not notice

Exit codes:
  0  it is gone
  1  it still runs
  3  none was running`
