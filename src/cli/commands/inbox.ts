/** `pan inbox` and `pan answer`: what only a person can settle. */
import { Command } from 'commander'
import type { NeedsYou } from '../../contract/needs-you.ts'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { paint, print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { finishedLines } from '../show-finished.ts'
import { itemLines } from '../show-status.ts'
import { followAct, WAIT_OPTION, type Waiting } from '../outcome.ts'
import { textOf } from '../text-of.ts'

interface Options {
  json?: true
}

export function inboxCommand(pan: Pan): Command {
  const inbox = new Command('inbox')
    .description('what only a person can settle, and who finished and is to be looked at')
    .option(...JSON_OPTION)
    .addHelpText('after', inboxHelp)
    .action((options: Options) =>
      pan.ask({ ...options, attempt: 'read the inbox', offline: 'journal' }, async (client) => {
        const { items } = await client.call('GET /api/inbox')
        const { finished } = await client.call('GET /api/finished')
        if (options.json) return printJson(client.told({ items, finished }))
        print(...(items.length === 0 ? ['Nothing needs you.'] : itemLines(items)))
        if (finished.length > 0) print('', paint('bold', 'Finished'), ...finishedLines(finished))
      }),
    )
  inbox
    .command('settle <item>')
    .description('mark an item as done, without answering it')
    .option(...JSON_OPTION)
    .addHelpText('after', settleHelp)
    .action((item: string, _: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      return pan.ask({ ...options, attempt: `settle ${item}`, ids: [item] }, async (client) => {
        const view = await client.call('POST /api/inbox/:id/settle', { id: item })
        if (options.json) printJson(view)
        else print(`${item} is settled.`)
      })
    })
  return inbox
}

export function answerCommand(pan: Pan): Command {
  return new Command('answer')
    .description('answer an agent that waits for you')
    .argument('<item>', 'the id of the item, as `pan inbox` shows it')
    .argument('<answer...>', 'a text, or the number of one of its options')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', answerHelp)
    .action((id: string, words: string[], options: Waiting) =>
      pan.ask({ ...options, attempt: `answer ${id}`, ids: [id] }, async (client) => {
        const text = textOf(words, 'answer')
        const item = await itemOf(client, id)
        const asked = item.questions?.length ?? 1
        const answer = asked > 1 && words.length === asked ? words.join('\n') : text
        const view = await client.call('POST /api/inbox/:id/answer', { id, body: { answer } })
        const { seq } = view
        // A word on a proposal is taken at once; nothing is typed to anybody.
        if (item.kind === 'approval') return sayTaken(view, item, { answer, ...options })
        return followAct(client, options, { seq, agent: item.agent ?? '', act: 'answer' })
      }),
    )
}

function sayTaken(view: object, { handoff = '' }: NeedsYou, given: Options & { answer: string }): void {
  if (given.json) printJson(view)
  else print(`Hand-off ${handoff} is ${given.answer}d; see it with pan handoff show ${handoff}.`)
}

async function itemOf(client: Client, id: string): Promise<NeedsYou> {
  const { items } = await client.call('GET /api/inbox')
  const item = items.find((each) => each.id === id)
  if (item !== undefined) return item
  const hint = 'It may be settled already; `pan inbox` shows what is open.'
  throw new Failure({ code: 'not_found', sentence: `There is no open item ${id}`, hint })
}

const exitHelp = `
Exit codes:
  0  done
  1  failed or refused
  2  wrong usage, or an answer that is none
  3  no daemon runs`

const inboxHelp = `
Below it stands who finished and was not looked at since, which needs nobody; \`pan finished\` shows that alone. Without a
daemon it is what the last one left open, and that is said; --json then has "daemon": false.

Examples:
  pan inbox
  pan inbox settle n-42
  pan answer n-42 yes
${exitHelp}, and there is nothing to show`

const settleHelp = `
Examples:
  pan inbox settle n-42      you dealt with it elsewhere
${exitHelp}`

const answerHelp = `
A permission takes allow, yes or 1, and deny, no or 2 with a reason if you like. A question takes the number or the text
of an option, or an answer in your own words. Who is asked several things at once gives as many answers, in their order.

Examples:
  pan answer n-42 yes
  pan answer n-42 deny: the folder is still needed
  pan answer n-42 2                            the second option
  pan answer n-42 use the staging database     several words are one text
  pan answer n-42 2 'none of them'             to two questions
${exitHelp}`
