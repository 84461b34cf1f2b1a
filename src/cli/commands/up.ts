/** `pan up`: starts the daemon in the foreground. */
import { Command, InvalidArgumentError } from 'commander'

export function upCommand(start: (program: 'daemon', args: string[]) => Promise<number>): Command {
  return new Command('up')
    .description('start the daemon in the foreground and watch')
    .option('--demo', 'watch a small invented fleet on a virtual clock; nothing real is touched')
    .option('--speed <n>', 'how many times faster than real time the demo runs', aboveZero)
    .addHelpText('after', examples)
    .action(async (options: { demo?: true; speed?: number }, command: Command) => {
      if (options.speed !== undefined && !options.demo) {
        command.error("error: option '--speed <n>' is for the demo only. Add --demo, or leave --speed out.")
      }
      await start('daemon', [
        ...(options.demo ? ['--demo'] : []),
        ...(options.speed === undefined ? [] : ['--speed', String(options.speed)]),
      ])
    })
}

function aboveZero(text: string): number {
  const speed = Number(text)
  if (!(speed > 0 && Number.isFinite(speed))) throw new InvalidArgumentError('Give a number above 0, for example 60.')
  return speed
}

const examples = `
Examples:
  pan up                        watch your agents; Ctrl-C ends the watching, never an agent
  pan up --demo                 an invented fleet, to see what Cloister says and does
  pan up --demo --speed 60      the same, one minute per second`
