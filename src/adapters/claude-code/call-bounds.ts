/**
 * How long the client lets a call run. What is set for it stands in its environment and under `env` in its settings, and
 * is read when a run starts; a call may name its own time. A call that reached its bound goes on in the background.
 */
import { join } from 'node:path'
import { readSmall } from '../process/read-small.ts'
import type { CallBounds } from '../../contract/open-work.ts'
import { clientSettings } from './client-settings.ts'
import { fieldsOf, parseBody, type Fields } from './hook-body.ts'
import type { ToolCall } from './tool-call.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Those of the client itself, where nothing is set. */
export const CLIENT_BOUNDS: CallBounds = { shellMs: 2 * MINUTE, shellMostMs: 10 * MINUTE }

/** Undefined where nobody knows how long it may take. */
export function boundOf({ tool, input }: ToolCall, bounds: CallBounds | undefined): number | undefined {
  if (tool === 'Bash') return shellBound(input['timeout'], bounds)
  const server = SERVER_TOOL.exec(tool)?.[1]
  return server === undefined ? OWN_TOOLS.get(tool) : (ownBound(bounds?.servers, server) ?? bounds?.serverMs)
}

function ownBound(servers: CallBounds['servers'], name: string): number | undefined {
  return servers !== undefined && Object.hasOwn(servers, name) ? servers[name] : undefined
}

/** Whatever is set for the client, a call never runs longer than it asked for. */
function shellBound(timeout: unknown, bounds: CallBounds | undefined): number | undefined {
  const asked = durationOf(timeout)
  if (asked === undefined || typeof timeout !== 'number') return bounds?.shellMs
  return Math.min(asked, bounds?.shellMostMs ?? Infinity)
}

const SERVER_TOOL = /^mcp__(.+?)__/

/** Each does one thing on this machine, or asks for one page, and is cut off by the client long before this. */
const OWN_TOOLS = new Map<string, number>(
  ['WebFetch', 'WebSearch', 'Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Glob', 'Grep', 'ToolSearch'].map(
    (tool) => [tool, 5 * MINUTE],
  ),
)

/** Others work for it, and report by themselves. */
export function delegates({ tool }: ToolCall): boolean {
  return tool === 'Agent' || tool === 'Task' || tool === 'Workflow'
}

export interface BoundsPlace {
  /** The user's folder of the client. */
  config: string
  workspace: string
  /** The environment that it gets. */
  env: Readonly<Record<string, string>>
}

/** Settings win over the environment, and of the two times of a shell the larger one caps. */
export async function callBounds({ config, workspace, env }: BoundsPlace): Promise<CallBounds> {
  const [settings, servers] = await Promise.all([
    clientSettings(config, workspace),
    serverBounds({ config, workspace, env }),
  ])
  const set: Fields = { ...env, ...settings.env }
  const shellMs = durationOf(set['BASH_DEFAULT_TIMEOUT_MS']) ?? CLIENT_BOUNDS.shellMs
  const mostMs = durationOf(set['BASH_MAX_TIMEOUT_MS']) ?? CLIENT_BOUNDS.shellMostMs
  const serverMs = durationOf(set['MCP_TOOL_TIMEOUT'])
  return {
    shellMs,
    shellMostMs: Math.max(shellMs, mostMs),
    ...(serverMs === undefined ? {} : { serverMs }),
    ...(Object.keys(servers).length === 0 ? {} : { servers }),
  }
}

/** As the client reads a number: what stands in front of anything else. */
function durationOf(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** The least that the client takes as the time of one server. */
const LEAST_SERVER_MS = SECOND
const SERVERS_MOST = 100

/** The nearest entry of a server counts: the user's for this folder, the project's, the user's for all. */
async function serverBounds({ config, workspace, env }: BoundsPlace): Promise<Record<string, number>> {
  const state = await readJson(
    join(env['CLAUDE_CONFIG_DIR'] === undefined ? (env['HOME'] ?? '/') : config, '.claude.json'),
  )
  const project = await readJson(join(workspace, '.mcp.json'))
  const own = fieldsOf(fieldsOf(state['projects'])[workspace])
  const all = { ...serversIn(state), ...serversIn(project), ...serversIn(own) }
  return Object.fromEntries(
    Object.entries(all)
      .flatMap(([name, server]): [string, number][] => {
        const ms = fieldsOf(server)['timeout']
        const isTime = typeof ms === 'number' && Number.isFinite(ms) && ms >= LEAST_SERVER_MS
        return isTime ? [[name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 100), ms]] : []
      })
      .slice(0, SERVERS_MOST),
  )
}

function serversIn(fields: Fields): Fields {
  return fieldsOf(fields['mcpServers'])
}

async function readJson(file: string): Promise<Fields> {
  return parseBody((await readSmall(file)) ?? '') ?? {}
}
