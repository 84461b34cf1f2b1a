/** All commands of `pan` with their help; a command that does real work starts its program by path. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { configCommand } from './commands/config.ts'
import { upCommand } from './commands/up.ts'
import { startProgram } from './start-program.ts'
import type { ProgramName } from './start-program.ts'

const exitCodes = { ok: 0, usage: 2 } as const

/** Runs one command line. `entry` is the file URL of the CLI's main file, beside which the other programs lie. */
export async function run(args: readonly string[], entry: string): Promise<number> {
  let exitCode: number = exitCodes.ok
  const program = panCommand(versionBeside(entry), async (name, programArgs) => {
    exitCode = await startProgram({ name, args: programArgs, entry })
    return exitCode
  })
  if (args.length === 0) {
    program.outputHelp()
    return exitCodes.ok
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and the version were asked for; everything else that the parser ends with is wrong usage.
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
  return exitCode
}

/** The whole command tree. Starting a program is left to the caller. */
export function panCommand(version: string, start: (name: ProgramName, args: string[]) => Promise<number>): Command {
  const program = new Command('pan')
    .description(
      'Keeps AI coding agents working when nobody watches: sees which one works, waits, loops or hangs, says why, ' +
        'acts, and proves that the act helped.',
    )
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText('after', closingHelp)
  for (const command of [upCommand(start), configCommand(start)]) program.addCommand(inherit(command, program))
  return program
}

const closingHelp = `
Examples:
  pan up --demo              watch a small invented fleet, without touching anything
  pan up                     watch your agents in the foreground; Ctrl-C ends the watching, never an agent
  pan config validate        check cloister.yaml and say which settings are not yet in effect
  pan help config            all that can be done with settings

Exit codes:
  0  done
  1  what was asked for failed, or problems were found
  2  wrong usage: unknown command, option or value
  3  the daemon could not be reached`

/** Commands made elsewhere get the parser settings (exit, error output) of the program they are added to. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}

function versionBeside(entry: string): string {
  const text = readFileSync(new URL('../../package.json', entry), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
