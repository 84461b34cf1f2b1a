/** `pan status`: the whole house in a few lines. */
import { Command } from 'commander'
import { EXIT } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { lastKnownLines, statusLines } from '../show-status.ts'

export function statusCommand(pan: Pan): Command {
  return new Command('status')
    .description('what is going on, and what needs you')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((options: { json?: true }) =>
      pan.ask({ ...options, attempt: 'get the status', offline: 'journal' }, async (client) => {
        const status = await client.call('GET /api/cloister/status')
        if (options.json) printJson(client.told(status))
        else if (client.noDaemon === undefined) print(...statusLines(status))
        else print(...lastKnownLines(status, await client.call('GET /api/agents')))
        return client.noDaemon === undefined ? EXIT.ok : EXIT.noDaemon
      }),
    )
}

const examples = `
Without a daemon, or with one that does not answer, it shows what was last known, says as of when, and ends with 3;
--json then has "daemon": false.

Examples:
  pan status
  pan status --json | jq .summary

Exit codes:
  0  shown
  3  no daemon runs or answers; what was last known is shown`
