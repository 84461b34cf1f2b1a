import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeProject, runTool } from './fixture.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: { unused: string }
}

const clean = {
  'package.json':
    '{ "name": "clean", "type": "module", "dependencies": { "commander": "*", "yaml": "*" }, "devDependencies": { "react": "*", "tailwindcss": "*", "vitest": "*" } }\n',
  'src/cli/main.ts': "import 'commander'\nimport { used } from './used.ts'\nconsole.log(used)\n",
  'src/cli/used.ts': 'export const used = 1\n',
  'src/cli/used.test.ts': "import 'vitest'\nimport { used } from './used.ts'\nconsole.log(used)\n",
  'src/daemon/main.ts': "import 'yaml'\n",
  'src/daemon/offline/config.ts': 'export {}\n',
  'src/adapters/sqlite/journal-worker.ts': 'export {}\n',
  'dashboard/src/main.tsx': "import { Page } from './page.tsx'\nimport './styles.css'\ndocument.title = Page.name\n",
  'dashboard/src/page.tsx': "import { useState } from 'react'\nexport const Page = () => <p>{useState(1)}</p>\n",
  'dashboard/src/styles.css': "@import 'tailwindcss';\n",
  'dashboard/vite.config.ts': 'export default {}\n',
  'bench/run.ts': 'export {}\n',
  'scripts/build.ts': 'export {}\n',
  'tests/journal/victim.ts': 'export {}\n',
}

test('a project in which everything is used passes', () => {
  expect(unused(clean)).toEqual({ status: 0, lines: [] })
})

test('an unused file, export, type and package are named', () => {
  const files = {
    ...clean,
    'src/cli/used.ts': 'export const used = 1\nexport const spare = 2\nexport interface Spare {\n  a: 1\n}\n',
    'dashboard/src/lost.tsx': 'export const Lost = () => <p />\n',
    'dashboard/src/styles.css': '',
    'src/core/forgotten.ts': 'export const forgotten = 1\n',
    'src/daemon/main.ts': 'export {}\n',
  }
  expect(unused(files)).toEqual({
    status: 1,
    lines: [
      'Unused files (2)',
      'dashboard/src/lost.tsx: dashboard/src/lost.tsx',
      'src/core/forgotten.ts: src/core/forgotten.ts',
      'Unused dependencies (1)',
      'package.json: yaml',
      'Unused devDependencies (1)',
      'package.json: tailwindcss',
      'Unused exports (1)',
      'src/cli/used.ts: spare',
      'Unused exported types (1)',
      'src/cli/used.ts: Spare',
    ],
  })
})

test('what only tests, benchmarks and scripts use is named', () => {
  const files = {
    ...clean,
    'src/cli/used.ts': 'export const used = 1\nexport const spare = 2\nexport interface Spare {\n  a: 1\n}\n',
    'src/cli/used.test.ts': "import 'vitest'\nimport { spare } from './used.ts'\nconsole.log(spare)\n",
    'src/core/forgotten.ts': 'export const forgotten = 1\n',
    'tests/config/forgotten.test.ts':
      "import { forgotten } from '../../src/core/forgotten.ts'\nconsole.log(forgotten)\n",
    'dashboard/src/fleet.ts': 'export const fleet = 1\n',
    'bench/run.ts': "import { fleet } from '../dashboard/src/fleet.ts'\nconsole.log(fleet)\n",
    'scripts/build.ts': "import type { Spare } from '../src/cli/used.ts'\nconsole.log({ a: 1 } satisfies Spare)\n",
  }
  expect(unused(files)).toEqual({
    status: 1,
    lines: [
      'Unused files (2)',
      'dashboard/src/fleet.ts: dashboard/src/fleet.ts',
      'src/core/forgotten.ts: src/core/forgotten.ts',
      'Unused exports (1)',
      'src/cli/used.ts: spare',
      'Unused exported types (1)',
      'src/cli/used.ts: Spare',
    ],
  })
})

test('what is marked as called later may stay with its test alone, and no longer once it is called', () => {
  const waiting = '/** @later Called by what comes next. */\nexport const waiting = 2\n'
  const files = {
    ...clean,
    'src/cli/used.ts': `export const used = 1\n${waiting}`,
    'src/cli/used.test.ts': "import 'vitest'\nimport { waiting } from './used.ts'\nconsole.log(waiting)\n",
  }
  expect(unused(files)).toEqual({ status: 0, lines: [] })
  const called = "import 'commander'\nimport { used, waiting } from './used.ts'\nconsole.log(used, waiting)\n"
  expect(unused({ ...files, 'src/cli/main.ts': called }, 'symbols')).toEqual({
    status: 1,
    lines: ['Tag hints (1)', 'Unused tag in src/cli/used.ts: waiting → @later'],
  })
})

/** As `npm run unused` does, one after the other until one fails. */
function unused(files: Record<string, string>, reporter = 'compact'): { status: number | null; lines: string[] } {
  const project = makeProject(files)
  for (const command of manifest.scripts.unused.split(' && ')) {
    const [tool = '', ...options] = command.split(' ')
    const result = runTool(project, tool, [...options, `--reporter=${reporter}`, '--no-config-hints'])
    if (result.status !== 0) return result
  }
  return { status: 0, lines: [] }
}
