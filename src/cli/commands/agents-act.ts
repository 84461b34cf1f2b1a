/** The commands that do something to an agent, and wait for what became of it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { ActKind } from '../../contract/acts.ts'
import type { AcceptedView } from '../../contract/views.ts'
import type { SpawnBody } from '../../contract/bodies.ts'
import type { Client } from '../client.ts'
import { followAct, WAIT_OPTION, type Waiting } from '../outcome.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { shellWord } from '../shell-word.ts'
import { textOrInput } from '../text-of.ts'
import { spawnAgent } from '../spawn-agent.ts'

interface SpawnOptions extends Waiting {
  issue?: string
  project?: string
  workspace?: string
  runtime?: string
  model?: string
  title?: string
  prompt?: string
  promptFile?: string
  here?: true
  auto?: true
}

export function spawnCommand(pan: Pan): Command {
  return new Command('spawn')
    .description('start an agent, or start one again')
    .argument('[id]', "an issue's or an agent's id: pan-18 and agent-pan-18 are the same agent")
    .option('--issue <id>', 'the issue it works on; its id is agent-<issue> unless you name one')
    .option('--project <id>', 'the project it works for, without an issue; its id is <project>-ps')
    .option('--workspace <dir>', 'the folder it works in (default: where it worked before, else a worktree of its own)')
    .option('--here', 'work in this folder instead of a git worktree of its own')
    .option('--runtime <name>', 'the program it runs in: claude-code, understudy …')
    .option('--model <name>', 'a tier (opus, sonnet, haiku) or a model id')
    .option('--auto', 'choose the model by its task, else by the title and the prompt')
    .option('--title <text>', 'what it is about, for lists')
    .option('--prompt <text>', 'its first task')
    .option('--prompt-file <file>', 'its first task, from a file; - is standard input')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', spawnHelp)
    .action((id: string | undefined, options: SpawnOptions, command: Command) => {
      if (id === undefined && options.issue === undefined && options.project === undefined) {
        command.error('error: say who is to be started: an id, --issue <id> or --project <id>.')
      }
      if (options.here && options.workspace !== undefined) {
        command.error("error: options '--here' and '--workspace' exclude each other.")
      }
      refuseBoth(options, command)
      const body = spawnBody(id, options, command)
      const attempt = `start ${id ?? options.issue ?? options.project ?? ''}`
      const ids = [body.id, body.issue, body.project]
      return pan.ask({ ...jsonOf(options), attempt, ids }, (client) =>
        spawnAgent({ client, worktrees: pan.worktrees, options }, { body, folder: process.cwd() }),
      )
    })
}

function spawnBody(id: string | undefined, options: SpawnOptions, command: Command): SpawnBody {
  const { issue, project, runtime, model, auto, title } = options
  const workspace = options.here ? '.' : options.workspace
  const body = {
    id: id?.toLowerCase(),
    issue: issue?.toLowerCase(),
    project,
    title,
    runtime,
    model,
    auto,
    prompt: promptOf(options, command),
    workspace: workspace === undefined ? undefined : resolve(workspace),
    cwd: process.cwd(),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

export function refuseBoth({ auto, model }: { auto?: true; model?: string }, command: Command): void {
  if (auto && model !== undefined) command.error('error: --auto chooses the model; leave out --model, or --auto.')
}

/** The first task, as given or from a file. */
export function promptOf(
  { prompt, promptFile: file }: { prompt?: string; promptFile?: string },
  command: Command,
): string | undefined {
  if (file === undefined) return prompt
  if (prompt !== undefined) command.error("error: options '--prompt' and '--prompt-file' exclude each other.")
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    return command.error(`error: the prompt cannot be read from ${file}: ${(error as Error).message}.`)
  }
}

export function pokeCommand(pan: Pan): Command {
  return new Command('poke')
    .description('ask an agent whether it is stuck')
    .argument('<agent>', "the agent's id")
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', pokeHelp)
    .action((agent: string, options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'poke',
        ask: (client) => client.call('POST /api/agents/:id/poke', { id: agent }),
      }),
    )
}

export function messageCommand(pan: Pan, name = 'message'): Command {
  return new Command(name)
    .description('send a message to an agent; one that sleeps is woken')
    .argument('<agent>', "the agent's id")
    .argument('<text...>', 'several words are one text; - is standard input')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', messageHelp)
    .action((agent: string, words: string[], options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'message',
        ask: async (client) => {
          const message = textOrInput(words, 'message')
          return client.call('POST /api/agents/:id/message', { id: agent, body: { message } })
        },
      }),
    )
}

export function killCommand(pan: Pan): Command {
  return new Command('kill')
    .description('end an agent with all its processes; its uncommitted work is saved first')
    .argument('<agent>', "the agent's id")
    .option('--reason <text>', 'why, for the record')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', killHelp)
    .action((agent: string, { reason, ...options }: Waiting & { reason?: string }) =>
      act(pan, options, {
        agent,
        kind: 'kill',
        ask: (client) =>
          client.call('POST /api/agents/:id/kill', { id: agent, body: reason === undefined ? {} : { reason } }),
      }),
    )
}

export function forgetCommand(pan: Pan): Command {
  return new Command('forget')
    .description('take an agent that does not run off the list, or release an adopted one')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', forgetHelp)
    .action((agent: string, options: { json?: true }) =>
      pan.ask({ ...options, attempt: `forget ${agent}`, ids: [agent] }, async (client) => {
        const { workspace, salvages } = await client.call('GET /api/agents/:id/salvages', { id: agent })
        const view = await client.call('POST /api/agents/:id/forget', { id: agent })
        const { agent: id = agent } = view
        const left =
          salvages.length === 0
            ? 'None of its work had been saved; its folder is left as it is.'
            : `What was saved of its work stays: \`pan restore ${id} --workspace ${shellWord(workspace)}\`.`
        if (options.json) printJson(view)
        else print(`${id} is forgotten. ${left}`)
      }),
    )
}

interface Wish {
  agent: string
  kind: ActKind
  ask: (client: Client) => Promise<AcceptedView>
}

function act(pan: Pan, options: Waiting, { agent, kind, ask }: Wish): Promise<void> {
  return pan.ask({ ...jsonOf(options), attempt: `${kind} ${agent}`, ids: [agent] }, async (client) => {
    const { seq } = await ask(client)
    return followAct(client, options, { seq, agent, act: kind })
  })
}

function jsonOf({ json }: Waiting): { json?: true } {
  return json ? { json } : {}
}

const exitHelp = `
Exit codes:
  0  done, and verified
  1  refused, not done, or nobody knows
  2  wrong usage
  3  no daemon runs`

const forgetHelp = `
For an agent that could not be started, or that you are done with. One that runs must be killed first; one that was
adopted is released and goes on. Its workspace is not touched.

Examples:
  pan agents forget agent-pan-18

Exit codes:
  0  forgotten
  1  there is no such agent, or it runs
  2  wrong usage
  3  no daemon runs`

const spawnHelp = `
A new agent gets a git worktree of its own, workspaces/feature-<issue> on the branch feature/<issue> in the root of this
folder's repository (without an issue: workspaces/<id> on agent/<id>); outside a repository it works in this folder. One
that was there before keeps its folder, runtime and model unless you say otherwise, and begins anew with its whole task
when that is kept and was not finished; --prompt gives it another.

Examples:
  pan agents spawn pan-18                                 agent-pan-18, in a worktree of its own
  pan agents spawn pan-18 --here                          in this very folder
  pan agents spawn --issue pan-18 --workspace ../pan-18 --model opus
  pan agents spawn --project shop --prompt 'Update the dependencies'
  pan agents spawn agent-pan-18                           start it again, with its task
  pan agents spawn try --runtime understudy --model steady
${exitHelp}`

const pokeHelp = `
Costs the agent a short turn. An agent that shows a dialog is not poked: answer the dialog.

Examples:
  pan agents poke agent-pan-18
${exitHelp}`

const messageHelp = `
It waits while the agent shows a dialog or somebody types in its terminal, and is typed when the way is free.
\`pan agents messages <agent>\` shows what became of it.

Examples:
  pan agents message agent-pan-18 'Please commit your changes'
  pan agents message agent-pan-18 stop and write down what you found
  pan agents message agent-pan-18 - < findings.md
${exitHelp}`

const killHelp = `
The work goes to a ref of its own before the processes end; \`pan restore <agent>\` lists it and brings it back. In a
workspace without git nothing can be saved, and the files stay as they are.

Examples:
  pan agents kill agent-pan-18
  pan agents kill agent-pan-18 --reason 'wrong approach'
${exitHelp}`
