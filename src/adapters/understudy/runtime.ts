/**
 * The understudy as a runtime. It speaks Claude Code's dialect, which the daemon hands in, since no adapter knows
 * another; what is its own is how it is started: by our Node, with a script, always labelled as simulated.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import type { Handle, Launch, RawReport } from '../../core/ports.ts'
import type { Runtime, Sessions } from '../../core/runtime-port.ts'
import { runTags } from '../../core/run-tags.ts'
import { ownScript, type Scripts } from './find-scripts.ts'
import { readDraft } from './read-draft.ts'

export interface Dialect extends Pick<Runtime, 'read' | 'answer' | 'phrase'> {
  sessionOf(report: RawReport): string | undefined
}

export interface UnderstudyOptions extends Scripts {
  /** The state directory; hooks are in its bin, transcripts of a run in its runs. */
  home: string
  homeId: string
  dialect: Dialect
  /** What the program keeps of its sessions, read from this folder. */
  sessions?: Sessions
  usage: NonNullable<Runtime['usage']>
  /** Of what `usage` reads from. */
  close?: NonNullable<Runtime['close']>
  /** How the program is started: the interpreter and the program's file. */
  program: readonly [string, ...string[]]
  /** Where PATH and the like are taken from. */
  env: Readonly<Record<string, string | undefined>>
}

const ALLOWED_ENV = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'CLOISTER_UNDERSTUDY_SPEED']

/** As of the program that it stands in for, where nothing is set. */
const BOUNDS = { shellMs: 120_000, shellMostMs: 600_000 }

export function understudy(options: UnderstudyOptions): Runtime {
  const { home, homeId, dialect, program, scriptOf, sessions, usage, close, env } = options

  async function start(
    agent: AgentRecord,
    handle: Handle,
    { prompt, session }: { prompt?: string; session?: string },
  ): Promise<Launch> {
    const script = scriptOf(agent)
    const first = prompt === undefined ? '' : dialect.phrase(prompt)
    return {
      argv: [
        ...program,
        ...['--model', agent.model],
        ...(script === undefined ? [] : ['--script', script]),
        ...(session === undefined ? [] : ['--resume', session]),
        ...(first.trim() === '' ? [] : ['--', first]),
      ],
      cwd: agent.workspace,
      env: { ...allowed(env), ...hooks(), ...runTags(handle, { home, homeId }) },
    }
  }

  function hooks(): Record<string, string> {
    return {
      CLOISTER_HOOK_REPORT: join(home, 'bin', 'heartbeat-hook'),
      CLOISTER_HOOK_ASK: join(home, 'bin', 'ask-hook'),
      CLOISTER_UNDERSTUDY_DIR: understudyFolder(home),
    }
  }

  return {
    name: 'understudy',
    capabilities: {
      resume: true,
      interrupt: true,
      clear: true,
      softStop: true,
      ask: true,
      confirmsText: true,
      usage: true,
    },
    check: (agent) => check(agent, options),
    launch: (agent, handle, prompt) => start(agent, handle, prompt === undefined ? {} : { prompt }),
    resume: start,
    ...(sessions === undefined ? {} : { sessions }),
    usage,
    ...(close === undefined ? {} : { close }),
    read: (report, bounds) => dialect.read(report, bounds),
    bounds: async () => BOUNDS,
    sessionOf: (report) => dialect.sessionOf(report),
    answer: (request, answer) => dialect.answer(request, answer),
    phrase: (text) => dialect.phrase(text),
    draft: readDraft,
    softStop: (stopReason) => JSON.stringify({ continue: false, stopReason }),
    interruptKey: 'Escape',
    clearText: '/clear',
  }
}

/** Where all understudies of a home keep their transcripts and say how they are. */
export function understudyFolder(home: string): string {
  return join(home, 'understudy')
}

async function check(agent: AgentRecord, options: UnderstudyOptions): Promise<readonly string[]> {
  const { id, workspace, model } = agent
  const { program, scriptOf, scripts, home } = options
  const problems: string[] = []
  const script = scriptOf(agent)
  if (script === undefined) {
    problems.push(
      `There is no understudy script «${model}». There are: ${scripts.join(', ')}; ` +
        `or write your own to ${ownScript(home, agent)}.`,
    )
  }
  for (const file of [program.at(-1), script]) {
    if (file === undefined || (await isThere(file, 'isFile'))) continue
    problems.push(
      `The understudy cannot be started: ${file} is not there. Run \`npm run build\`, or name another script.`,
    )
  }
  if (!(await isThere(workspace, 'isDirectory'))) {
    problems.push(
      `The workspace ${workspace} of ${id} is not a folder. Create it, or register the agent with another one.`,
    )
  }
  return problems
}

async function isThere(path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.[kind]() === true
}

function allowed(env: UnderstudyOptions['env']): Record<string, string> {
  return Object.fromEntries(ALLOWED_ENV.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
