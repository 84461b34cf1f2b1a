import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeDialect } from '../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../src/adapters/test-runners/recognise-test-run.ts'
import { claudeCode } from '../../src/adapters/claude-code/runtime.ts'
import { hookEvents } from '../../src/adapters/claude-code/hook-events.ts'
import { findScripts } from '../../src/adapters/understudy/find-scripts.ts'
import { understudy } from '../../src/adapters/understudy/runtime.ts'
import { agentRecord } from '../samples/agents.ts'
import { readFixtures, runtimeSuite, type RuntimePlace } from './runtime-suite.ts'

const src = new URL('../../src/adapters/', import.meta.url)
const reports = readFixtures(new URL('claude-code/fixtures/hooks.json', src))
const samples = {
  idle: { kind: 'Stop', body: '{"background_tasks":[],"session_crons":[]}' },
  prompt: { kind: 'UserPromptSubmit', body: '{"prompt":"go  on"}', text: 'go on' },
  permission: { kind: 'PermissionRequest', body: '{"tool_name":"Bash","tool_input":{"command":"rm x"}}' },
}

function makeFolder(): { home: string; workspace: string } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-runtimes-')))
  const workspace = join(home, 'workspace')
  mkdirSync(workspace)
  return { home, workspace }
}

function claudePlace(permissionMode = 'acceptEdits'): RuntimePlace {
  const { home, workspace } = makeFolder()
  writeFileSync(join(home, 'claude'), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
  chmodSync(join(home, 'claude'), 0o755)
  writeFileSync(join(home, '.claude.json'), '{"hasCompletedOnboarding":true}')
  const env = {
    PATH: `${home}:${process.env['PATH']}`,
    HOME: home,
    CLAUDE_CODE_SANDBOXED: '1',
    ANTHROPIC_AUTH_TOKEN: 'token',
    IS_SANDBOX: '1',
    SECRET_OF_THE_USER: 'secret',
  }
  const environment = ['ANTHROPIC_*', 'CLAUDE_CODE_SANDBOXED', 'IS_SANDBOX']
  const chosen = () => ({ permissionMode, environment })
  const fresh = () => claudeCode({ home, homeId: 'abc', dialect: claudeDialect(recogniseTestRun), chosen, env })
  const agent = agentRecord({ workspace, runtime: 'claude-code' })
  return {
    runtime: fresh(),
    fresh,
    agent,
    home,
    homeId: 'abc',
    reports,
    samples,
    remove: () => rmSync(home, { recursive: true }),
  }
}

function understudyPlace(): RuntimePlace {
  const { home, workspace } = makeFolder()
  const fresh = () =>
    understudy({
      home,
      homeId: 'abc',
      dialect: claudeDialect(recogniseTestRun),
      usage: async () => ({ models: {}, sessions: [] }),
      program: [process.execPath, new URL('understudy/program/main.ts', src).pathname],
      ...findScripts(new URL('understudy/scripts/', src).pathname, home),
      env: { PATH: process.env['PATH'], HOME: home, SECRET_OF_THE_USER: 'secret' },
    })
  const agent = agentRecord({ workspace, runtime: 'understudy', model: 'steady' })
  return {
    runtime: fresh(),
    fresh,
    agent,
    home,
    homeId: 'abc',
    reports,
    samples,
    remove: () => rmSync(home, { recursive: true }),
  }
}

runtimeSuite('Claude Code', claudePlace)
runtimeSuite('understudy', understudyPlace)

test('an understudy without a script is refused, with the scripts that there are and the place for an own one', async () => {
  const place = understudyPlace()
  const { runtime, agent, home } = place
  try {
    const unknown = { ...agent, model: '../steady' }
    const own = join(home, 'understudies', `${agent.id}.yaml`)
    expect(await runtime.check(unknown)).toEqual([
      'There is no understudy script «../steady». There are: asks, crashes, drill, fills-context, hangs, ' +
        `limited, long-tool, loops, steady, stubborn; or write your own to ${own}.`,
    ])
    mkdirSync(join(home, 'understudies'))
    writeFileSync(own, 'steps: []\n')
    expect(await runtime.check(unknown)).toEqual([])
    const launch = await runtime.launch(unknown, { agent: agent.id, generation: 1, run: 'run-1' }, undefined)
    expect(launch.argv).toContain(own)
  } finally {
    place.remove()
  }
})

test('a change of what is chosen holds for the next start', async () => {
  const { home, workspace } = makeFolder()
  try {
    const chosen = { permissionMode: 'acceptEdits', environment: [] as string[] }
    const env = { PATH: process.env['PATH'], HOME: home, GIVEN: 'yes' }
    const options = { home, homeId: 'abc', dialect: claudeDialect(recogniseTestRun), env }
    const runtime = claudeCode({ ...options, chosen: () => chosen })
    const agent = agentRecord({ workspace, runtime: 'claude-code' })
    const started = async (run: string) => {
      const { argv, env: given } = await runtime.launch(agent, { agent: agent.id, generation: 1, run }, undefined)
      return [argv[argv.indexOf('--permission-mode') + 1], given['GIVEN']]
    }
    const before = await started('run-1')
    Object.assign(chosen, { permissionMode: 'plan', environment: ['GIVEN'] })
    expect([before, await started('run-2')]).toEqual([
      ['acceptEdits', undefined],
      ['plan', 'yes'],
    ])
  } finally {
    rmSync(home, { recursive: true })
  }
})

test.each(['acceptEdits', 'bypassPermissions'])(
  'Claude Code is started with settings of its run only, mode %s',
  async (mode) => {
    const place = claudePlace(mode)
    const { runtime, agent, home } = place
    try {
      const launch = await runtime.launch(agent, { agent: agent.id, generation: 1, run: 'run-1' }, undefined)
      const file = join(home, 'runs/run-1/settings.json')
      expect(launch.argv).toEqual([
        join(home, 'claude'),
        ...['--settings', file, '--permission-mode', mode, '--model', 'sonnet'],
        ...['--add-dir', join(home, 'letters', agent.id)],
      ])
      expect([statSync(file).mode & 0o777, statSync(join(home, 'runs/run-1')).mode & 0o777]).toEqual([0o600, 0o700])
      const { hooks, ...others } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: object }
      expect(others).toEqual({
        statusLine: { type: 'command', command: `'${home}/bin/status-line'` },
        ...(mode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
      })
      const hook = (program: string, kind: string, timeout: number) => [
        { hooks: [{ type: 'command', command: join(home, 'bin', program), args: [kind], timeout }] },
      ]
      expect(hooks).toEqual({
        ...Object.fromEntries(hookEvents([2, 1, 325]).reported.map((kind) => [kind, hook('heartbeat-hook', kind, 10)])),
        PermissionRequest: hook('ask-hook', 'PermissionRequest', 604_800),
      })
    } finally {
      place.remove()
    }
  },
)
