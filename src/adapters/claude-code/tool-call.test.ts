import { expect, test } from 'vitest'
import { actionOf } from './tool-call.ts'

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
