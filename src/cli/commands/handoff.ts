/** `pan handoff`: the work of an agent to another model: what is suggested, to start, approve, refuse and look back. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { HandoffEvent, HandoffsView, HandoffSuggestion } from '../../contract/handoff-views.ts'
import { labelled, print, printJson, table } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { clockTime, duration } from '../words.ts'
import { autoCommand, backCommand, exitHelp, judgeCommand } from './handoff-say.ts'

interface Options {
  json?: true
}

export function handoffCommand(pan: Pan): Command {
  const handoff = new Command('handoff').description('hand the work of an agent to another model')
  handoff.addCommand(suggestCommand(pan))
  handoff.addCommand(startCommand(pan))
  handoff.addCommand(listCommand(pan))
  handoff.addCommand(showCommand(pan))
  handoff.addCommand(decideCommand(pan, 'approve'))
  handoff.addCommand(decideCommand(pan, 'refuse'))
  handoff.addCommand(judgeCommand(pan))
  handoff.addCommand(autoCommand(pan))
  handoff.addCommand(backCommand(pan))
  return handoff.addHelpText('after', `${handoffHelp}\n${exitHelp}`)
}

function suggestCommand(pan: Pan): Command {
  return new Command('suggest')
    .description('whether the work of an agent should pass to another model, and at what price')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff suggest agent-pan-18\n${exitHelp}`)
    .action((agent: string, options: Options) =>
      pan.ask({ ...options, attempt: `look at ${agent}`, ids: [agent] }, async (client) => {
        const view = await client.call('GET /api/agents/:id/handoff/suggestion', { id: agent })
        if (options.json) printJson(view)
        else print(...suggestionLines(agent, view))
      }),
    )
}

function suggestionLines(agent: string, view: HandoffSuggestion): string[] {
  const { suggested, currentModel, suggestedModel, suggestedSpecialist, reason, estimate, open } = view
  const { evidence = [], notNow } = view
  const price =
    estimate === undefined
      ? []
      : [
          `So far it cost ${usd(estimate.from)}; with ${suggestedModel} the same would have cost ${usd(estimate.to)}${
            estimate.opus === undefined ? '' : `, all with opus ${usd(estimate.opus)}`
          }.`,
        ]
  const first = suggested
    ? `${agent} (${currentModel}) should be handed to ${suggestedSpecialist ?? suggestedModel}: ${reason}.`
    : `${agent} stays with ${currentModel}: ${reason}.`
  return [
    first,
    ...evidence.map((each) => `  seen: ${each}`),
    ...price,
    ...(notNow === undefined ? [] : [`Not now: ${notNow}.`]),
    ...(open === undefined ? [] : [`Hand-off ${open.id} to ${open.to} is ${words(open.state)}.`]),
  ]
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`
}

interface StartOptions extends Options {
  to?: string
  runtime?: string
  specialist?: string
  cycle?: true
  reason?: string
  ask?: true
}

function startCommand(pan: Pan): Command {
  return new Command('start')
    .description('hand the work of an agent over; it saves first, and the successor must show that it goes on')
    .argument('<agent>', "the agent's id")
    .option('--to <model>', 'the tier or model that goes on')
    .option('--runtime <name>', 'another runtime')
    .option('--specialist <name>', 'a specialist, which gives the work back when it is done')
    .option('--cycle', 'keep the model: it writes down where it stands, and goes on from that in an empty context')
    .option('--reason <text>', 'why, for everybody who looks')
    .option('--ask', 'only propose it: it waits for a yes')
    .option(...JSON_OPTION)
    .addHelpText('after', `${startHelp}\n${exitHelp}`)
    .action((agent: string, { to, runtime, specialist, cycle, reason, ask, json }: StartOptions) =>
      pan.ask({ ...(json ? { json } : {}), attempt: `hand ${agent} over`, ids: [agent] }, async (client) => {
        const body = {
          ...(to === undefined ? {} : { toModel: to }),
          ...(runtime === undefined ? {} : { toRuntime: runtime }),
          ...(specialist === undefined ? {} : { toSpecialist: specialist }),
          ...(cycle === undefined ? {} : { method: 'context_cycle' as const }),
          ...(reason === undefined ? {} : { reason }),
          ...(ask === undefined ? {} : { ask }),
        }
        const view = await client.call('POST /api/agents/:id/handoff', { id: agent, body })
        if (json) return printJson(view)
        const { handoff: id = '' } = view
        print(ask ? `Hand-off ${id} waits for a yes.` : `Hand-off ${id} has begun; see it with pan handoff show ${id}.`)
      }),
    )
}

interface ListOptions extends Options {
  limit?: string
  since?: string
  agent?: string
  issue?: string
  trigger?: string
  method?: string
  state?: string
}

function listCommand(pan: Pan): Command {
  return new Command('list')
    .description('hand-offs, the newest first: how many were done, and how many helped')
    .addOption(new Option('--limit <n>', 'how many at most').argParser(limit).default('50'))
    .option('--since <time>', 'only those that began since a date or an ISO instant')
    .option('--agent <id>', 'only those of an agent')
    .option('--issue <id>', 'only those of an issue', (id) => id.toLowerCase())
    .option('--trigger <name>', 'only those with this trigger, such as stuck_escalation')
    .option('--method <name>', 'only those of this kind, such as kill_spawn')
    .option('--state <name>', 'only those in this state, such as done; open for all that are not over')
    .option(...JSON_OPTION)
    .addHelpText('after', `${listHelp}\n${exitHelp}`)
    .action(({ json, ...query }: ListOptions) =>
      pan.ask({ ...(json ? { json } : {}), attempt: 'list the hand-offs', offline: 'journal' }, async (client) => {
        const view = await client.call('GET /api/handoffs', { query })
        if (json) printJson(client.told(view))
        else print(...listLines(view))
      }),
    )
}

function limit(text: string): string {
  const n = Number(text)
  if (!(Number.isInteger(n) && n >= 1 && n <= 500)) throw new InvalidArgumentError('Give a number from 1 to 500.')
  return text
}

function listLines({ handoffs, operation, recovery }: HandoffsView): string[] {
  if (handoffs.length === 0) return ['Nothing was handed over yet.']
  const rows = handoffs.map((each) => [
    each.id,
    clockTime(Date.parse(each.timestamp)),
    each.agentId,
    `${nameOf(each.from)} → ${nameOf(each.to)}`,
    each.trigger,
    words(each.state),
    helped(each),
  ])
  return [
    ...table(['ID', 'BEGAN', 'AGENT', 'FROM → TO', 'TRIGGER', 'STATE', 'HELPED'], rows),
    '',
    `Done: ${operation.good} of ${operation.of}. Helped: ${recovery.good} of ${recovery.of} that are judged.`,
  ]
}

function nameOf({ specialist, model }: HandoffEvent['to']): string {
  return specialist ?? model
}

function helped({ outcome }: HandoffEvent): string {
  if (outcome === undefined) return '-'
  if (outcome.verificationMethod === undefined) return 'not judged yet'
  return outcome.verified ? (outcome.agentRecovered ? 'yes' : 'no') : 'unknown'
}

function words(state: string): string {
  return state.replaceAll('_', ' ')
}

function showCommand(pan: Pan): Command {
  return new Command('show')
    .description('one hand-off: what was asked for, how far it came, and whether it helped')
    .argument('<hand-off>', 'its id, such as h-42')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff show h-42\n${exitHelp}`)
    .action((id: string, options: Options) =>
      pan.ask({ ...options, attempt: `show ${id}`, ids: [id], offline: 'journal' }, async (client) => {
        const view = await client.call('GET /api/handoffs/:id', { id })
        if (options.json) printJson(client.told(view))
        else print(...showLines(view))
      }),
    )
}

function showLines(view: HandoffEvent): string[] {
  const { id, agentId, from, to, state, reason, by, trigger, errorMessage, gate, captured, salvage, durationMs } = view
  return [
    `${id}  ${words(state)}`,
    ...labelled([
      ['work of', agentId],
      ['from', party(from)],
      ['to', party(to)],
      ['asked for', `by ${by}: ${reason} (${trigger})`],
      ...(view.evidence ?? []).map((each) => ['seen', each] as const),
      ['waits', state === 'awaiting_approval' ? gate : undefined],
      ['began', clockTime(Date.parse(view.timestamp))],
      ['took', durationMs === undefined ? undefined : duration(durationMs)],
      ['failed', errorMessage],
      ['written', captured === undefined ? undefined : `${captured.bytes} bytes: ${captured.parts.join(', ')}`],
      ['salvage', salvage],
      ['saved', view.savings === undefined ? undefined : savedWords(view.savings)],
      ['helped', view.outcome === undefined ? undefined : helped(view)],
    ]),
  ]
}

function party({ specialist, model, runtime }: HandoffEvent['to']): string {
  return specialist === undefined ? `${model} (${runtime})` : `${specialist} (${model}, ${runtime})`
}

function savedWords({ usedUsd, againstStaying, againstOpus, why }: NonNullable<HandoffEvent['savings']>): string {
  if (usedUsd === undefined) return `not known: ${why}`
  const against = (amount: number | undefined, what: string) =>
    amount === undefined ? [] : [`${amount < 0 ? `${usd(-amount)} more` : usd(amount)} against ${what}`]
  return [
    ...against(againstStaying, 'staying'),
    ...against(againstOpus, 'opus for all'),
    `its successor used ${usd(usedUsd)}`,
  ].join(', ')
}

function decideCommand(pan: Pan, name: 'approve' | 'refuse'): Command {
  const command = new Command(name)
    .description(
      name === 'approve'
        ? 'say yes to a hand-off that waits'
        : 'say no to a hand-off that waits, or that has ended nothing yet',
    )
    .argument('<hand-off>', 'its id, such as h-42')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  pan handoff ${name} h-42\n${exitHelp}`)
  if (name === 'refuse') command.option('--reason <text>', 'why not')
  return command.action((id: string, { json, reason }: Options & { reason?: string }) =>
    pan.ask({ ...(json ? { json } : {}), attempt: `${name} ${id}`, ids: [id] }, async (client) => {
      const body = reason === undefined ? {} : { reason }
      const view =
        name === 'approve'
          ? await client.call('POST /api/handoffs/:id/approve', { id })
          : await client.call('POST /api/handoffs/:id/refuse', { id, body })
      if (json) printJson(view)
      else print(`Hand-off ${id} is ${name}d.`)
    }),
  )
}

const handoffHelp = `
A hand-off is done when the successor lives, says its next step and works; whether it helped is judged later. When it
fails, the old session goes on with its old model; where that cannot be, you are asked.

Examples:
  pan handoff suggest agent-pan-18
  pan handoff start agent-pan-18 --to opus
  pan handoff list --issue pan-18`

const startHelp = `
The agent is brought to rest and saves its state, its work is salvaged, it is ended, and its successor is started.

Examples:
  pan handoff start agent-pan-18 --to opus --reason 'it goes round in circles'
  pan handoff start agent-pan-18 --to haiku --ask
  pan handoff start agent-pan-18 --specialist test-agent
  pan handoff start agent-pan-18 --cycle`

const listHelp = `
Examples:
  pan handoff list --since 2026-01-20
  pan handoff list --state rolled_back --trigger stuck_escalation
  pan handoff list --json | jq '.operation, .recovery'`
