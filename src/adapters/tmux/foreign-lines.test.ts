import { expect, test } from 'vitest'
import { readForeign } from './foreign-lines.ts'

const LINES = [
  '10|1700000000|%0|/dev/pts/1|1700000005|0.1.2|session|0|0|work|editor',
  '10|1700000000|%1|/dev/pts/2|1700000009|7.0.0|pane|0|1|work|editor',
  '10|1700000000|%2|/dev/pts/3|1700000001|0.0.0|window|1|0|work|odd | name',
  '10|1700000000|%2|/dev/pts/3|1700000001|0.0.0|session|0|0|linked|odd | name',
  'not a line at all',
  '10|1700000000|%3|no tty|1700000001|0.0.0|pane|0|0|work|x',
].join('\n')

test('each pane once, with every name that means it exactly', () => {
  const panes = readForeign(LINES, '/tmp/own', 1_700_000_009_500)
  const server = { pid: 10, startTime: 1_700_000_000 }
  expect(panes).toEqual([
    {
      socket: '/tmp/own',
      server,
      id: '%0',
      tty: '/dev/pts/1',
      names: ['work', 'work:', 'work:0', 'work:editor', 'work:0.0', 'work:editor.0'],
      stamp: '1700000005.0.1.2',
      ageMs: 4_500,
    },
    {
      socket: '/tmp/own',
      server,
      id: '%1',
      tty: '/dev/pts/2',
      names: ['work:0.1', 'work:editor.1'],
      stamp: '1700000009+.7.0.0',
      ageMs: 500,
    },
    {
      socket: '/tmp/own',
      server,
      id: '%2',
      tty: '/dev/pts/3',
      names: [
        ...['work:1', 'work:odd | name', 'work:1.0', 'work:odd | name.0'],
        ...['linked', 'linked:', 'linked:0', 'linked:odd | name', 'linked:0.0', 'linked:odd | name.0'],
      ],
      stamp: '1700000001.0.0.0',
      ageMs: 8_500,
    },
  ])
})
