/** `pan up`: starts the daemon in the background, or with --foreground and --demo right here. */
import { Command } from 'commander'
import type { Pan } from '../pan.ts'

interface Options {
  foreground?: true
  demo?: true
  json?: true
}

export function upCommand(start: Pan['start']): Command {
  return new Command('up')
    .description('start the daemon, which watches in the background')
    .option('--foreground', 'stay here and print what happens; Ctrl-C ends the watching, never an agent')
    .option(
      '--demo',
      'three simulated agents in real panes, in a home of their own, until Ctrl-C; nothing of yours is touched',
    )
    .option('--json', 'print JSON; in the foreground one event per line')
    .addHelpText('after', examples)
    .action(async ({ foreground, demo, json }: Options) => {
      const args = [...(demo ? ['--demo'] : []), ...(json ? ['--json'] : [])]
      await start(foreground || demo ? 'daemon' : 'up', args)
    })
}

const examples = `
Examples:
  pan up                        start watching; a second time it says that it already runs
  pan up --foreground           watch here; Ctrl-C ends the watching, never an agent
  pan up --demo                 simulated agents, to see what Cloister says and does

Exit codes:
  0  the daemon runs
  1  it could not be started; the end of its log says why
  2  wrong usage`
