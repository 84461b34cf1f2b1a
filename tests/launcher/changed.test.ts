import { expect, test } from 'vitest'
import { reached } from '../../scripts/tests/changed.ts'

const FILES: Record<string, string> = {
  'src/core/judge.ts': 'export const judge = 1\n',
  'src/core/shape.ts': 'export interface Shape { a: 1 }\n',
  'src/core/judge.test.ts': "import { judge } from './judge.ts'\nimport type { Shape } from './shape.ts'\n",
  'src/daemon/main.ts': "import { judge } from '../core/judge.ts'\n",
  'src/hook/report.sh': ':\n',
  'src/hook/ask.sh': ':\n',
  pan: ':\n',
  'tests/e2e/pan.test.ts': "const PAN = '../../pan'\n",
  'tests/e2e/hooks/ask.test.ts': 'export {}\n',
  'src/adapters/x/fixtures/recorded.jsonl': '{}\n',
  'src/adapters/x/x.test.ts': 'export {}\n',
  'tests/live-home.ts': "export const DAEMON = built('daemon/main')\n",
  'tests/e2e/life.test.ts': "import { DAEMON } from '../live-home.ts'\n",
  'tests/e2e/report.test.ts': "const HOOK = '../../src/hook/report.sh'\n",
  'tests/properties/never.test.ts': "import { fold } from '../../src/core/fold.ts'\n",
  'src/core/fold.ts': 'export const fold = 1\n',
  'tests/nights/quiet.txt': 'wait 1m\n',
  'tests/nights/nights.test.ts': 'export {}\n',
}

const NOTHING = 'no test is known to reach them; ./test runs all, and the gates'
const LEFT = 'left to ./test: 1 test file, long or with a program that has a changed part'

test.each([
  ['what imports it; who starts it is counted', 'src/core/judge.ts', ['src/core/judge.test.ts'], [LEFT]],
  ['nothing long', 'src/core/fold.ts', [], [LEFT]],
  ['something long that changed', 'tests/properties/never.test.ts', ['tests/properties/never.test.ts'], []],
  ['nothing by a type alone', 'src/core/shape.ts', [], [NOTHING]],
  ['who starts a program, when the program itself changed', 'src/daemon/main.ts', ['tests/e2e/life.test.ts'], []],
  ['who uses what a helper makes', 'tests/live-home.ts', ['tests/e2e/life.test.ts'], []],
  ['who names its path', 'src/hook/report.sh', ['tests/e2e/hooks/ask.test.ts', 'tests/e2e/report.test.ts'], []],
  ['a test itself', 'tests/e2e/report.test.ts', ['tests/e2e/report.test.ts'], []],
  ['the tests of its folder', 'tests/nights/quiet.txt', ['tests/nights/nights.test.ts'], []],
  ['the tests of a folder above', 'src/adapters/x/fixtures/recorded.jsonl', ['src/adapters/x/x.test.ts'], []],
  ['nothing', 'docs/guide.md', [], [NOTHING]],
  ['what names it, wherever it lies', 'pan', ['tests/e2e/pan.test.ts'], []],
  ['the tests of hooks', 'src/hook/ask.sh', ['tests/e2e/hooks/ask.test.ts'], []],
  ['nothing that is gone', 'tests/e2e/gone.test.ts', [], [NOTHING]],
  ['perhaps everything', 'vitest.config.ts', [], ['vitest.config.ts may reach every test; ./test runs them']],
])('a change reaches %s', (_, path, tests, more) => {
  const said = [`1 changed file → ${tests.length} test file${tests.length === 1 ? '' : 's'}`, ...more]
  expect(reached(new Map(Object.entries(FILES)), [path])).toEqual({ tests, said })
})
