/** The commands on an agent's conversation: interrupt it, let it rest, put it to sleep, wake it, clear it, switch it. */
import { Command } from 'commander'
import type { ActKind } from '../../contract/acts.ts'
import type { AcceptedView } from '../../contract/views.ts'
import type { Client } from '../client.ts'
import { EXIT } from '../failure.ts'
import { followAct, WAIT_OPTION, type Waiting } from '../outcome.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

export function interruptCommand(pan: Pan): Command {
  return onAgent('interrupt', 'stop what an agent does now; it waits at its prompt then', interruptHelp).action(
    (agent: string, options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'interrupt',
        ask: (client) => client.call('POST /api/agents/:id/interrupt', { id: agent }),
      }),
  )
}

export function restCommand(pan: Pan): Command {
  return onAgent('rest', 'let an agent come to rest after the calls that it is at; nothing is typed', restHelp).action(
    (agent: string, options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'rest',
        ask: (client) => client.call('POST /api/agents/:id/rest', { id: agent }),
      }),
  )
}

export function suspendCommand(pan: Pan): Command {
  return onAgent('suspend', 'end an agent that rests; its session is kept and goes on later', suspendHelp).action(
    (agent: string, options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'suspend',
        ask: (client) => client.call('POST /api/agents/:id/suspend', { id: agent }),
      }),
  )
}

export function resumeCommand(pan: Pan): Command {
  return onAgent('resume', 'start an agent again with the session that it had', resumeHelp)
    .option('--message <text>', 'what it is told first')
    .action((agent: string, { message, ...options }: Waiting & { message?: string }) =>
      act(pan, options, {
        agent,
        kind: 'resume',
        ask: (client) =>
          client.call('POST /api/agents/:id/resume', { id: agent, body: message === undefined ? {} : { message } }),
      }),
    )
}

export function clearCommand(pan: Pan): Command {
  return onAgent('clear', 'empty the context of an agent that rests; it forgets the conversation', clearHelp).action(
    (agent: string, options: Waiting) =>
      act(pan, options, {
        agent,
        kind: 'clear',
        ask: (client) => client.call('POST /api/agents/:id/clear', { id: agent }),
      }),
  )
}

export function switchCommand(pan: Pan): Command {
  return onAgent('switch', 'restart an agent with another model, in the same session', switchHelp)
    .requiredOption('--model <name>', 'a tier (opus, sonnet, haiku) or a model id')
    .action((agent: string, { model, ...options }: Waiting & { model: string }) =>
      act(pan, options, {
        agent,
        kind: 'switch',
        ask: (client) => client.call('POST /api/agents/:id/switch-model', { id: agent, body: { model } }),
      }),
    )
}

function onAgent(name: string, description: string, help: string): Command {
  return new Command(name)
    .description(description)
    .argument('<agent>', "the agent's id")
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', `${help}\n${exitHelp}`)
}

interface Wish {
  agent: string
  kind: ActKind
  ask: (client: Client) => Promise<AcceptedView>
}

function act(pan: Pan, options: Waiting, { agent, kind, ask }: Wish): Promise<void> {
  const json = options.json ? { json: options.json } : {}
  return pan.ask({ ...json, attempt: `${kind} ${agent}`, ids: [agent] }, async (client) => {
    const { seq } = await ask(client)
    // One that does not run is not restarted: there is no act to wait for.
    if (kind === 'switch' && (await client.call('GET /api/agents/:id', { id: agent })).act === undefined) {
      if (options.json) printJson({ agent, act: kind, seq, result: 'done' })
      else print(`${agent} has the model from its next start on.`)
      return EXIT.ok
    }
    return followAct(client, options, { seq, agent, act: kind, ...(kind === 'switch' ? { next: 'resume' } : {}) })
  })
}

const exitHelp = `
Exit codes:
  0  done, and verified
  1  refused, not done, or nobody knows
  2  wrong usage
  3  no daemon runs`

const interruptHelp = `
Presses the key that its program has for it, and waits until the program says that it rests.

Examples:
  pan agents interrupt agent-pan-18`

const restHelp = `
Gentler than an interrupt: the order is taken by its hook when the present calls are over. If it is not taken within ten
minutes, it is taken back.

Examples:
  pan agents rest agent-pan-18`

const suspendHelp = `
Its uncommitted work is saved, its program is asked to leave, and its session is kept. A message wakes it.

Examples:
  pan agents suspend agent-pan-18
  pan agents message agent-pan-18 'Good morning, please go on'`

const resumeHelp = `
A session that is gone is begun anew with what is known of the work, and that is said. One that is open elsewhere is
left alone: two programs would write into the same session.

Examples:
  pan agents resume agent-pan-18
  pan agents resume agent-pan-18 --message 'Please go on with the tests'`

const clearHelp = `
Examples:
  pan agents clear agent-pan-18`

const switchHelp = `
One that does not run has the model from its next start on.

Examples:
  pan agents switch agent-pan-18 --model opus`
