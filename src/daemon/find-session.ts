/** Finds the session that a person wants to have adopted: by its pane in a tmux server, or by its id. Changes nothing. */
import type { ApiDeps, FoundSession } from '../api/deps.ts'
import type { Refusal } from '../contract/commands.ts'
import type { Foreign, ForeignPane, ForeignProcess } from '../core/ports.ts'
import type { LivingSession, Runtime } from '../core/runtime-port.ts'

export interface Finders {
  foreign: Foreign
  runtimes: ReadonlyMap<string, Runtime>
  /** This home's own terminal server is no place to adopt from. */
  ownSocket: string
}

export async function findSession(finders: Finders, where: Where): Promise<FoundSession | Refusal> {
  const clients = living(finders)
  const named = clients.find(({ session }) => session === where.target)
  if (named !== undefined) return adoptable(named, await paneOf(finders, named))
  if (SESSION.test(where.target)) return noSession(where.target, clients)
  return byPane(finders, where, clients)
}

type Where = Parameters<ApiDeps['findSession']>[0]

const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

interface Client extends LivingSession {
  runtime: Runtime
  process: ForeignProcess
}

/** Every living client of this user, whoever started it. */
function living({ foreign, runtimes }: Finders): Client[] {
  return [...runtimes.values()].flatMap((runtime) =>
    (runtime.sessions?.living() ?? []).flatMap((each) => {
      const process = foreign.process(each.pid)
      // Its number may be another process's by now.
      return process?.leader.startTime === each.startTime ? { ...each, runtime, process } : []
    }),
  )
}

async function byPane(finders: Finders, where: Where, clients: readonly Client[]): Promise<FoundSession | Refusal> {
  const { target, socket } = where
  if (socket === undefined) {
    const hint = 'Name the socket of its tmux server with --socket, or the id of the session.'
    return { code: 'invalid', sentence: `In which tmux server the pane ${target} is, is not said`, hint }
  }
  if (socket === finders.ownSocket) return ownServer(socket)
  const panes = await finders.foreign.panes(socket).catch(() => undefined)
  if (panes === undefined) {
    const hint = 'Name the socket of its tmux server with --socket, or the id of the session.'
    return { code: 'not_found', sentence: `No tmux server answers on ${socket}`, hint }
  }
  const pane = panes.find(({ id, names }) => id === target || names.includes(target))
  if (pane === undefined) {
    const hint = `Names count exactly. There ${panes.length === 0 ? 'is none' : `are ${listed(panes)}`}.`
    return { code: 'not_found', sentence: `There is no pane ${target} in the tmux server on ${socket}`, hint }
  }
  const client = clients.find(({ process }) => process.tty === pane.tty)
  if (client !== undefined) return adoptable(client, pane)
  const hint = 'Start `claude` in it first. One with another CLAUDE_CONFIG_DIR than the daemon has is not seen.'
  return { code: 'not_found', sentence: `No agent program that Cloister knows runs in the pane ${target}`, hint }
}

/** The pane that it shows itself in, if that is one: the server that its environment names must have its terminal. */
async function paneOf({ foreign }: Finders, { process }: Client): Promise<ForeignPane | undefined> {
  const { socket, tty } = process
  if (socket === undefined || tty === undefined) return undefined
  const panes = await foreign.panes(socket).catch(() => undefined)
  return panes?.find((pane) => pane.tty === tty)
}

async function adoptable(client: Client, found: ForeignPane | undefined): Promise<FoundSession | Refusal> {
  const { runtime, session, process } = client
  if (process.barred !== undefined) {
    const sentence = `The session ${session} cannot be adopted: ${process.barred}`
    return { code: 'conflict', sentence, hint: 'Only a session that you started yourself can be.' }
  }
  const model = await runtime.sessions?.model(session)
  const rests = await runtime.sessions?.rests(session)
  const pane = found === undefined ? {} : { pane: { socket: found.socket, server: found.server, id: found.id } }
  return {
    runtime: runtime.name,
    session,
    workspace: process.folder,
    leader: process.leader,
    ...(model === undefined ? {} : { model }),
    ...(rests === undefined ? {} : { rests }),
    ...pane,
  }
}

function noSession(session: string, clients: readonly Client[]): Refusal {
  const own = clients.filter(({ process }) => process.barred === undefined)
  const some = own.slice(0, 3).map((client) => `${client.session} in ${client.process.folder}`)
  const hint = some.length === 0 ? 'None of yours lives now.' : `Of yours there live ${some.join(', ')}.`
  return { code: 'not_found', sentence: `No living session has the id ${session}`, hint }
}

function ownServer(socket: string): Refusal {
  const hint = 'Its agents are watched already: `pan agents list`.'
  return { code: 'conflict', sentence: `The tmux server on ${socket} is that of this home`, hint }
}

function listed(panes: readonly ForeignPane[]): string {
  const some = panes.slice(0, 5).map(({ id, names }) => `${names.at(-1) ?? id} (${id})`)
  return [...some, ...(panes.length > 5 ? [`${panes.length - 5} more`] : [])].join(', ')
}
