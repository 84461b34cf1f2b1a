/** `pan stats`: how the house has done. */
import { Command } from 'commander'
import type { InterventionsView } from '../../contract/standing.ts'
import { print, printJson, table } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

export function statsCommand(pan: Pan): Command {
  const stats = new Command('stats').description('how the house has done')
  stats.addCommand(
    new Command('interventions')
      .description('what was done to agents by itself, and how often it helped')
      .option(...JSON_OPTION)
      .addHelpText('after', help)
      .action((options: { json?: true }) =>
        pan.ask({ ...options, attempt: 'get the interventions', offline: 'journal' }, async (client) => {
          const view = await client.call('GET /api/stats/interventions')
          if (options.json) printJson(client.told(view))
          else print(...interventionLines(view))
        }),
      ),
  )
  return stats.addHelpText('after', statsHelp)
}

export function interventionLines({ kinds }: InterventionsView): string[] {
  if (kinds.length === 0) return ['Nothing was done to any agent by itself yet.']
  const rows = kinds.map(({ act, tried, recovered, answered, notRecovered, unknown, open, rate }) => [
    act,
    ...[tried, recovered, answered, notRecovered, unknown, open].map(String),
    rate === undefined ? '-' : `${Math.round(rate * 100)} %`,
  ])
  return table(['ACT', 'DONE', 'HELPED', 'ANSWERED', 'DID NOT', 'UNKNOWN', 'OPEN', 'RATE'], rows)
}

const statsHelp = `
Examples:
  pan stats interventions

Exit codes:
  0  shown
  3  no daemon runs, and there is nothing to show`

const help = `
Every automatic act is an experiment with a deadline. It helped when the agent goes on by then; one that only answered
did something, but made no progress. The rate is of those whose result is known.

Examples:
  pan stats interventions
  pan stats interventions --json | jq '.kinds[] | {act, rate}'

Exit codes:
  0  shown
  3  no daemon runs, and there is nothing to show`
