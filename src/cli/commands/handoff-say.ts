/** What people say of hand-offs: whether one helped, whether rules may, and that lent work is to come back. */
import { Argument, Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

interface Options {
  json?: true
}

export function judgeCommand(pan: Pan): Command {
  return new Command('judge')
    .description('say whether a hand-off has helped; your word counts more than what was seen')
    .argument('<hand-off>', 'its id, such as h-42')
    .addArgument(new Argument('<answer>', 'whether it helped').choices(['yes', 'no']))
    .option('--notes <text>', 'what you saw')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff judge h-42 no --notes 'it began anew'\n${exitHelp}`)
    .action((id: string, answer: 'yes' | 'no', { json, notes }: Options & { notes?: string }) =>
      pan.ask({ ...(json ? { json } : {}), attempt: `judge ${id}`, ids: [id] }, async (client) => {
        const body = { recovered: answer, ...(notes === undefined ? {} : { notes }) } as const
        const view = await client.call('POST /api/handoffs/:id/judge', { id, body })
        if (json) printJson(view)
        else print(`It is written down that hand-off ${id} ${answer === 'yes' ? 'helped' : 'did not help'}.`)
      }),
    )
}

export function autoCommand(pan: Pan): Command {
  return new Command('auto')
    .description('say whether rules may hand the work of an agent over; you always may')
    .argument('<agent>', "the agent's id")
    .addArgument(new Argument('<answer>', 'whether rules may').choices(['on', 'off']))
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff auto agent-pan-18 off\n${exitHelp}`)
    .action((agent: string, answer: 'on' | 'off', { json }: Options) =>
      pan.ask(
        { ...(json ? { json } : {}), attempt: `change the hand-offs of ${agent}`, ids: [agent] },
        async (client) => {
          const view = await client.call('POST /api/agents/:id/handoff/auto', {
            id: agent,
            body: { on: answer === 'on' },
          })
          if (json) printJson(view)
          else if (answer === 'on') print(`Rules may hand the work of ${agent} over.`)
          else print(`Rules leave the work of ${agent} where it is; you can still hand it over.`)
        },
      ),
    )
}

export function backCommand(pan: Pan): Command {
  return new Command('back')
    .description('have a specialist give the work of an agent back to it')
    .argument('<agent>', "the agent's id, not the specialist's")
    .option('--reason <text>', 'why')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff back agent-pan-18\n${exitHelp}`)
    .action((agent: string, { json, reason }: Options & { reason?: string }) =>
      pan.ask({ ...(json ? { json } : {}), attempt: `give ${agent} its work back`, ids: [agent] }, async (client) => {
        const body = reason === undefined ? {} : { reason }
        const view = await client.call('POST /api/agents/:id/handoff/back', { id: agent, body })
        if (json) printJson(view)
        else print(`${agent} is being given its work back.`)
      }),
    )
}

export const exitHelp = `
Exit codes:
  0  done
  1  refused, or there is no such agent or hand-off
  2  wrong usage
  3  no daemon runs`
