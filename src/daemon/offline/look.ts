/**
 * What `pan agents list|show|health|activity|logs|attach` see when no daemon runs: the API's own answers over the journal
 * as the last daemon left it, and the terminals as tmux has them. Reads only.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { openReader, type Reader } from '../../adapters/sqlite/reader.ts'
import { TmuxTerminal } from '../../adapters/tmux/tmux-terminal.ts'
import { createApp } from '../../api/app.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { configSchema } from '../../contract/config/schema.ts'
import { toSettings } from '../../contract/config/to-settings.ts'
import { ID_PATTERN } from '../../contract/id-pattern.ts'
import type { Reply } from '../../contract/commands.ts'
import type { AgentView } from '../../contract/views.ts'
import { describe } from '../../core/describe.ts'
import { explainView } from '../../core/explain.ts'
import type { Pane } from '../../core/ports.ts'
import { agentsView, agentView, statusView } from '../../core/views.ts'
import { createWorld, type World } from '../../core/world.ts'
import { newestEvents } from '../serve-events.ts'

export interface Seen {
  status: number
  body: unknown
}

export interface JournalLook {
  /** The wall clock when the journal was last written. */
  asOfWallAt: number
  get: (path: string) => Promise<Seen>
  close: () => void
}

/** Undefined where no daemon has ever run. */
export async function lookAtJournal(home: string): Promise<JournalLook | undefined> {
  const reader = openReader(home)
  if (reader === undefined) return undefined
  const { house, agents } = reader.state()
  const { settings = toSettings(configSchema.parse({})) } = await loadSettings(process.env)
  const world = createWorld(settings, { house, agents })
  let fault: Error | undefined
  const app = createApp({ ...deps(world, reader), problem: (error) => void (fault = toError(error)) })
  return {
    asOfWallAt: world.house.wallAt,
    get: async (path) => {
      const response = await app.request(path, { headers: { authorization: `Bearer ${TOKEN}` } })
      if (fault !== undefined) throw fault
      return { status: response.status, body: await response.json() }
    },
    close: reader.close,
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Nobody but this process can ask. */
const TOKEN = 'offline'

function deps(world: World, reader: Reader): Omit<ApiDeps, 'problem'> {
  return {
    token: TOKEN,
    pid: process.pid,
    newId: () => 'offline',
    submit: () => Promise.resolve(NOT_NOW),
    status: () => statusView(world),
    agents: () => {
      const { specialists, issueAgents, projectAgents } = agentsView(world)
      const last = (views: readonly AgentView[]) => views.map((view) => asLastJudged(world, view))
      return { specialists: last(specialists), issueAgents: last(issueAgents), projectAgents: last(projectAgents) }
    },
    agent: (id) => {
      const view = agentView(world, id)
      return view && asLastJudged(world, view)
    },
    explain: (id) => explainView(world, id),
    activities: (id) => world.agents.get(id)?.activities ?? [],
    events: (wish) => newestEvents({ events: async (query) => reader.events(query) }, world.house.seq, wish),
    lastSeq: () => world.house.seq,
    describe,
    lives: () => Promise.resolve(false),
    attach: () => NOT_NOW.refusal,
    spawnDefaults: () => ({ runtime: '', model: '', specialists: [] }),
    stopDaemon: () => undefined,
  }
}

const NOT_NOW: Extract<Reply, { ok: false }> = {
  ok: false,
  refusal: { code: 'busy', sentence: 'No daemon runs', hint: 'Start it with `pan up`.' },
}

/** The verdict of then, not one over the time since. */
function asLastJudged(world: World, view: AgentView): AgentView {
  const { health: _, cause: __, reason: ___, ...rest } = view
  const verdict = world.agents.get(view.id)?.verdict
  if (view.lifecycle !== 'active' || verdict === undefined) return view
  return { ...rest, health: verdict.health, cause: verdict.cause, reason: verdict.reason }
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
