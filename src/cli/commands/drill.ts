/** `pan drill`: the words; the work is done by the program daemon/offline/drill, started by the caller. */
import { Command } from 'commander'
import { FAULTS, isFault, ONLY_TEMPORARY } from '../../contract/faults.ts'
import { idProblem } from '../check-id.ts'
import { EXIT } from '../failure.ts'
import { instantOf } from '../instant.ts'
import { print, printJson, table } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

interface Options {
  agent?: string
  all?: true
  list?: true
  temporary?: true
  timeout?: string
  json?: true
}

export function drillCommand(pan: Pan): Command {
  return new Command('drill')
    .description('inject a fault into a simulated agent, and see how soon it is noticed and what is done')
    .argument('[fault...]', Object.keys(FAULTS).join(', '))
    .option('--all', 'the self-test: every fault, each in a temporary home; needs no daemon')
    .option('--list', 'show the faults')
    .option('--temporary', 'in a temporary home with small thresholds, instead of the live one')
    .option('--agent <id>', 'use this simulated agent instead of starting one; a real agent is refused')
    .option('--timeout <time>', 'give up after so long: 90s, 5m, 1h')
    .option(...JSON_OPTION)
    .addHelpText('after', help)
    .action(async (faults: string[], options: Options, command: Command) => {
      if (options.list) return pan.end(list(options))
      check(faults, options, command)
      await pan.start('drill', argsFor(faults, options))
    })
}

function list({ json }: Options): number {
  const rows = Object.entries(FAULTS).map(([fault, about]) => {
    const temporary = ONLY_TEMPORARY.some((each) => each === fault)
    return { fault, about, temporary }
  })
  if (json) printJson({ faults: rows })
  else {
    const lines = rows.map(({ fault, about, temporary }) => [fault, temporary ? 'temporary' : 'live', about])
    print(...table(['FAULT', 'HOME', 'WHAT HAPPENS'], lines))
  }
  return EXIT.ok
}

function check(faults: readonly string[], options: Options, command: Command): void {
  const { all, agent, temporary, timeout } = options
  const unknown = faults.find((fault) => !isFault(fault))
  const names = Object.keys(FAULTS).join(', ')
  if (unknown !== undefined) command.error(`error: ${unknown} is no fault: use one of ${names}.`)
  if (all && (faults.length > 0 || agent !== undefined)) {
    command.error('error: --all drills every fault in homes of their own: name neither a fault nor an agent with it.')
  }
  if (!all && faults.length === 0) command.error(`error: name a fault (${names}), or use --all.`)
  const isApart = temporary || faults.some((fault) => ONLY_TEMPORARY.some((each) => each === fault))
  if (agent !== undefined && isApart) {
    command.error('error: --agent names an agent of the live home, and this drill runs in a temporary one.')
  }
  const notAnId = agent === undefined ? undefined : idProblem(agent)
  if (notAnId !== undefined) command.error(`error: ${notAnId.error.sentence}. ${notAnId.error.hint}`)
  if (timeout !== undefined && millisecondsOf(timeout) === undefined) {
    command.error(`error: --timeout ${timeout} is no time: use 90s, 5m or 1h.`)
  }
}

function argsFor(faults: readonly string[], { all, agent, temporary, timeout, json }: Options): string[] {
  const ms = timeout === undefined ? undefined : millisecondsOf(timeout)
  return [
    ...(all ? ['--all'] : []),
    ...(temporary ? ['--temporary'] : []),
    ...(json ? ['--json'] : []),
    ...(agent === undefined ? [] : ['--agent', agent]),
    ...(ms === undefined ? [] : ['--timeout-ms', String(ms)]),
    '--',
    ...new Set(faults),
  ]
}

function millisecondsOf(text: string): number | undefined {
  const ms = /^\d+[smh]$/.test(text) ? instantOf(text, 0) : undefined
  return ms === 0 ? undefined : ms
}

const help = `
In the live home a simulated agent (agent-drill-<fault>-<n>) is started, gets the fault by a message, and is ended and
forgotten afterwards; the settings of the home hold, so that a hang takes its minutes. clock-jump and mass-death, and
all drills of --all, run in temporary homes with a daemon and a terminal server of their own, of which nothing is left.
Ctrl-C cleans up, too. With --json progress goes to stderr, and {"passed", "drills": [{"fault", "home", "agents",
"seenAs", "detectedMs", "boundMs", "done": [{"afterMs", "what", "sentence"}], "passed", "outcome"}]} to stdout.

Examples:
  pan drill --list
  pan drill --all                    about a minute; a table in the end
  pan drill crash                    in the live home
  pan drill hang --temporary         with small thresholds instead of the home's minutes
  pan drill loop --agent demo-steady
  pan drill --all --json | jq '.drills[] | select(.passed | not)'

Exit codes:
  0  every drill passed
  1  a drill failed, or could not be held
  2  wrong usage
  3  no daemon runs for the live home
  130  interrupted; everything was cleaned up`
