/** All commands of `pan` with their help; a command that does real work starts its program by path or asks the daemon. */
import { Command, CommanderError } from 'commander'
import { agentsCommand } from './commands/agents.ts'
import { answerCommand, inboxCommand } from './commands/inbox.ts'
import { cloisterCommand } from './commands/cloister.ts'
import { completeCommand, completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { dashboardCommand } from './commands/dashboard.ts'
import { doctorCommand } from './commands/doctor.ts'
import { downCommand } from './commands/down.ts'
import { drillCommand } from './commands/drill.ts'
import { explainCommand } from './commands/explain.ts'
import { finishedCommand } from './commands/finished.ts'
import { handoffCommand } from './commands/handoff.ts'
import { recordCommand, replayCommand } from './commands/record.ts'
import { restoreCommand } from './commands/restore.ts'
import { routeCommand } from './commands/route.ts'
import { setupCommand } from './commands/setup.ts'
import { statsCommand } from './commands/stats.ts'
import { statusCommand } from './commands/status.ts'
import { upCommand } from './commands/up.ts'
import { workCommand } from './commands/work.ts'
import { idProblem } from './check-id.ts'
import { EXIT, Failure, failureLine } from './failure.ts'
import { homeFolder } from './home.ts'
import { InsideAgent, refuseInsideAgent } from './inside-agent.ts'
import { complain, printable } from './output.ts'
import type { Asking, Pan } from './pan.ts'
import { startProgram } from './start-program.ts'
import { versionBeside } from './version.ts'
import { cutWords, silence, USAGE_HINT, wantsJson, wrongUsage } from './wrong-usage.ts'
import { loadWorktrees } from './worktrees.ts'

/** Runs one command line. `entry` is the file URL of the CLI's main file, beside which the other programs lie. */
export async function run(args: readonly string[], entry: string): Promise<number> {
  let exitCode: number = EXIT.ok
  const pan: Pan = {
    start: async (name, programArgs) => (exitCode = await startProgram({ name, args: programArgs, entry })),
    worktrees: () => loadWorktrees(entry),
    end: (code) => void (exitCode = code),
    ask: async (asking, work) => void (exitCode = await answered({ asking, work, entry })),
  }
  const program = panCommand(versionBeside(entry), pan, args[0])
  refuseInsideAgent(program, process.env)
  if (args.length === 0) {
    program.outputHelp()
    return EXIT.ok
  }
  const isForPrograms = wantsJson(args)
  if (isForPrograms) silence(program)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof InsideAgent) return failed(error, error)
    if (!(error instanceof CommanderError)) throw error
    // Help and the version were asked for; everything else that the parser ends with is wrong usage.
    if (error.exitCode === 0) return EXIT.ok
    return isForPrograms ? failed({ json: true }, wrongUsage(error)) : EXIT.usage
  }
  return exitCode
}

/**
 * The command tree; only one branch of it when that is all that is asked for. Starting a program and asking the daemon
 * are left to the caller.
 */
export function panCommand(version: string, pan: Pan, asked?: string): Command {
  const { start } = pan
  const program = new Command('pan')
    .description(
      'Keeps AI coding agents working when nobody watches: sees which one works, waits, loops or hangs, says why, ' +
        'acts, and proves that the act helped.',
    )
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .showHelpAfterError(USAGE_HINT)
    .configureOutput({ outputError: (text, write) => write(cutWords(text)) })
    .addHelpText('after', closingHelp)
  const commands: Record<string, () => Command> = {
    status: () => statusCommand(pan),
    inbox: () => inboxCommand(pan),
    answer: () => answerCommand(pan),
    finished: () => finishedCommand(pan),
    agents: () => agentsCommand(pan),
    work: () => workCommand(pan),
    route: () => routeCommand(pan),
    handoff: () => handoffCommand(pan),
    explain: () => explainCommand(pan),
    stats: () => statsCommand(pan),
    record: () => recordCommand(pan),
    replay: () => replayCommand(start),
    drill: () => drillCommand(pan),
    cloister: () => cloisterCommand(pan),
    dashboard: () => dashboardCommand(pan),
    up: () => upCommand(start),
    down: () => downCommand(pan),
    restore: () => restoreCommand(start),
    config: () => configCommand(start),
    setup: () => setupCommand(start),
    doctor: () => doctorCommand(start),
    completion: () => completionCommand(program),
  }
  const isOne = asked !== undefined && asked !== 'completion' && Object.hasOwn(commands, asked)
  for (const name of isOne ? [asked] : Object.keys(commands)) {
    const command = commands[name]?.()
    if (command !== undefined) program.addCommand(inherit(command, program))
  }
  if (!isOne) program.addCommand(inherit(completeCommand(program, pan), program), { hidden: true })
  return program
}

const closingHelp = `
Examples:
  pan up                     start the daemon; it watches in the background
  pan status                 what is going on, and what needs you
  pan dashboard              the same in a browser: prints a link to sign in with
  pan work issue pan-18      start an agent on an issue, in a git worktree of its own
  pan explain agent-pan-18   why it is called stuck, and what comes next
  pan drill --all            inject every fault into simulated agents: does it notice?
  pan up --demo              watch a small invented fleet, without touching anything

Exit codes:
  0  done
  1  what was asked for failed or was refused, or problems were found
  2  wrong usage: unknown command, option or value
  3  the daemon could not be reached

In an agent's own process (CLOISTER_RUN is set) every command but completion is refused, with 1.`

interface Question {
  asking: Asking
  work: Parameters<Pan['ask']>[1]
  entry: string
}

/** Only a command that asks the daemon pays for loading the client. */
async function answered(question: Question): Promise<number> {
  const { asking, work } = question
  const { json, ids = [] } = asking
  const [notAnId] = ids.flatMap((id) => idProblem(id) ?? [])
  // Without the attempt, which names the id as well, whole.
  if (notAnId !== undefined) return failed(json ? { json } : {}, notAnId)
  const { openClient } = await import('./client.ts')
  const home = homeFolder(process.env)
  try {
    return (await work(openClient(home))) ?? EXIT.ok
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code } = error.error
    if (code === 'no_daemon' && asking.withoutDaemon !== undefined) return asking.withoutDaemon()
    if (code === 'no_answer' && asking.withoutAnswer !== undefined) return asking.withoutAnswer()
    const isOffline = (code === 'no_daemon' || code === 'no_answer') && asking.offline !== undefined
    return (isOffline ? await answeredOffline(question, home, error) : undefined) ?? failed(asking, error)
  }
}

/** Undefined when there is nothing to read. */
async function answeredOffline({ asking, work, entry }: Question, home: string, why: Failure) {
  const { openOffline } = await import('./offline.ts')
  try {
    const offline = await openOffline(asking.offline ?? 'journal', { home, entry, why })
    if (offline === undefined) return undefined
    // Apart from what is shown, so that it can be piped on as ever.
    if (!asking.json) complain(offline.label)
    try {
      return (await work(offline.client)) ?? EXIT.ok
    } finally {
      offline.close()
    }
  } catch (error) {
    if (error instanceof Failure) return failed(asking, error)
    const hint = `${(error as Error).message} ${why.error.hint}`
    return failed(asking, new Failure({ ...why.error, hint }, why.exitCode))
  }
}

function failed({ json, attempt }: Asking, error: Failure): number {
  const isAttempt = error.exitCode === EXIT.failed || error.error.code === 'invalid'
  if (json) complain(JSON.stringify(error.error))
  else complain(printable(failureLine(error, isAttempt ? attempt : undefined)))
  return error.exitCode
}

/** Commands made elsewhere get the parser settings (exit, error output) of the program they are added to. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}
