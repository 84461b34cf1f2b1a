import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject } from './fixture.ts'

const clean = {
  'package-lock.json': '{\n  "packages": { "node_modules/a": { "version": "1.0.0", "integrity": "sha512-x" } }\n}\n',
  'src/contract/shape.ts': 'export const shape = 1\n',
  'src/core/views.ts': "import { shape } from '../contract/shape.ts'\nexport const view = shape\n",
  'src/core/views.test.ts': "import { pane } from '../adapters/tmux/pane.ts'\npane()\n",
  'src/core/policies/crash.ts': "import { view } from '../views.ts'\nexport const crash = view\n",
  'src/adapters/process/run.ts':
    "import { spawn } from 'node:child_process'\nexport const run = () => spawn('ls', ['-l'], { shell: false })\n",
  'src/adapters/tmux/pane.ts': [
    "import { run } from '../process/run.ts'",
    "// import { spawn } from 'node:child_process'",
    'export const pane = () => [run(), "import { x } from \'../git/look.ts\'", /a/.exec("a")]',
  ].join('\n'),
  'src/adapters/tmux/README.md': 'Facts.\n',
  'src/adapters/tmux/fixtures/Odd_Name.txt': 'as the program wrote it\n',
  'src/api/routes.ts': "import { view } from '../core/views.ts'\nexport type Api = typeof view\n",
  'src/daemon/main.ts': "import { pane } from '../adapters/tmux/pane.ts'\npane()\n",
  'src/daemon/offline/config.ts': "import { pane } from '../../adapters/tmux/pane.ts'\npane()\n",
  'src/cli/pan.ts': "import type { Api } from '../api/routes.ts'\nexport const pan = (api: Api) => api\n",
  'dashboard/src/features/fleet/list.tsx':
    "import type { Api } from '../../../../src/api/routes.ts'\nexport const list = (api: Api) => <p>{api}</p>\n",
  'tests/e2e/real.test.ts': [
    "import { spawnSync } from 'node:child_process'",
    "test('real', (ctx) => { ctx.skip(!process.env.REAL, 'needs the real program'); spawnSync('ls') })",
  ].join('\n'),
}

test('a clean project passes', () => {
  expect(rules(clean)).toEqual({ status: 0, lines: ['0 problems in 12 files'] })
})

test('every rule bites and says what to do instead', () => {
  const files = {
    ...clean,
    'package-lock.json': '{\n  "resolved": "https://registry.example/a-1.0.0.tgz"\n}\n',
    // who may see whom
    'src/contract/upward.ts': "import { view } from '../core/views.ts'\nexport const upward = view\n",
    'src/core/outward.ts': "export type Outward = import('../adapters/tmux/pane.ts').Pane\n",
    'src/core/policies/budget.ts': "import { crash } from './crash.ts'\nexport const budget = crash\n",
    'src/adapters/git/look.ts': "export const look = await import('../tmux/pane.ts')\n",
    'src/adapters/git/ask.ts': "import { pan } from '../../cli/pan.ts'\nexport const ask = pan\n",
    'src/api/deep.ts': "import type { crash } from '../core/policies/crash.ts'\nexport type Deep = typeof crash\n",
    'src/daemon/loop.ts': "import { pane } from '../adapters/tmux/pane.ts'\nexport const loop = pane\n",
    'src/daemon/shown.ts':
      "import { list } from '../../dashboard/src/features/fleet/list.tsx'\nexport const shown = list\n",
    'src/cli/direct.ts': "import { view } from '../core/views.ts'\nexport const direct = view\n",
    'src/cli/client.ts': "import { routes } from '../api/routes.ts'\nexport const client = routes\n",
    'src/hook/report.ts': "export { view } from '../core/views.ts'\nexport const report = 1\n",
    'dashboard/src/features/costs/table.ts': "import { list } from '../fleet/list.tsx'\nexport const table = list\n",
    'dashboard/src/features/costs/sum.ts':
      "import { view } from '../../../../src/core/views.ts'\nexport const sum = view\n",
    // programs
    'src/daemon/start.ts': "import { spawn } from 'child_process'\nexport const start = spawn\n",
    'src/daemon/sly.ts': "export const sly = process.getBuiltinModule('node:child_process')\n",
    'src/adapters/process/shell.ts': [
      "import { exec, spawn } from 'node:child_process'",
      "import * as programs from 'node:child_process'",
      "export const shell = [exec, programs.execSync('ls'), spawn('ls', { shell: true })]",
      "export const late = async () => { const { exec } = await import('node:child_process'); return exec }",
    ].join('\n'),
    'scripts/shell.ts': "import { execSync } from 'node:child_process'\nexecSync('ls')\n",
    // tests
    'tests/left-out.test.ts': [
      "vi.mock('./a.ts')",
      "test.skip('a', () => {})",
      "describe.only('b', () => {})",
      "it.todo('c')",
      "test.skip.each([1])('d', () => {})",
      "test.skipIf(true)('e', () => {})",
      "test('f', { skip: true }, () => {})",
      "test('g', (ctx) => ctx.skip())",
      "test('h', ({ skip }) => skip(true))",
    ].join('\n'),
    // names
    'src/core/StateMachine.ts': 'export const machine = 1\n',
    'src/core/agent_record.ts': 'export const agent = 1\n',
    'src/core/utils.ts': 'export const utils = 1\n',
    'src/adapters/tmux/pane-manager.ts': 'export const manager = 1\n',
    'tests/helpers/make.ts': 'export const make = 1\n',
    'src/contract/index.ts': "export * from './shape.ts'\n",
    'src/contract/all.ts': "import { shape } from './shape.ts'\nexport { shape }\n",
  }
  expect(rules(files)).toEqual({
    status: 1,
    lines: [
      'src/adapters/git/ask.ts:1 [room-imports] imports src/cli/pan.ts: adapters see core and contract. Let the daemon join them: it calls the adapter through a port.',
      'src/adapters/git/look.ts:1 [room-imports] imports src/adapters/tmux/pane.ts: no adapter imports another (except process). Let the daemon join the two.',
      'src/api/deep.ts:1 [room-imports] imports src/core/policies/crash.ts: api sees core views and contract. Shape the answer in src/core/views.ts, or let the daemon pass it in.',
      'src/cli/client.ts:1 [room-imports] imports src/api/routes.ts: cli sees contract, and types of api. Ask the daemon through the API, or start a program under src/daemon/offline by path.',
      'src/cli/direct.ts:1 [room-imports] imports src/core/views.ts: cli sees contract, and types of api. Ask the daemon through the API, or start a program under src/daemon/offline by path.',
      'src/contract/upward.ts:1 [room-imports] imports src/core/views.ts: contract sees nothing but itself. Move what decides to core and what is stored or sent into contract.',
      'src/core/outward.ts:1 [room-imports] imports src/adapters/tmux/pane.ts: core sees contract only. Take the fact from the input, or name a port in src/core/ports.ts.',
      'src/core/policies/budget.ts:1 [room-imports] imports src/core/policies/crash.ts: no policy imports another. Move what both need to a file of its own in src/core.',
      'src/daemon/loop.ts:1 [room-imports] imports src/adapters/tmux/pane.ts: only src/daemon/main.ts and offline programs name adapters. Take a port from src/core/ports.ts as a parameter.',
      'src/daemon/shown.ts:1 [room-imports] imports dashboard/src/features/fleet/list.tsx: daemon sees the server side only. Move what both need to contract.',
      'src/hook/report.ts:1 [room-imports] imports src/core/views.ts: hook programs stand alone. Keep what they need in src/hook.',
      'dashboard/src/features/costs/sum.ts:1 [room-imports] imports src/core/views.ts: dashboard sees contract, and types of api. Ask the daemon through the API.',
      'dashboard/src/features/costs/table.ts:1 [room-imports] imports dashboard/src/features/fleet/list.tsx: no dashboard feature imports another. Move what both need out of features.',
      'src/adapters/process/shell.ts:1 [child-processes] starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
      'src/adapters/process/shell.ts:3 [child-processes] starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
      'src/adapters/process/shell.ts:3 [child-processes] starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
      'src/adapters/process/shell.ts:4 [child-processes] starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
      'src/daemon/sly.ts:1 [child-processes] uses child_process: only src/adapters/process does. Call that adapter, or take a port as a parameter.',
      'src/daemon/start.ts:1 [child-processes] uses child_process: only src/adapters/process does. Call that adapter, or take a port as a parameter.',
      'scripts/shell.ts:1 [child-processes] starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
      'tests/left-out.test.ts:1 [test-honesty] vi.mock replaces a module behind its back. Pass an in-memory fake of the port instead.',
      'tests/left-out.test.ts:2 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:3 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:4 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:5 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:6 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:7 [test-honesty] leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.',
      'tests/left-out.test.ts:8 [test-honesty] skips without a reason. Write `ctx.skip(condition, "reason")`.',
      'tests/left-out.test.ts:9 [test-honesty] skips without a reason. Write `ctx.skip(condition, "reason")`.',
      'src/adapters/tmux/pane-manager.ts:1 [names] is called «pane-manager.ts», which says nothing. Name it for the one thing that it defines.',
      'src/core/StateMachine.ts:1 [names] is not kebab-case. Rename it, for example «state-machine.ts».',
      'src/core/agent_record.ts:1 [names] is not kebab-case. Rename it, for example «agent-record.ts».',
      'src/core/utils.ts:1 [names] is called «utils.ts», which says nothing. Name it for the one thing that it defines.',
      'tests/helpers:1 [names] is called «helpers», which says nothing. Name it for the one thing that it defines.',
      'src/contract/all.ts:1 [barrels] only passes on what other files export. Delete it and import from the file that defines the thing.',
      'src/contract/index.ts:1 [barrels] only passes on what other files export. Delete it and import from the file that defines the thing.',
      'package-lock.json:2 [lock-file] names a registry. Run `npm install --package-lock-only --omit-lockfile-registry-resolved` and keep the result.',
      '37 problems in 37 files',
    ],
  })
})

function rules(files: Record<string, string>): { status: number | null; lines: string[] } {
  const script = join(import.meta.dirname, '../../scripts/rules.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, makeProject(files)], { encoding: 'utf8' })
  return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') }
}
