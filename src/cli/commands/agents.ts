/** `pan agents`: everything about one agent, or all of them. */
import { Command } from 'commander'
import type { Pan } from '../pan.ts'
import { adoptCommand } from './agents-adopt.ts'
import { forgetCommand, killCommand, messageCommand, pokeCommand, spawnCommand } from './agents-act.ts'
import { activityCommand, attachCommand, healthCommand, listCommand, showCommand } from './agents-look.ts'
import { logsCommand } from './agents-logs.ts'
import { costCommand } from './agents-cost.ts'
import { messagesCommand } from './agents-messages.ts'
import {
  clearCommand,
  interruptCommand,
  restCommand,
  resumeCommand,
  suspendCommand,
  switchCommand,
} from './agents-session.ts'
import { reportCommand } from './agents-report.ts'
import { assignCommand, freezeCommand, holdCommand, releaseCommand } from './agents-standing.ts'

export function agentsCommand(pan: Pan): Command {
  const agents = new Command('agents').description('list, start, see, message and end agents')
  const commands = [
    listCommand(pan),
    showCommand(pan),
    spawnCommand(pan),
    adoptCommand(pan),
    pokeCommand(pan),
    messageCommand(pan),
    messagesCommand(pan),
    costCommand(pan),
    interruptCommand(pan),
    restCommand(pan),
    suspendCommand(pan),
    resumeCommand(pan),
    clearCommand(pan),
    switchCommand(pan),
    holdCommand(pan),
    freezeCommand(pan),
    releaseCommand(pan),
    assignCommand(pan),
    reportCommand(pan),
    killCommand(pan),
    forgetCommand(pan),
    healthCommand(pan),
    activityCommand(pan),
    attachCommand(pan),
    logsCommand(pan),
  ]
  for (const command of commands) agents.addCommand(command)
  // As `pan work tell` has it.
  agents.addCommand(messageCommand(pan, 'tell'), { hidden: true })
  return agents.addHelpText('after', help)
}

const help = `
Examples:
  pan agents list
  pan agents spawn pan-18
  pan agents adopt work:1.0
  pan agents message agent-pan-18 'Please commit your changes'
  pan agents logs agent-pan-18 --follow

Exit codes:
  0  done
  1  failed or refused
  2  wrong usage
  3  no daemon runs`
