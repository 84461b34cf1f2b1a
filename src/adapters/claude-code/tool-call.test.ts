import { expect, test } from 'vitest'
import { actionOf, boundOf } from './tool-call.ts'

const MINUTE = 60_000

test.each([
  ['Bash', {}, 2 * MINUTE],
  ['Bash', { timeout: 5000 }, 5000],
  ['Bash', { timeout: 9_000_000 }, 10 * MINUTE],
  ['Bash', { timeout: -1 }, 2 * MINUTE],
  ['Bash', { timeout: '5' }, 2 * MINUTE],
  ['Bash', { timeout: Infinity }, 2 * MINUTE],
  ['Task', {}, 30 * MINUTE],
  ['Agent', {}, 30 * MINUTE],
  ['WebFetch', {}, 5 * MINUTE],
  ['mcp__github__search', {}, 30 * MINUTE],
  ['constructor', {}, 30 * MINUTE],
])('%s %j may take %i ms', (tool, input, boundMs) => {
  expect(boundOf({ tool, input })).toBe(boundMs)
})

test.each([
  ['Bash', { description: 'Run tests', command: 'npm\ttest\n' }, 'Bash: npm test'],
  ['Edit', { file_path: '/w/a.ts', old_string: 'a' }, 'Edit: /w/a.ts'],
  ['Odd', { number: 3 }, 'Odd'],
  [
    'Bash',
    { command: `git clone https://me:${'h'.repeat(300)}@example.com/x.git`.padEnd(1000, '!') },
    `Bash: git clone https://«secret»@example.com/x.git${'!'.repeat(49)}…`,
  ],
  ['Bash', { command: `echo ${'x'.repeat(76)} password=hunter22` }, `Bash: echo ${'x'.repeat(76)} password=«s…`],
  ['Bash', { command: '🦉'.repeat(200) }, `Bash: ${'🦉'.repeat(46)}…`],
])('%s is said in few words', (tool, input, action) => {
  expect(actionOf({ tool, input })).toBe(action)
})
