/** `pan agents messages`: what was sent to an agent and what became of it; try one again, or take one back. */
import { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { messageLines } from '../show-agents.ts'

interface Options {
  json?: true
  retry?: string
  recall?: string
}

export function messagesCommand(pan: Pan): Command {
  return new Command('messages')
    .description('the last 50 messages to an agent, and whether it has them')
    .argument('<agent>', "the agent's id")
    .option('--retry <id>', 'try one that was not delivered again')
    .option('--recall <id>', 'take one back that still waits')
    .option(...JSON_OPTION)
    .addHelpText('after', help)
    .action((agent: string, { retry, recall, ...options }: Options, command: Command) => {
      if (retry !== undefined && recall !== undefined) command.error('error: --retry and --recall exclude each other')
      if (recall !== undefined) return takeBack(pan, agent, { ...options, recall })
      return retry === undefined ? show(pan, agent, options) : tryAgain(pan, agent, { ...options, retry })
    })
}

function show(pan: Pan, agent: string, { json }: Options): Promise<void> {
  const attempt = `list the messages to ${agent}`
  return pan.ask({ ...(json ? { json } : {}), attempt, offline: 'journal', ids: [agent] }, async (client) => {
    const view = await client.call('GET /api/agents/:id/messages', { id: agent })
    if (json) printJson(client.told(view))
    else print(...messageLines(view))
  })
}

function tryAgain(pan: Pan, agent: string, { json, retry }: Options & { retry: string }): Promise<void> {
  const attempt = `try message ${retry} again`
  return pan.ask({ ...(json ? { json } : {}), attempt, ids: [agent, retry] }, async (client) => {
    const view = await client.call('POST /api/agents/:id/retry-message', { id: agent, body: { message: retry } })
    if (json) printJson(view)
    else print(`Message ${retry} is tried again. \`pan agents messages ${agent}\` shows what becomes of it.`)
  })
}

function takeBack(pan: Pan, agent: string, { json, recall }: Options & { recall: string }): Promise<void> {
  const attempt = `take message ${recall} back`
  return pan.ask({ ...(json ? { json } : {}), attempt, ids: [agent, recall] }, async (client) => {
    const view = await client.call('POST /api/agents/:id/recall-message', { id: agent, body: { message: recall } })
    if (json) printJson(view)
    else print(`Message ${recall} is taken back: it is not typed to ${agent}.`)
  })
}

const help = `
A message is queued until the way is free, typed until the agent says that it took it, and then heard. One that does not
arrive is typed three times at most, and never again unless it is known not to be there.

Examples:
  pan agents messages agent-pan-18
  pan agents messages agent-pan-18 --retry m-42
  pan agents messages agent-pan-18 --recall m-43

Exit codes:
  0  shown, taken to be tried again, or taken back
  1  there is no such agent or message, it was delivered, or does not wait any more
  2  wrong usage
  3  no daemon runs`
