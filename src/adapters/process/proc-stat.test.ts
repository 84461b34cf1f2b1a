import { expect, test } from 'vitest'
import { lives, parseStat, readStat } from './proc-stat.ts'
import { findTag } from './run-tag.ts'

function line(command: string, state: string, threads = 1): string {
  return `42 (${command}) ${state} 7 8 9 0 -1 4194304 0 0 0 0 11 22 33 44 20 0 ${threads} 0 555 ${'1 '.repeat(27)}7000 7100 0\n`
}

const fields = {
  pid: 42,
  startedAt: 555,
  parent: 7,
  group: 8,
  session: 9,
  frontGroup: -1,
  kernelThread: false,
  environ: '7000-7100',
  cpuTicks: 33,
  reapedTicks: 77,
}

test.each([
  { what: 'a sleeping process', text: line('sleep', 'S'), stat: { ...fields, command: 'sleep', state: 'S' } },
  {
    what: 'a name that looks like the rest',
    text: line('a) Z 1 (b', 'T'),
    stat: { ...fields, command: 'a) Z 1 (b', state: 'T' },
  },
  { what: 'a zombie', text: line('sleep', 'Z'), stat: undefined },
  {
    what: 'a dead main thread beside living ones',
    text: line('java', 'Z', 3),
    stat: { ...fields, command: 'java', state: 'Z' },
  },
  { what: 'a process on its way out', text: line('sleep', 'X'), stat: undefined },
  { what: 'nothing', text: '', stat: undefined },
  { what: 'a cut line', text: '42 (sleep) S 7 8', stat: undefined },
])('reads $what', ({ text, stat }) => {
  expect(parseStat(text)).toEqual(stat)
})

test('reads itself, and tells itself from a later process of the same pid', () => {
  const self = readStat(process.pid)
  expect(self).toMatchObject({ pid: process.pid, parent: process.ppid, kernelThread: false })
  const startedAt = self?.startedAt ?? 0
  expect([startedAt, startedAt + 1].map((at) => lives({ pid: process.pid, startedAt: at }))).toEqual([true, false])
  expect(readStat(2 ** 30)).toBeUndefined()
})

test.each([
  { environ: ['CLOISTER_RUN=h1.run-1'], tag: { homeId: 'h1', run: 'run-1' } },
  { environ: ['A=1', 'CLOISTER_RUN=h1.run-1', 'B=2'], tag: { homeId: 'h1', run: 'run-1' } },
  { environ: ['A=CLOISTER_RUN=h1.run-1', 'XCLOISTER_RUN=h1.run-1', 'CLOISTER_RUN_X=h1.run-1'], tag: undefined },
  { environ: ['A=CLOISTER_RUN=h2.run-2', 'CLOISTER_RUN=h1.run-1'], tag: { homeId: 'h1', run: 'run-1' } },
  { environ: ['CLOISTER_RUN=h1.run-1', 'CLOISTER_RUN=h2.run-2'], tag: { homeId: 'h1', run: 'run-1' } },
  { environ: ['CLOISTER_RUN=h1.a.b'], tag: { homeId: 'h1', run: 'a.b' } },
  { environ: ['CLOISTER_RUN='], tag: undefined },
  { environ: ['CLOISTER_RUN=h1'], tag: undefined },
  { environ: ['CLOISTER_RUN=h1.'], tag: undefined },
  { environ: ['CLOISTER_RUN=.run-1'], tag: undefined },
  { environ: [], tag: undefined },
])('finds the tag in $environ', ({ environ, tag }) => {
  const ended = environ.map((entry) => `${entry}\0`).join('')
  expect([findTag(Buffer.from(ended)), findTag(Buffer.from(environ.join('\0')))]).toEqual([tag, tag])
})
