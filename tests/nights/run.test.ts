import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nightNames } from './run.ts'

function nights(...args: readonly string[]) {
  const program = join(import.meta.dirname, 'run.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr: stderr.split('\n') }
}

const usage = [
  'Usage: npm run nights                       play all nights',
  '       npm run nights -- <name>…           play only these',
  '       npm run nights -- --update [name…]  show each difference, then write it down',
  '',
]

test.each([
  [['--bogus'], 'There is no option --bogus.'],
  [['--update', '-u'], 'There is no option -u.'],
  [['--updat', 'death'], 'There is no option --updat.'],
  [['death', 'birth'], `There is no night «birth». There are: ${nightNames().join(', ')}.`],
])('%j plays nothing and says how it is used', (args, complaint) => {
  expect(nights(...args)).toEqual({ status: 2, stdout: '', stderr: [complaint, ...usage] })
})

test('only the nights that are named are played', () => {
  expect(nights('death')).toEqual({ status: 0, stdout: 'same       death\n', stderr: [''] })
})
