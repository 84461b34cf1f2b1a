/** `pan agents report`: what was found of an agent's work, told by a person or a build. */
import { Argument, Command, Option } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

const ABOUT = ['tests', 'review', 'merge', 'ci'] as const
const FOUND = ABOUT.flatMap((about) => [`${about}-passed`, `${about}-failed`])

interface Options {
  from: string
  says?: string
  security?: true
  json?: true
}

export function reportCommand(pan: Pan): Command {
  return new Command('report')
    .description("say what was found of an agent's work; what follows from it is what the settings of hand-offs say")
    .argument('<agent>', "the agent's id")
    .addArgument(new Argument('<found>', 'what was looked at, and what came of it').choices(FOUND))
    .addOption(new Option('--from <name>', 'who found it').default('you'))
    .option('--says <text>', 'in one sentence')
    .option('--security', 'it is a security concern')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((agent: string, found: string, { json, ...said }: Options) =>
      pan.ask({ ...(json ? { json } : {}), attempt: `report on ${agent}`, ids: [agent] }, async (client) => {
        const about = ABOUT.find((each) => found.startsWith(each)) ?? 'tests'
        const body = { about, passed: found.endsWith('-passed'), ...said }
        const view = await client.call('POST /api/agents/:id/report', { id: agent, body })
        if (json) printJson(view)
        else print(`It is written down for ${view.agent ?? agent}.`)
      }),
    )
}

const HELP = `
For you and your build: an agent cannot send it, a specialist neither. Verdicts of a review, and --security with them,
count from review-agent alone; name who found it with --from.

Examples:
  pan agents report agent-pan-18 tests-passed --from test-agent
  pan agents report agent-pan-18 review-failed --from review-agent --security --says 'the token is logged'
  pan agents report agent-pan-18 ci-failed --from build --says 'lint'

Exit codes:
  0  done
  1  refused, or there is no such agent
  2  wrong usage
  3  no daemon runs`
