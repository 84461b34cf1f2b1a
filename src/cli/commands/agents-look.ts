/** The commands that only look at agents. */
import { Command } from 'commander'
import type { FinishedView } from '../../contract/finished.ts'
import type { Client } from '../client.ts'
import { EXIT } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { shellWord } from '../shell-word.ts'
import { activityLines, agentLines, allAgents, healthLines, healthSummaryLines, listLines } from '../show-agents.ts'

interface Options {
  json?: true
}

export function listCommand(pan: Pan): Command {
  return new Command('list')
    .description('all agents and how they are')
    .option(...JSON_OPTION)
    .addHelpText('after', listHelp)
    .action((options: Options) =>
      pan.ask({ ...options, attempt: 'list the agents', offline: 'journal' }, async (client) => {
        const view = await client.call('GET /api/agents')
        if (options.json) printJson(client.told(view))
        else print(...listLines(view))
      }),
    )
}

export function showCommand(pan: Pan): Command {
  return new Command('show')
    .description('one agent in detail')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', showHelp)
    .action((agent: string, options: Options) =>
      pan.ask({ ...options, attempt: `show ${agent}`, offline: 'journal', ids: [agent] }, async (client) => {
        const view = await client.call('GET /api/agents/:id', { id: agent })
        const finished = view.finished && (await finishedOf(client, view.id))
        if (options.json) return printJson(client.told({ ...view, ...(finished && { finished }) }))
        print(...agentLines(view, finished))
        const isNews = view.finished !== undefined && view.finished.seen === undefined
        if (isNews && client.noDaemon === undefined) await looked(client, view.id)
      }),
    )
}

/** What can be looked at; it may have begun to work again meanwhile. */
async function finishedOf(client: Client, id: string): Promise<FinishedView | undefined> {
  return (await client.call('GET /api/agents/:id/finished', { id })).finished
}

/** What somebody has seen is off the list of those who finished; that it could not be taken off is no failure to show it. */
async function looked(client: Client, id: string): Promise<void> {
  await client.call('POST /api/agents/:id/seen', { id }).catch(() => undefined)
}

export function healthCommand(pan: Pan): Command {
  return new Command('health')
    .description('who is well and who is not; for one agent, its history')
    .argument('[agent]', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', healthHelp)
    .action((agent: string | undefined, options: Options) =>
      pan.ask({ ...options, attempt: 'get the health', offline: 'journal', ids: [agent] }, (client) =>
        agent === undefined ? showSummary(client, options) : showHistory(client, agent, options),
      ),
    )
}

async function showSummary(client: Client, { json }: Options): Promise<void> {
  const agents = allAgents(await client.call('GET /api/agents'))
  if (json)
    printJson(
      client.told({
        agents: agents.map(({ id, lifecycle, health, shown, reason }) => ({ id, lifecycle, health, shown, reason })),
      }),
    )
  else print(...healthSummaryLines(agents))
}

async function showHistory(client: Client, agent: string, { json }: Options): Promise<void> {
  const view = await client.call('GET /api/agents/:id/health', { id: agent })
  if (json) printJson(client.told(view))
  else print(...healthLines(view))
}

export function activityCommand(pan: Pan): Command {
  return new Command('activity')
    .description('what an agent did last')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', activityHelp)
    .action((agent: string, options: Options) =>
      pan.ask(
        { ...options, attempt: `get the activity of ${agent}`, offline: 'journal', ids: [agent] },
        async (client) => {
          const view = await client.call('GET /api/agents/:id/activity', { id: agent })
          if (options.json) printJson(client.told(view))
          else print(...activityLines(view))
        },
      ),
    )
}

export function attachCommand(pan: Pan): Command {
  return new Command('attach')
    .description("see an agent's terminal with your own eyes")
    .argument('<agent>', "the agent's id")
    .option('--json', 'print the command as JSON instead of running it')
    .addHelpText('after', attachHelp)
    .action((agent: string, options: Options) =>
      pan.ask({ ...options, attempt: `attach to ${agent}`, offline: 'tmux', ids: [agent] }, async (client) => {
        const { command } = await client.call('GET /api/agents/:id/attach', { id: agent })
        if (options.json) printJson(client.told({ command }))
        else if (process.stdout.isTTY === true && process.stdin.isTTY === true) {
          return pan.start('attach', ['--', ...command])
        } else print(command.map(shellWord).join(' '))
        return EXIT.ok
      }),
    )
}

const exitHelp = `
Without a daemon it is shown as the last one left it, and that is said; --json then has "daemon": false.

Exit codes:
  0  shown
  1  there is no such agent
  2  wrong usage: what is given cannot be an id
  3  no daemon runs, and there is nothing to show`

const listHelp = `
STATE is waiting (for you) or limited (by a usage limit) from the first second, else the health of an active agent
(active, stale, warning, stuck, unknown), else its lifecycle.

Examples:
  pan agents list
  pan agents list --json | jq -r '.issueAgents[] | select(.shown == "waiting") | .id'
${exitHelp}`

const showHelp = `
Examples:
  pan agents show agent-pan-18
${exitHelp}`

const healthHelp = `
Examples:
  pan agents health                  a summary of all
  pan agents health agent-pan-18     how its health changed, and why
${exitHelp}`

const activityHelp = `
Examples:
  pan agents activity agent-pan-18
${exitHelp}`

const attachHelp = `
On a terminal it takes you there (leave with the terminal's own key, for tmux Ctrl-b d). Elsewhere, or with --json, it
prints the command to run.

Examples:
  pan agents attach agent-pan-18
${exitHelp}`
