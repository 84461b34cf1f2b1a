/** `pan explain`: why an agent is judged as it is. */
import { Command } from 'commander'
import type { WrongView } from '../../contract/recording.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { explainLines } from '../show-explain.ts'
import { textOf } from '../text-of.ts'
import { count } from '../words.ts'

interface Options {
  json?: true
  wrong?: string
}

export function explainCommand(pan: Pan): Command {
  return new Command('explain')
    .description('why an agent is judged as it is, what would change it, and what comes next')
    .argument('<agent>', "the agent's id")
    .option('--wrong <words>', 'say that the verdict is wrong, and why: what led to it is kept, to be learned from')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((agent: string, options: Options) =>
      options.wrong === undefined
        ? explain(pan, agent, options)
        : sayWrong(pan, agent, { ...options, words: options.wrong }),
    )
}

function explain(pan: Pan, agent: string, { json }: Options): Promise<void> {
  const options = json ? { json } : {}
  return pan.ask({ ...options, attempt: `explain ${agent}`, offline: 'journal', ids: [agent] }, async (client) => {
    const view = await client.call('GET /api/agents/:id/explain', { id: agent })
    if (json) printJson(client.told(view))
    else print(...explainLines(view))
  })
}

function sayWrong(pan: Pan, agent: string, { json, words }: Options & { words: string }): Promise<void> {
  const options = json ? { json } : {}
  return pan.ask({ ...options, attempt: `keep what led to the verdict on ${agent}`, ids: [agent] }, async (client) => {
    const body = { words: textOf([words], 'reason') }
    const view = await client.call('POST /api/agents/:id/wrong', { id: agent, body })
    if (json) printJson(view)
    else print(...wrongLines(view))
  })
}

function wrongLines({ file, inputs, health, cause, reproduced, kept, most }: WrongView): string[] {
  const verdict = `${health === 'none' ? '' : `${health}, `}${cause.replaceAll('_', ' ')}`
  return [
    `Kept, as wrong: ${verdict}. Its record and the last ${count(inputs, 'input')} are in ${file}`,
    ...(reproduced ? [] : ['Told again, they do not lead to the same verdict: something else had a part in it.']),
    `${kept} of at most ${most} are kept. See it again with: pan replay --explain ${file}`,
  ]
}

const examples = `
Without a daemon the last verdict is explained, with ages as of then, and that is said; --json then has "daemon": false.

Examples:
  pan explain agent-pan-18
  pan explain agent-pan-18 --json | jq .witnesses
  pan explain agent-pan-18 --wrong "it was compiling, not stuck"

With --wrong the agent's record and its last 200 to 300 inputs since the daemon started are written to the folder wrong
of the home, readable by you alone and without secrets: a recording with your words, which \`pan replay\` tells again.
Nothing is sent anywhere. At most 100 are kept; \`npm run -s corpus -- --with <folder>\` measures the judge by them.

Exit codes:
  0  shown, or kept
  1  there is no such agent, or it could not be kept
  3  no daemon runs, and there is nothing to show`
