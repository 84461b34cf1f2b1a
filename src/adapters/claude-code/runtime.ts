/** Claude Code as a runtime: its interactive client, started with hooks of its own run and an explicit environment. */
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import type { Handle, Launch, Runtime } from '../../core/ports.ts'
import { runTags } from '../../core/run-tags.ts'
import { allowedEnv } from './allowed-env.ts'
import { checkStart } from './check-start.ts'
import type { Dialect } from './dialect.ts'
import { findProgram } from './find-program.ts'
import { readDraft } from './read-draft.ts'
import { settingsOf, writeSettings } from './settings-file.ts'

export interface ClaudeCodeOptions {
  /** The state directory; hooks are in its bin, settings of a run in its runs. */
  home: string
  homeId: string
  dialect: Dialect
  permissionMode: string
  /** Names of the variables that the client gets beyond what every program needs. */
  environment: readonly string[]
  /** Where they are taken from. */
  env: Readonly<Record<string, string | undefined>>
}

const PROGRAM = 'claude'

export function claudeCode(options: ClaudeCodeOptions): Runtime {
  const { home, homeId, dialect, permissionMode } = options
  const own = allowedEnv(options.env, options.environment)
  const uid = process.getuid?.() ?? -1

  /** Resumed or not, every flag is passed again: the program keeps none of them with its session. */
  async function start(
    agent: AgentRecord,
    handle: Handle,
    given: { prompt?: string; session?: string },
  ): Promise<Launch> {
    const { prompt, session } = given
    const hooks = { report: join(home, 'bin', 'heartbeat-hook'), ask: join(home, 'bin', 'ask-hook') }
    const settings = await writeSettings(join(home, 'runs', handle.run), settingsOf(hooks, permissionMode))
    const first = prompt === undefined ? '' : dialect.phrase(prompt)
    if (first.trim() !== '') dialect.expectPrompt(handle.run)
    const flags = ['--settings', settings, '--permission-mode', permissionMode, '--model', agent.model]
    return {
      argv: [
        (await findProgram(PROGRAM, own['PATH'])) ?? PROGRAM,
        ...flags,
        ...(session === undefined ? [] : ['--resume', session]),
        // Behind «--» a prompt that begins with a dash is still a prompt.
        ...(first.trim() === '' ? [] : ['--', first]),
      ],
      cwd: agent.workspace,
      // An update in the middle of the night is another program than the one that was checked.
      env: { ...own, DISABLE_AUTOUPDATER: '1', ...runTags(handle, { home, homeId }) },
    }
  }

  return {
    name: 'claude-code',
    capabilities: { resume: true, interrupt: true, clear: true, ask: true, confirmsText: true, usage: true },
    check: (agent) => checkStart(agent, { program: PROGRAM, permissionMode, env: own, uid }),
    launch: (agent, handle, prompt) => start(agent, handle, prompt === undefined ? {} : { prompt }),
    resume: (agent, handle, session) => start(agent, handle, { session }),
    usage: (transcript) => dialect.usage(transcript),
    read: (report) => dialect.read(report),
    answer: (request, answer) => dialect.answer(request, answer),
    phrase: (text) => dialect.phrase(text),
    draft: readDraft,
    interruptKey: 'Escape',
    clearText: '/clear',
  }
}
