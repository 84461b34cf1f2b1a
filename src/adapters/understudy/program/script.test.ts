import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toScript, toStep, type Step } from './script.ts'

const bash = (command: string) => ({ tool: 'Bash', input: { command } })

const steps: [string, Step][] = [
  ['work', { do: 'work', ms: 10_000 }],
  ['work: 30s', { do: 'work', ms: 30_000 }],
  ['think: 500ms', { do: 'think', ms: 500 }],
  ['say: hello', { do: 'say', text: 'hello' }],
  ['tool', { do: 'tool', call: bash('npm test'), ms: 5000, cpu: false, fails: false }],
  [
    'tool: {name: WebFetch, url: x, takes: 2m, cpu: true, fails: true}',
    { do: 'tool', call: { tool: 'WebFetch', input: { url: 'x' } }, ms: 120_000, cpu: true, fails: true },
  ],
  ['permission: rm -rf build', { do: 'permission', call: bash('rm -rf build') }],
  ['question: Shall I?', { do: 'question', text: 'Shall I?', options: ['yes', 'no'] }],
  ['question: {text: Which?, options: [A, 2]}', { do: 'question', text: 'Which?', options: ['A', '2'] }],
  ['limit: {for: 60s}', { do: 'limit', ms: 60_000, resumes: false }],
  ['fail: authentication_failed', { do: 'fail', error: 'authentication_failed' }],
  ['hang', { do: 'hang', hard: false }],
  ['hang: hard', { do: 'hang', hard: true }],
  ['crash: 3', { do: 'crash', code: 3 }],
  ['edit: {file: a.txt, text: b}', { do: 'edit', file: 'a.txt', text: 'b' }],
  ['commit: a message', { do: 'commit', message: 'a message' }],
  ['loop: {call: make, times: forever, every: 1s}', { do: 'loop', call: bash('make'), times: Infinity, ms: 1000 }],
  ['orphan: nohup', { do: 'orphan', how: 'nohup', ms: 600_000 }],
  ['ignore: [SIGTERM, SIGHUP]', { do: 'ignore', signals: ['SIGTERM', 'SIGHUP'] }],
  ['context: 0.86', { do: 'context', share: 0.86 }],
  ['compact', { do: 'compact' }],
  ['stop', { do: 'stop', background: 0, ms: 10_000 }],
  ['stop: {background: 2, for: 1h}', { do: 'stop', background: 2, ms: 3_600_000 }],
  ['repeat: {times: 3, steps: [hang]}', { do: 'repeat', times: 3, steps: [{ do: 'hang', hard: false }] }],
]

test.each(steps)('reads %s', (yaml, step) => {
  expect(toStep(parse(yaml), 'it')).toEqual(step)
})

test.each([
  ['dance', 'it is «dance», which is no step. Steps are: work'],
  ['constructor', 'it is «constructor», which is no step'],
  ['work: soon', 'it (work): «soon» is no duration'],
  ['{work: 1s, hang: hard}', 'it must be one step'],
  ['[work]', 'it must be keys with values'],
  ['context: 3', 'it (context) needs a share between 0 and 1'],
  ['crash: 900', 'it (crash) needs a whole number from 0 to 255'],
  ['orphan: zombie', 'it (orphan) must be one of setsid, nohup'],
  ['ignore: SIGKILL', 'it (ignore) must be one of SIGTERM'],
  ['repeat: {steps: [work, dance]}', 'step 2 of it (repeat) is «dance»'],
])('refuses %s', (yaml, why) => {
  expect(() => toStep(parse(yaml), 'it')).toThrow(why)
})

test('a script has a name, a sentence, a way with messages, and steps', () => {
  const yaml = 'name: a\nabout: b\non_message: next\nrepeat: 2\nsteps: [hang]'
  const hang: Step = { do: 'hang', hard: false }
  expect(toScript(parse(yaml))).toEqual({
    name: 'a',
    about: 'b',
    onMessage: 'next',
    onHandoff: 'obey',
    steps: [{ do: 'repeat', times: 2, steps: [hang] }],
  })
  expect(() => toScript(parse(`${yaml}\nmood: bad`))).toThrow('a script has no key «mood»')
  expect(() => toScript(null)).toThrow('a script must be keys with values')
})

const folder = join(import.meta.dirname, '../scripts')

test.each(globSync('*.yaml', { cwd: folder }))('%s can be played and is named like its file', (file) => {
  const script = toScript(parse(readFileSync(join(folder, file), 'utf8')))
  expect(script.name).toBe(basename(file, '.yaml'))
})
