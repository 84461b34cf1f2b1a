/** `pan explain`: why an agent is judged as it is. */
import { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { explainLines } from '../show-explain.ts'

export function explainCommand(pan: Pan): Command {
  return new Command('explain')
    .description('why an agent is judged as it is, what would change it, and what comes next')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((agent: string, options: { json?: true }) =>
      pan.ask({ ...options, attempt: `explain ${agent}`, offline: 'journal', ids: [agent] }, async (client) => {
        const view = await client.call('GET /api/agents/:id/explain', { id: agent })
        if (options.json) printJson(client.told(view))
        else print(...explainLines(view))
      }),
    )
}

const examples = `
Without a daemon the last verdict is explained, with ages as of then, and that is said; --json then has "daemon": false.

Examples:
  pan explain agent-pan-18
  pan explain agent-pan-18 --json | jq .witnesses

Exit codes:
  0  shown
  1  there is no such agent
  3  no daemon runs, and there is nothing to show`
