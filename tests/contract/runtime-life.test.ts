import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { claudeDialect } from '../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../src/adapters/test-runners/recognise-test-run.ts'
import { claudeSessions } from '../../src/adapters/claude-code/resume-session.ts'
import { claudeCode } from '../../src/adapters/claude-code/runtime.ts'
import { Transcripts } from '../../src/adapters/claude-code/transcripts.ts'
import { findScripts } from '../../src/adapters/understudy/find-scripts.ts'
import { understudy, understudyFolder } from '../../src/adapters/understudy/runtime.ts'
import { installClaudeCode } from '../e2e/runtimes/install-claude-code.ts'
import { makeHome, type TestHome } from '../e2e/runtimes/home.ts'
import { anthropicMessages } from '../model-api/anthropic-messages.ts'
import { startModelApi } from '../model-api/server.ts'
import { scripted } from '../model-api/turn.ts'
import { built } from '../programs.ts'
import { agentRecord } from '../samples/agents.ts'
import { runtimeLifeSuite, type RuntimeLife } from './runtime-life-suite.ts'
import { STUB_KEY, knowUser } from '../e2e/runtimes/known-user.ts'

const src = new URL('../../src/adapters/', import.meta.url)

runtimeLifeSuite('Claude Code', async () => {
  const installed = installClaudeCode()
  if ('missing' in installed) return installed.missing
  const home = makeHome()
  const api = await startModelApi([anthropicMessages])
  knowUser(home.path, home.workspace)
  const env = {
    PATH: [dirname(installed.program), process.env['PATH']].join(delimiter),
    HOME: home.path,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: STUB_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  const options = { home: home.path, homeId: 'life', dialect: claudeDialect(recogniseTestRun) }
  const runtime = claudeCode({
    ...options,
    chosen: () => ({ permissionMode: 'acceptEdits', environment: ['ANTHROPIC_*', 'CLAUDE_CODE_*'] }),
    env,
  })
  const call = { tools: [{ name: 'Bash', input: { command: 'sleep 1', description: 'work' } }] }
  const busy = scripted(
    'Work.',
    Array.from({ length: 20 }, () => call),
  )
  return life(home, { runtime, runtimeName: 'claude-code', busy, close: () => api.close() })
})

runtimeLifeSuite('understudy', async () => {
  const home = makeHome()
  const transcripts = new Transcripts({ projects: join(understudyFolder(home.path), 'projects') })
  const runtime = understudy({
    home: home.path,
    homeId: 'life',
    dialect: claudeDialect(recogniseTestRun),
    usage: (sessions) => transcripts.usageOf(sessions),
    sessions: claudeSessions({ config: understudyFolder(home.path), homeId: 'life' }),
    program: [process.execPath, built('understudy/main')],
    ...findScripts(new URL('understudy/scripts/', src).pathname, home.path),
    scriptOf: () => undefined,
    env: { PATH: process.env['PATH'], HOME: home.path },
  })
  return life(home, {
    runtime,
    runtimeName: 'understudy',
    busy: 'Work.\n/do work: 20s',
    close: () => transcripts.close(),
  })
})

interface Given extends Pick<RuntimeLife, 'runtime' | 'busy'> {
  runtimeName: string
  close?: () => Promise<void>
}

function life(home: TestHome, { runtime, runtimeName, busy, close }: Given): RuntimeLife {
  return {
    runtime,
    busy,
    home,
    agent: agentRecord({ workspace: home.workspace, runtime: runtimeName }),
    order: (run, text) => writeFileSync(join(home.path, 'orders', run), text),
    remove: async () => {
      home.remove()
      await close?.()
    },
  }
}
