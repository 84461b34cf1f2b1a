/** `pan completion <shell>` prints the script; the script asks the hidden `pan complete` what may come next. */
import { Argument, Command } from 'commander'
import { FAULTS } from '../../contract/faults.ts'
import type { Client } from '../client.ts'
import type { Pan } from '../pan.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', examples)
    .action(async (shell: string) => {
      const { completionOf } = await import('../completion.ts')
      completionOf(program, {}).setup('pan', 'pan', shell)
    })
}

export function completeCommand(program: Command, pan: Pan): Command {
  return new Command('complete')
    .description('what may come next on the command line')
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { completionOf } = await import('../completion.ts')
      const complete = (values: Parameters<typeof completionOf>[1]) => completionOf(program, values).parse([...words])
      const withoutDaemon = async () => (complete({ fault }), Promise.resolve(0))
      await pan.ask({ withoutDaemon, withoutAnswer: withoutDaemon }, async (client) =>
        complete({ fault, ...(await knownIds(client)) }),
      )
    })
}

const fault = Object.entries(FAULTS).map(([value, about]) => ({ value, about }))

/** By the name of the argument that takes them. */
async function knownIds(client: Client): Promise<Record<string, { value: string; about: string }[]>> {
  const { specialists, issueAgents, projectAgents } = await client.call('GET /api/agents')
  const { items } = await client.call('GET /api/inbox')
  const agents = [...specialists, ...issueAgents, ...projectAgents].map(({ id, shown }) => ({
    value: id,
    about: shown,
  }))
  return { agent: agents, id: agents, item: items.map(({ id, sentence }) => ({ value: id, about: sentence })) }
}

const examples = `
Agent ids are completed too while the daemon runs. For bash the package bash-completion must be loaded.

Examples:
  source <(pan completion bash)                                     in ~/.bashrc
  source <(pan completion zsh)                                      in ~/.zshrc, after compinit
  pan completion fish > ~/.config/fish/completions/pan.fish

Exit codes:
  0  printed
  2  unknown shell`
