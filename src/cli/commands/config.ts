/** `pan config`: the words and options; the work is done by the program daemon/offline/config, started by the caller. */
import { Command } from 'commander'

type Start = (program: 'config', args: string[]) => Promise<number>

export function configCommand(start: Start): Command {
  const config = new Command('config').description('show, change and check the settings in cloister.yaml')
  config
    .command('get [key]')
    .description('print the settings as they count now, or the value of one key')
    .option('--json', 'print JSON; for one key also where its value comes from: default, file or env')
    .addHelpText('after', getHelp)
    .action((key: string | undefined, options: Options) => run(start, ['get', key], options))
  config
    .command('set <key> <value>')
    .description('change one key; comments and all other lines stay as they are')
    .option('--json', 'print what was changed as JSON')
    .addHelpText('after', setHelp)
    .action((key: string, value: string, options: Options) => run(start, ['set', key, value], options))
  config
    .command('edit')
    .description('open the settings in your editor; they are checked before they are taken over')
    .option('--from <file>', 'go on with an edit that was kept because it was not valid')
    .addHelpText('after', editHelp)
    .action((options: Options) => run(start, ['edit'], options))
  config
    .command('validate [file]')
    .description('list every problem with its place, and the keys that are not yet in effect')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', validateHelp)
    .action((file: string | undefined, options: Options) => run(start, ['validate', file], options))
  config
    .command('path')
    .description('print where the settings are')
    .option('--json', 'print JSON')
    .addHelpText('after', pathHelp)
    .action((options: Options) => run(start, ['path'], options))
  return config.addHelpText('after', configHelp)
}

interface Options {
  json?: true
  from?: string
}

async function run(start: Start, action: readonly (string | undefined)[], options: Options): Promise<void> {
  const [name = '', ...positionals] = action.filter((word) => word !== undefined)
  const flags = [...(options.json ? ['--json'] : []), ...(options.from === undefined ? [] : [`--from=${options.from}`])]
  // The dashes keep a value such as -1 from being read as an option.
  await start('config', [name, ...flags, ...(positionals.length === 0 ? [] : ['--', ...positionals])])
}

const exitHelp = `
Exit codes:
  0  done
  1  problems were found, or nothing could be changed
  2  wrong usage: an unknown key or option, a value that is no YAML, or no editor`

const configHelp = `
Examples:
  pan config get thresholds.stuck        one value
  pan config set thresholds.stuck 45     change it
  pan config validate                    check the file
${exitHelp}`

const getHelp = `
Examples:
  pan config get                               all settings as YAML, defaults included
  pan config get --json                        the same as JSON
  pan config get thresholds.stuck              30
  pan config get thresholds.stuck --json       the value, and whether it is the default
  pan config get 'runtimes.model_routing."gpt-5.1"'   a name with other characters stands in double quotes
${exitHelp}`

const setHelp = `
The value is YAML: a number, a text, true or false, null, [a, list] or {a: group}.
A change that would make the file invalid is refused. A missing file is made.

Examples:
  pan config set thresholds.stuck 45
  pan config set monitoring.heartbeat_sources '[jsonl_mtime, git_activity]'
  pan config set model_selection.complexity_routing.trivial '{model: deepseek-v3, runtime: opencode}'
${exitHelp}`

const editHelp = `
Uses VISUAL, else EDITOR. You edit a copy: when it is not valid, the settings stay as they are and the copy is kept.

Examples:
  pan config edit
  EDITOR='code --wait' pan config edit
${exitHelp}`

const validateHelp = `
Each problem is one line: file:line:column  key  what is wrong (did you mean …?).

Examples:
  pan config validate
  pan config validate ./cloister.yaml
  pan config validate --json
${exitHelp}`

const pathHelp = `
CLOISTER_CONFIG names the file; else it is cloister.yaml in PANOPTICON_HOME, else in ~/.panopticon.

Examples:
  pan config path
  CLOISTER_CONFIG=~/work/cloister.yaml pan config path`
