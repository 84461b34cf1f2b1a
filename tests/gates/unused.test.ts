import { expect, test } from 'vitest'
import { makeProject, runTool } from './fixture.ts'

const clean = {
  'package.json':
    '{ "name": "clean", "type": "module", "dependencies": { "commander": "*", "yaml": "*" }, "devDependencies": { "react": "*", "tailwindcss": "*" } }\n',
  'src/cli/main.ts': "import 'commander'\nimport { used } from './used.ts'\nconsole.log(used)\n",
  'src/cli/used.ts': 'export const used = 1\n',
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

function unused(files: Record<string, string>): { status: number | null; lines: string[] } {
  return runTool(makeProject(files), 'knip', ['--reporter=compact', '--no-config-hints'])
}
