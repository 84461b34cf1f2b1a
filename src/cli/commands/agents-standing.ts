/** The commands on what is wanted of an agent: hold, freeze, release, and work that it is to begin. */
import { Command } from 'commander'
import { instantOf } from '../instant.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { textOf } from '../text-of.ts'
import { clockTime } from '../words.ts'

interface HoldOptions {
  until?: string
  reason?: string
  json?: true
}

export function holdCommand(pan: Pan): Command {
  return held(pan, 'hold')
}

export function freezeCommand(pan: Pan): Command {
  return held(pan, 'freeze')
}

function held(pan: Pan, name: 'hold' | 'freeze'): Command {
  const { description, help } = name === 'hold' ? HOLD : FREEZE
  return new Command(name)
    .description(description)
    .argument('<agent>', "the agent's id")
    .option('--until <time>', 'when it ends: 18:30, 90m, 8h, or an ISO instant')
    .option('--reason <text>', 'why, for everybody who looks')
    .option(...JSON_OPTION)
    .addHelpText('after', `${help}\n${exitHelp}`)
    .action((agent: string, { until, reason, json }: HoldOptions, command: Command) => {
      const at = until === undefined ? undefined : instantOf(until, Date.now())
      if (until !== undefined && at === undefined) {
        command.error(`error: --until ${until} is no time: use 18:30, 90m, 8h, or an ISO instant.`)
      }
      const body = {
        ...(reason === undefined ? {} : { reason }),
        ...(at === undefined ? {} : { until: new Date(at).toISOString() }),
      }
      return pan.ask({ ...(json ? { json } : {}), attempt: `${name} ${agent}`, ids: [agent] }, async (client) => {
        const view = await client.call(`POST /api/agents/:id/${name}`, { id: agent, body })
        if (json) return printJson(view)
        const { desired } = await client.call('GET /api/agents/:id', { id: agent })
        const end = desired?.untilWallAt
        const word = name === 'hold' ? 'held' : 'frozen'
        print(
          `${view.agent ?? agent} is ${word} ${end === undefined ? 'until you release it' : `until ${clockTime(end)}`}.`,
        )
      })
    })
}

export function releaseCommand(pan: Pan): Command {
  return new Command('release')
    .description('end a hold or a freeze; one that a usage limit holds is told to go on')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', `${releaseHelp}\n${exitHelp}`)
    .action((agent: string, options: { json?: true }) =>
      pan.ask({ ...options, attempt: `release ${agent}`, ids: [agent] }, async (client) => {
        const view = await client.call('POST /api/agents/:id/release', { id: agent })
        if (options.json) printJson(view)
        else print(`${view.agent ?? agent} is released.`)
      }),
    )
}

export function assignCommand(pan: Pan): Command {
  return new Command('assign')
    .description('say what an agent is to work on; it is reminded while it rests, and woken when it sleeps')
    .argument('<agent>', "the agent's id")
    .argument('<text...>', 'several words are one text')
    .option(...JSON_OPTION)
    .addHelpText('after', `${assignHelp}\n${exitHelp}`)
    .action((agent: string, words: string[], options: { json?: true }) =>
      pan.ask({ ...options, attempt: `assign work to ${agent}`, ids: [agent] }, async (client) => {
        const what = textOf(words, 'work')
        const view = await client.call('POST /api/agents/:id/assign', { id: agent, body: { what } })
        if (options.json) printJson(view)
        else print(`The work waits for ${view.agent ?? agent}.`)
      }),
    )
}

const exitHelp = `
Exit codes:
  0  done
  1  refused, or there is no such agent
  2  wrong usage
  3  no daemon runs`

const HOLD = {
  description: 'keep rules away from an agent for a while; you can still do with it what you want',
  help: `
No rule pokes, interrupts, suspends, ends or restarts it. Without --until it ends after 8 hours.

Examples:
  pan agents hold agent-pan-18 --until 18:30 --reason 'we debug it together'
  pan agents hold agent-pan-18 --until 90m`,
}

const FREEZE = {
  description: 'let nobody start, type to or suspend an agent; only a kill goes through',
  help: `
Without --until it lasts until you release it.

Examples:
  pan agents freeze agent-pan-18 --reason 'evidence'`,
}

const releaseHelp = `
Examples:
  pan agents release agent-pan-18`

const assignHelp = `
It is reminded at most three times, a quarter of an hour apart, while it rests; then you are asked.

Examples:
  pan agents assign agent-pan-18 'Fix the failing login test'`
