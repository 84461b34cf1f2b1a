/**
 * What `pan status`, `inbox`, `explain`, `stats` and `agents list|show|health|activity|logs|attach` see when no daemon answers: the
 * API's own answers over the journal as the last daemon left it, and the terminals as tmux has them. Reads only.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { isLatched, readNote } from '../../adapters/process/sentinel.ts'
import { openReader, type Reader } from '../../adapters/sqlite/reader.ts'
import { TmuxTerminal } from '../../adapters/tmux/tmux-terminal.ts'
import type { Answer } from '../../api/answer.ts'
import type { Readings } from '../../api/deps.ts'
import { agentNamed } from '../../api/handle-route.ts'
import type { Route } from '../../api/route.ts'
import { ROUTES } from '../../api/routes.ts'
import { configSchema } from '../../contract/config/schema.ts'
import { toSettings } from '../../contract/config/to-settings.ts'
import { ID_PATTERN } from '../../contract/id-pattern.ts'
import { describe } from '../../core/describe.ts'
import { finishedBrief } from '../../core/finished.ts'
import { handoffsView, handoffView } from '../../core/handoffs/hand-off-views.ts'
import { interventionsView } from '../../core/interventions-view.ts'
import type { Pane } from '../../core/ports.ts'
import { healthLine, messagesView } from '../../core/views.ts'
import { tasksView } from '../../core/tasks/tasks-view.ts'
import { tellUnseenStop } from '../../core/unseen-stop.ts'
import { createWorld, type World } from '../../core/world.ts'
import { newestEvents } from '../serve-events.ts'
import { lastAgent, lastAgents, lastExplain, lastStatus } from './last-known.ts'

export interface Seen {
  status: number
  body: unknown
}

interface Given {
  id?: string
  query?: Record<string, unknown>
}

export interface JournalLook {
  /** The wall clock when the journal was last written. */
  asOfWallAt: number
  /** A question of the API by its key, such as `GET /api/agents/:id`. */
  ask: (key: string, given: Given) => Promise<Seen>
  close: () => void
}

/** Undefined where no daemon has ever run. */
export async function lookAtJournal(home: string): Promise<JournalLook | undefined> {
  const reader = openReader(home)
  if (reader === undefined) return undefined
  const { house, agents } = reader.state()
  const { settings = toSettings(configSchema.parse({})) } = await loadSettings(process.env)
  const world = createWorld(settings, { house, agents })
  tellUnseenStop(world, { ...(await readNote(home)), latched: await isLatched(home) })
  const known = deps(world, reader)
  return {
    asOfWallAt: world.house.wallAt,
    ask: (key, given) => ask(key, given, known),
    close: reader.close,
  }
}

async function ask(key: string, { id = '', query = {} }: Given, known: Readings): Promise<Seen> {
  const route: Route | undefined = ROUTES.find((each) => each.key === key)
  if (route?.read === undefined) throw new Error(`No route ${key} can be asked without a daemon.`)
  const strings = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { status, body }: Answer = await route.read(
    {
      param: id === '' ? '' : agentNamed(id, known),
      query: route.query.parse(strings),
      body: {},
      requestId: 'offline',
      caller: { kind: 'owner', via: 'cli' },
    },
    known,
  )
  return { status, body }
}

function deps(world: World, reader: Reader): Readings {
  return {
    status: () => lastStatus(world),
    agents: () => lastAgents(world),
    agent: (id) => lastAgent(world, id),
    explain: (id) => lastExplain(world, id),
    messages: (id) => messagesView(world, id),
    tasks: (id) => {
      const agent = world.agents.get(id)
      return agent === undefined ? undefined : tasksView(agent, world.settings.routing)
    },
    activities: (id) => world.agents.get(id)?.activities ?? [],
    events: (wish) => newestEvents({ events: async (query) => reader.events(query) }, world.house.seq, wish),
    finished: async () => lastStatus(world).finished,
    finishedOf: async (agent) => {
      const record = world.agents.get(agent)
      const finished = record && finishedBrief(record)
      return record && { agent, ...(finished === undefined ? {} : { finished }) }
    },
    interventions: () => interventionsView(world.house),
    handoffs: (wish) => handoffsView(world, wish),
    handoff: (id) => handoffView(world, id),
    lastSeq: () => world.house.seq,
    describe,
    healthLine,
  }
}

/** The answer to `GET /api/agents/<name>/attach`, from tmux alone. Undefined where no daemon has ever run. */
export async function lookForTerminal(home: string, name: string): Promise<Seen | undefined> {
  const homeId = readHomeId(home)
  if (homeId === undefined) return undefined
  const terminal = new TmuxTerminal({ homeId })
  const panes = (await terminal.list()).toSorted(
    (a, b) => Number(a.dead) - Number(b.dead) || b.generation - a.generation,
  )
  const of = (agent: string): Pane | undefined => panes.find((pane) => pane.agent === agent)
  const pane = of(name) ?? of(`agent-${name}`)
  if (pane !== undefined) return { status: 200, body: { command: terminal.attachCommand(pane) } }
  const hint = 'List agents with `pan agents list`, or start the daemon with `pan up`.'
  return { status: 404, body: { code: 'not_found', sentence: `There is no terminal of ${name} in tmux`, hint } }
}

function readHomeId(home: string): string | undefined {
  try {
    const id = readFileSync(join(home, 'home.id'), 'utf8').trim()
    return ID_PATTERN.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
