import { expect, test } from 'vitest'
import { makeProject, runTool } from './fixture.ts'

test('only files in another format than the house are named', () => {
  const folder = makeProject({
    'src/core/good.ts': "export const word = 'a'\n",
    'src/core/semicolon.ts': "export const word = 'a';\n",
    'src/core/quotes.ts': 'export const word = "a"\n',
    'dashboard/src/good.tsx': 'export const good = () => <p title="a">{\'b\'}</p>\n',
    'dashboard/src/spread.tsx': "export const spread = () => <p\n title='a'>{'b'}</p>\n",
    'src/core/wide.ts': `export const words = [${"'word', ".repeat(20)}]\n`,
  })
  const { status, lines } = runTool(folder, 'oxfmt', ['--list-different', 'src', 'dashboard'])
  expect({ status, lines: lines.toSorted() }).toEqual({
    status: 1,
    lines: ['dashboard/src/spread.tsx', 'src/core/quotes.ts', 'src/core/semicolon.ts', 'src/core/wide.ts'],
  })
})

test('a formatted project passes the check', () => {
  const folder = makeProject({ 'src/core/good.ts': "export const word = 'a'\n" })
  expect(runTool(folder, 'oxfmt', ['--check'])).toMatchObject({ status: 0 })
})
