/** Claude Code as a runtime: its interactive client, started with hooks of its own run and an explicit environment. */
import { MODELS } from './models.ts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { Handle, Launch } from '../../core/ports.ts'
import { startedAs } from '../../core/routing/tiers.ts'
import type { Capabilities, Runtime } from '../../core/runtime-port.ts'
import { runTags } from '../../core/run-tags.ts'
import { taskListOf } from '../../core/tasks/own-tasks.ts'
import { allowedEnv } from './allowed-env.ts'
import { callBounds } from './call-bounds.ts'
import { checkStart } from './check-start.ts'
import type { Dialect } from './dialect.ts'
import { findProgram } from './find-program.ts'
import { readDraft } from './read-draft.ts'
import { claudeSessions } from './resume-session.ts'
import { ClaudeInsight } from './insight.ts'
import { configFolder, writeRunSettings } from './run-settings.ts'
import { Transcripts } from './transcripts.ts'
import { versionProbe } from './version.ts'

export interface ClaudeCodeOptions {
  /** The state directory; hooks are in its bin, settings of a run in its runs. */
  home: string
  homeId: string
  dialect: Dialect
  /** Asked before each start: what a person changes holds for the next one. */
  chosen: () => Chosen
  /** Where variables are taken from. */
  env: Readonly<Record<string, string | undefined>>
}

export interface Chosen {
  permissionMode: string
  /** Its own list of tasks is kept under the name, so that it outlives its session. Left out: yes. */
  taskLists?: boolean
  /** The models of its tiers; left out, the client's own. */
  tiers?: RoutingSettings['tiers']
  /** Names of the variables that the client gets beyond what every program needs. */
  environment: readonly string[]
}

const PROGRAM = 'claude'
const UID = process.getuid?.() ?? -1

const KEYS = { interruptKey: 'Escape', emptyLineKey: 'C-u', clearText: '/clear' } as const

const CAPABILITIES: Capabilities = {
  resume: true,
  interrupt: true,
  clear: true,
  softStop: true,
  ask: true,
  confirmsText: true,
  usage: true,
  models: MODELS,
}

export function claudeCode(options: ClaudeCodeOptions): Runtime {
  const { home, homeId, dialect, chosen } = options
  const ownNow = () => allowedEnv(options.env, chosen().environment)
  const own = ownNow()
  const config = configFolder(own)
  const transcripts = new Transcripts({ projects: join(config, 'projects'), index: join(home, 'transcripts.index') })
  const versionOf = versionProbe({ ...own, DISABLE_AUTOUPDATER: '1' })

  /** Resumed or not, every flag is passed again: the program keeps none of them with its session. */
  async function start(
    agent: AgentRecord,
    handle: Handle,
    given: { prompt?: string; session?: string },
  ): Promise<Launch> {
    const { prompt, session } = given
    const { permissionMode, taskLists = true, tiers } = chosen()
    const program = (await findProgram(PROGRAM, own['PATH'])) ?? PROGRAM
    const { run } = handle
    const version = await versionOf(program)
    const settings = await writeRunSettings({ home, run, config, workspace: agent.workspace, permissionMode, version })
    const first = prompt === undefined ? '' : dialect.phrase(prompt)
    const letters = join(home, 'letters', agent.id)
    await mkdir(letters, { recursive: true, mode: 0o700 })
    const model = tiers === undefined ? agent.model : startedAs(agent.model, tiers)
    const flags = ['--settings', settings, '--permission-mode', permissionMode, '--model', model]
    return {
      argv: [program, ...flags, ...addressed({ letters, session, first })],
      cwd: agent.workspace,
      // An update in the middle of the night is another program than the one that was checked.
      env: {
        ...ownNow(),
        CLAUDE_CODE_DIAGNOSTICS_FILE: notesOf(home, run),
        DISABLE_AUTOUPDATER: '1',
        ...taskTags(agent, taskLists),
        ...runTags(handle, { home, homeId }),
      },
    }
  }

  return {
    name: 'claude-code',
    capabilities: CAPABILITIES,
    check: (agent) => checkStart(agent, { program: PROGRAM, ...chosen(), env: ownNow(), uid: UID }),
    launch: (agent, handle, prompt) => start(agent, handle, prompt === undefined ? {} : { prompt }),
    resume: start,
    sessions: claudeSessions({ config, homeId }),
    usage: (sessions) => transcripts.usageOf(sessions),
    read: (report, bounds) => dialect.read(report, bounds),
    bounds: ({ workspace }) => callBounds({ config, workspace, env: ownNow() }),
    sessionOf: (report) => dialect.sessionOf(report),
    insight: new ClaudeInsight({ config, homeId, notesOf: (run) => notesOf(home, run) }),
    answer: (request, answer) => dialect.answer(request, answer),
    phrase: (text) => dialect.phrase(text),
    draft: readDraft,
    // Taken by the hook after the present calls, or at the end of the turn: the session stays as it is.
    softStop: (stopReason) => JSON.stringify({ continue: false, stopReason }),
    close: () => transcripts.close(),
    ...KEYS,
  }
}

/** Where the client notes how it runs: by that it is known that a request was refused, and when it is sent again. */
function notesOf(home: string, run: string): string {
  return join(home, 'runs', run, 'diagnostics.jsonl')
}

interface Addressed {
  letters: string
  session: string | undefined
  first: string
}

function addressed({ letters, session, first }: Addressed): string[] {
  return [
    // Where texts lie that are too long to be typed; without it every one of them would ask for a permission.
    ...['--add-dir', letters],
    ...(session === undefined ? [] : ['--resume', session]),
    // Behind «--» a prompt that begins with a dash is still a prompt.
    ...(first.trim() === '' ? [] : ['--', first]),
  ]
}

/** Who beads says that it is, and where the client keeps its tasks; without the last it has no tools for them. */
function taskTags(agent: AgentRecord, ownList: boolean): Record<string, string> {
  const list = { CLAUDE_CODE_TASK_LIST_ID: taskListOf(agent), CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' }
  return { BEADS_ACTOR: agent.id, ...(ownList ? list : {}) }
}
