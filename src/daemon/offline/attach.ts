/** The program behind `pan agents attach`: runs the command that the daemon gave, on this terminal. */
import { runAttached } from '../../adapters/process/run-attached.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const [program = '', ...rest] = args[0] === '--' ? args.slice(1) : args
  // The agents' terminal server is another one than the user's, so that one may stand within the other.
  delete process.env['TMUX']
  try {
    const { code } = await runAttached(program, rest)
    return code === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`Could not start ${program}: ${(error as Error).message}. Is it installed?\n`)
    return 1
  }
}
