import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSourceTree, type SourceTree } from '../../scripts/rules/source-tree.ts'
import { reached } from '../../scripts/tests/changed.ts'

const FILES: Record<string, string> = {
  'src/core/judge.ts': 'export const judge = 1\n',
  'src/core/shape.ts': 'export interface Shape { a: 1 }\n',
  'src/core/judge.test.ts': "import { judge } from './judge.ts'\nimport type { Shape } from './shape.ts'\n",
  'src/daemon/main.ts': "import { judge } from '../core/judge.ts'\n",
  'src/hook/report.sh': ':\n',
  'src/adapters/x/fixtures/recorded.jsonl': '{}\n',
  'src/adapters/x/x.test.ts': 'export {}\n',
  'tests/live-home.ts': "export const DAEMON = new URL('../dist/daemon/main.js', import.meta.url)\n",
  'tests/e2e/life.test.ts': "import { DAEMON } from '../live-home.ts'\n",
  'tests/e2e/report.test.ts': "const HOOK = '../../src/hook/report.sh'\n",
  'tests/nights/quiet.txt': 'wait 1m\n',
  'tests/nights/nights.test.ts': 'export {}\n',
}

let root: string
let tree: SourceTree

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cloister-changed-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  tree = readSourceTree(root)
})

afterAll(() => rmSync(root, { recursive: true }))

const LEFT = 'not run: 1 test file that start a program with a changed part; ./test runs them'

test.each([
  ['what imports it; who starts it is counted', 'src/core/judge.ts', ['src/core/judge.test.ts'], [LEFT]],
  ['nothing by a type alone', 'src/core/shape.ts', [], []],
  ['who starts a program, when the program itself changed', 'src/daemon/main.ts', ['tests/e2e/life.test.ts'], []],
  ['who uses what a helper makes', 'tests/live-home.ts', ['tests/e2e/life.test.ts'], []],
  ['who names its path', 'src/hook/report.sh', ['tests/e2e/report.test.ts'], []],
  ['a test itself', 'tests/e2e/report.test.ts', ['tests/e2e/report.test.ts'], []],
  ['the tests of its folder', 'tests/nights/quiet.txt', ['tests/nights/nights.test.ts'], []],
  ['the tests of a folder above', 'src/adapters/x/fixtures/recorded.jsonl', ['src/adapters/x/x.test.ts'], []],
  ['nothing', 'docs/guide.md', [], []],
  ['perhaps everything', 'vitest.config.ts', [], ['vitest.config.ts may reach every test; ./test runs them']],
])('a change reaches %s', (_, path, tests, more) => {
  const said = [`1 changed file → ${tests.length} test file${tests.length === 1 ? '' : 's'}`, ...more]
  expect(reached(tree, [path])).toEqual({ tests, said })
})
