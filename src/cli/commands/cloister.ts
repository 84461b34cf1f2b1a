/** `pan cloister`: monitoring as a whole, and the emergency stop, which needs no daemon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { StatusView } from '../../contract/status-view.ts'
import type { Client } from '../client.ts'
import { confirmed } from '../confirm.ts'
import { EXIT } from '../failure.ts'
import { complain, print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { startLines } from '../show-last-stop.ts'
import { cloisterLines, lastKnownLines } from '../show-status.ts'

interface Options {
  json?: true
  yes?: true
  reason?: string
  adopted?: true
  start?: true | string[]
}

export function cloisterCommand(pan: Pan): Command {
  const cloister = new Command('cloister')
    .description('monitoring as a whole, and the emergency stop')
    .addHelpText('after', cloisterHelp)
  cloister
    .command('status')
    .description('monitoring, doubts, counts, and how agents are heard')
    .option(...JSON_OPTION)
    .addHelpText('after', statusHelp)
    .action((options: Options) => showStatus(pan, options))
  cloister
    .command('start')
    .description('start monitoring, or go on after a stop')
    .option(...JSON_OPTION)
    .addHelpText('after', startHelp)
    .action((options: Options) =>
      command(pan, options, { name: 'start', attempt: 'start monitoring', done: 'Monitoring runs.' }),
    )
  cloister
    .command('stop')
    .description('pause monitoring; agents go on untouched')
    .option(...JSON_OPTION)
    .addHelpText('after', stopHelp)
    .action((options: Options) =>
      command(pan, options, {
        name: 'stop',
        attempt: 'pause monitoring',
        done: 'Monitoring is paused. Agents go on; nobody judges or pokes them until `pan cloister start`.',
      }),
    )
  cloister
    .command('emergency-stop')
    .description('end every agent of this home NOW; works without a daemon')
    .option('-y, --yes', 'do not ask')
    .option('--reason <text>', 'why, for the record')
    .option('--adopted', 'end your own sessions that were adopted, too')
    .option(...JSON_OPTION)
    .addHelpText('after', emergencyHelp)
    .action((options: Options) => emergencyStop(pan, options))
  cloister
    .command('resume')
    .description('allow agents again after an emergency stop')
    .option('--start [agents...]', 'start again whom it ended: all, or those that you name')
    .option(...JSON_OPTION)
    .addHelpText('after', resumeHelp)
    .action((options: Options) => resume(pan, options))
  return cloister
}

async function showStatus(pan: Pan, options: Options): Promise<void> {
  await pan.ask({ ...options, attempt: 'get the status', offline: 'journal' }, async (client) => {
    const status = await client.call('GET /api/cloister/status')
    const lines = client.noDaemon === undefined ? cloisterLines : lastKnownLines
    if (options.json) printJson(client.told(status))
    else print(...lines(status, await client.call('GET /api/agents')))
    return client.noDaemon === undefined ? EXIT.ok : EXIT.noDaemon
  })
}

interface Told {
  name: 'start' | 'stop'
  attempt: string
  done: string
}

async function command(pan: Pan, options: Options, { name, attempt, done }: Told): Promise<void> {
  await pan.ask({ ...options, attempt }, async (client) => {
    const view = await client.call(`POST /api/cloister/${name}`)
    if (options.json) printJson(view)
    else print(done)
  })
}

async function resume(pan: Pan, options: Options): Promise<void> {
  const { start: asked, json } = options
  // Nobody can be started then; what is asked for by halves is better not done.
  const withoutDaemon = asked === undefined ? () => pan.start('resume', json ? ['--json'] : []) : undefined
  await pan.ask({ ...options, attempt: 'resume', ...(withoutDaemon && { withoutDaemon }) }, async (client) => {
    const { emergency, lastStop } = await client.call('GET /api/cloister/status')
    const before = lastStop?.startable ?? []
    const start = Array.isArray(asked) ? asked.map((name) => ofIssue(name, before)) : asked
    await client.call('POST /api/cloister/resume', { body: start === undefined ? {} : { start } })
    const state = await settledEmergency(client)
    const started = state !== 'armed' || start === undefined ? [] : start === true ? before : start
    const stopped = before.filter((id) => !started.includes(id))
    if (json) printJson({ resumed: state === 'armed', daemon: true, started, stopped })
    else if (state === 'armed') print(...resumedLines({ wasOver: emergency === 'armed', started, stopped }))
    else complain(`The emergency stop is still in force (${state}). \`pan agents logs\` says why.`)
    return state === 'armed' ? EXIT.ok : EXIT.failed
  })
}

/** An issue's name stands for its agent, as everywhere. */
function ofIssue(name: string, able: readonly string[]): string {
  return !able.includes(name) && able.includes(`agent-${name}`) ? `agent-${name}` : name
}

interface Resumed {
  /** Before anybody asked now. */
  wasOver: boolean
  started: readonly string[]
  stopped: readonly string[]
}

function resumedLines({ wasOver, started, stopped }: Resumed): string[] {
  return [
    ...(wasOver ? [] : ['The emergency stop is over: agents may be started and typed to again.']),
    ...(started.length === 0 ? [] : [`Being started again: ${started.join(', ')}. See them with \`pan agents list\`.`]),
    ...(wasOver && started.length + stopped.length === 0 ? ['Nobody is left to be started again.'] : []),
    ...startLines({ startable: stopped }),
  ]
}

const LOOK_EVERY_MS = 50
const PATIENCE_MS = 10_000

async function settledEmergency(client: Client): Promise<StatusView['emergency']> {
  let state: StatusView['emergency'] = 'rearming'
  for (let waitedMs = 0; state === 'rearming' && waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > 0) await sleep(LOOK_EVERY_MS)
    state = (await client.call('GET /api/cloister/status')).emergency
  }
  return state
}

async function emergencyStop(pan: Pan, options: Options): Promise<void> {
  const question = 'End every agent of this home NOW? Uncommitted work stays in the workspaces.'
  if (!options.yes && !(await confirmed(question))) {
    complain('Nothing was stopped.')
    return pan.end(EXIT.failed)
  }
  const reason = options.reason === undefined ? [] : [`--reason=${options.reason}`]
  const whom = options.adopted ? ['--adopted'] : []
  const code = await pan.start('emergency-stop', [...reason, ...whom, ...(options.json ? ['--json'] : [])])
  // The daemon would see the sentinel at its next look; told now, it records who asked and why.
  const withoutDaemon = () => Promise.resolve(code)
  await pan.ask({ withoutDaemon, withoutAnswer: withoutDaemon }, async (client) => {
    const body = {
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(options.adopted ? { adopted: options.adopted } : {}),
    }
    await client.call('POST /api/cloister/emergency-stop', { body })
    return code
  })
}

const exitHelp = `
Exit codes:
  0  done
  1  failed or refused
  3  no daemon runs`

const cloisterHelp = `
Examples:
  pan cloister status
  pan cloister stop              leave agents alone for a while
  pan cloister emergency-stop    end them all, now
  pan cloister resume            allow them again
  pan cloister resume --start    and start again whom it ended
${exitHelp}`

const statusHelp = `
Examples:
  pan cloister status
  pan cloister status --json

Exit codes:
  0  shown
  3  no daemon runs or answers; what was last known is shown`

const startHelp = `
Examples:
  pan cloister start
${exitHelp}`

const stopHelp = `
Agents go on working. They are not looked at, judged or poked until \`pan cloister start\`.

Examples:
  pan cloister stop
${exitHelp}`

const emergencyHelp = `
Ends every process of every agent of this home and checks that they are gone. Until \`pan cloister resume\` nothing is
started or typed. It needs neither the daemon nor free disk. Sessions that you opened yourself on the agents' tmux
server are left alone and named, and so are agents that you adopted, unless --adopted is given. On a terminal it asks
first, unless --yes is given.

Examples:
  pan cloister emergency-stop
  pan cloister emergency-stop --yes --reason 'wrong branch'
  pan cloister emergency-stop --adopted       your own sessions that were adopted, too

Exit codes:
  0  all gone
  1  something survived and is named, or you said no
  2  wrong usage`

const resumeHelp = `
Takes the latch of the emergency stop away, and names whom it ended. Nobody is started by it unless --start is given:
then each goes on with its session where it can, else begins anew with its task; adopted ones are yours to start.
--start works also when the stop is over already. Without a daemon, and without --start, it works too; the next daemon
then records the stop and saves the agents' work.

Examples:
  pan cloister resume
  pan cloister resume --start                  and start all of them again
  pan cloister resume --start agent-1 agent-2  only these

Exit codes:
  0  agents are allowed again
  1  it failed, or there was no emergency stop, or it did not end one that you name
  3  the daemon does not answer, or none runs that could start anybody`
