/** `pan status`: the whole house in a few lines. */
import { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { statusLines } from '../show-status.ts'

export function statusCommand(pan: Pan): Command {
  return new Command('status')
    .description('what is going on, and what needs you')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((options: { json?: true }) =>
      pan.ask({ ...options, attempt: 'get the status' }, async (client) => {
        const status = await client.call('GET /api/cloister/status')
        if (options.json) printJson(status)
        else print(...statusLines(status))
      }),
    )
}

const examples = `
Examples:
  pan status
  pan status --json | jq .summary

Exit codes:
  0  shown
  3  no daemon runs`
