/** `pan setup`: the words and options; the work is done by the program daemon/offline/setup, started by the caller. */
import { Command } from 'commander'
import { JSON_OPTION, type Pan } from '../pan.ts'

interface Options {
  remove?: true
  yes?: true
  json?: true
}

export function setupCommand(start: Pan['start']): Command {
  const setup = new Command('setup').description(
    'let the Claude Code sessions that you start yourself work with Cloister',
  )
  setup
    .command('hooks')
    .description('hooks in your own Claude Code settings, by which Cloister hears of your sessions')
    .option('--remove', 'take them out again')
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .addHelpText('after', hooksHelp)
    .action(async (options: Options) => void (await start('setup', ['hooks', ...flags(options)])))
  setup
    .command('commands')
    .description('the commands /work-issue and /work-tell for Claude Code')
    .option('--remove', 'take them away again')
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .addHelpText('after', commandsHelp)
    .action(async (options: Options) => void (await start('setup', ['commands', ...flags(options)])))
  return setup.addHelpText('after', setupHelp)
}

function flags(options: Options): string[] {
  return (['remove', 'yes', 'json'] as const).flatMap((name) => (options[name] ? [`--${name}`] : []))
}

const exitHelp = `
Exit codes:
  0  done, or it was so already
  1  refused, or nothing was changed
  2  wrong usage`

const setupHelp = `
Agents that Cloister starts need neither: they get their hooks when they are started, and your files stay untouched.

Examples:
  pan setup hooks
  pan setup commands
${exitHelp}`

const hooksHelp = `
Shows what would change in settings.json (in CLAUDE_CONFIG_DIR, else in ~/.claude) and asks. Only entries of Cloister
are added, for events that your version of Claude Code knows; every other byte stays. What was there before is kept
beside it. A file that is no JSON is left alone. With nobody to ask, or with --json, nothing is written without --yes.

Examples:
  pan setup hooks                 see it, then say yes or no
  pan setup hooks --yes
  pan setup hooks --remove        byte for byte as before, or only our entries if you changed the file since
${exitHelp}`

const commandsHelp = `
Shows two files for the folder commands of your Claude Code files and asks. They call this pan by its path. Files of the
same name that are not ours are left alone. With nobody to ask, or with --json, nothing is written without --yes.

Examples:
  pan setup commands              then, in Claude Code: /work-issue PAN-18 Fix the login
  pan setup commands --remove
${exitHelp}`
