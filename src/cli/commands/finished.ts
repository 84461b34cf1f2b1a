/** `pan finished`: who finished and was not looked at since. */
import { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { finishedLines } from '../show-finished.ts'

interface Options {
  json?: true
  all?: true
}

export function finishedCommand(pan: Pan): Command {
  const finished = new Command('finished')
    .description('who finished and was not looked at since: what was changed, the last tests, what it cost')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((options: Options) =>
      pan.ask({ ...options, attempt: 'list who finished', offline: 'journal' }, async (client) => {
        const view = await client.call('GET /api/finished')
        if (options.json) printJson(client.told(view))
        else if (view.finished.length === 0) print('Nobody finished that was not looked at.')
        else print(...finishedLines(view.finished))
      }),
    )
  finished
    .command('seen')
    .description('take agents off the list: you have looked')
    .argument('[agent...]', "the agents' ids")
    .option('--all', 'all that are on the list')
    .option(...JSON_OPTION)
    .addHelpText('after', SEEN_HELP)
    .action((named: string[], _: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      if ((named.length === 0) === (options.all === undefined)) {
        command.error('error: name agents, or give --all')
      }
      return pan.ask({ ...options, attempt: 'take them off the list', ids: named }, async (client) => {
        const all = options.all === true ? (await client.call('GET /api/cloister/status')).finished : []
        const agents = [...named, ...all.map(({ agent }) => agent)]
        const seen: string[] = []
        for (const id of agents) seen.push((await client.call('POST /api/agents/:id/seen', { id })).agent ?? id)
        if (options.json) printJson({ seen })
        else print(seen.length === 0 ? 'Nobody is on the list.' : `Seen: ${seen.join(', ')}.`)
      })
    })
  return finished
}

const EXIT_HELP = `
Exit codes:
  0  done
  1  refused, or there is no such agent
  2  wrong usage
  3  no daemon runs`

const HELP = `
Who rests after a turn of its own, with no work, message, hand-off or open task left for it, is on the list, also while
it sleeps, until somebody looks (its page, \`pan agents show\`) or it works again. Specialists and adopted sessions are
not listed. It does not count as something that needs you. Without a daemon it is what the last one left, without
changes and cost, and that is said; --json then has "daemon": false.

Examples:
  pan finished
  pan finished --json | jq -r '.finished[].agent'
  pan finished seen agent-pan-18
${EXIT_HELP}, and there is nothing to show`

const SEEN_HELP = `
Examples:
  pan finished seen agent-pan-18 agent-pan-19
  pan finished seen --all
${EXIT_HELP}`
