/** `pan config` as people run it: the offline program as a process of its own, in a home of its own. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMPILE_CACHE, built } from '../programs.ts'

const PROGRAM = built('daemon/offline/config')

let home = ''
let file = ''
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'cloister-pan-config-')), 'home')
  file = join(home, 'cloister.yaml')
})
afterEach(() => rmSync(dirname(home), { recursive: true, force: true }))

function pan(args: readonly string[], env: Record<string, string> = {}) {
  const result = spawnSync(process.execPath, [PROGRAM, ...args], {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'] ?? '', HOME: dirname(home), PANOPTICON_HOME: home, ...env },
    encoding: 'utf8',
  })
  return { code: result.status, out: result.stdout, err: result.stderr }
}

function write(text: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(file, text)
}

/** A program that changes the file it is given, in the place of an editor. */
function editor(script: string): string {
  const program = join(dirname(home), 'my editor')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  return `"${program}" --wait`
}

test('without a file everything can be read and nothing is made', () => {
  expect(pan(['path'])).toEqual({ code: 0, out: `${file}\n`, err: '' })
  expect(pan(['path'], { CLOISTER_CONFIG: '~/other.yaml' })).toEqual({
    code: 0,
    out: `${dirname(home)}/other.yaml\n`,
    err: '',
  })
  expect(pan(['get', 'thresholds.stuck'])).toEqual({ code: 0, out: '30\n', err: '' })
  expect(pan(['get']).out).toContain('thresholds:\n  stale: 5\n  warning: 15\n  stuck: 30\n')
  expect(pan(['validate'])).toEqual({ code: 0, out: `${file}: there is no such file; all defaults count\n`, err: '' })
  expect(existsSync(home)).toBe(false)
})

test.each([
  ['thresholds.stuck', '', {}, { value: 30, source: 'default' }],
  ['thresholds.stuck', 'thresholds: {stuck: 40}', {}, { value: 40, source: 'file' }],
  ['thresholds.stuck', 'thresholds: {stuck_minutes: 40}', {}, { value: 40, source: 'file' }],
  ['thresholds.stuck', 'thresholds: {stuck: 40}', { CLOISTER_STUCK_THRESHOLD: '50' }, { value: 50, source: 'env' }],
])('get %s --json of %j with %j', (key, text, env, found) => {
  write(text)
  const { code, out } = pan(['get', key, '--json'], env)
  expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: { key, inEffect: true, ...found } })
})

test('get of a group tells the source of each key', () => {
  write('thresholds: {stuck: 40}')
  expect(JSON.parse(pan(['get', 'thresholds', '--json']).out)).toEqual({
    key: 'thresholds',
    value: { stale: 5, warning: 15, stuck: 40 },
    sources: { 'thresholds.stale': 'default', 'thresholds.warning': 'default', 'thresholds.stuck': 'file' },
  })
})

test('set makes the file, changes it, and keeps what is there', () => {
  expect(pan(['set', 'thresholds.stuck', '45'])).toEqual({
    code: 0,
    out: `thresholds.stuck: 30 → 45 in ${file}\n`,
    err: '',
  })
  expect([statSync(home).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  const made = readFileSync(file, 'utf8')
  expect(made).toMatch(/^# Cloister settings\.[^]*\nthresholds:\n {2}stuck: 45\n$/)
  write(`${made}runs: {max_runs:   3} # mine\n`)
  expect(pan(['set', 'thresholds.stale_minutes', '6']).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(`${made}  stale: 6\nruns: {max_runs:   3} # mine\n`)
})

test('set says when a key does nothing yet, is overridden, or stands elsewhere', () => {
  write('runtimes: {specialists: {test-agent: {auto_wake: true}}}\n')
  expect(pan(['set', 'specialists.test-agent.auto_wake', 'false']).out).toBe(
    `specialists.test-agent.auto_wake: true → false in ${file}\n` +
      'It is written as runtimes.specialists.test-agent.auto_wake, where the file has it.\n',
  )
  expect(pan(['set', 'runs.max_runs', '3']).out).toContain(
    'It is kept, but not yet in effect: nothing acts on it in this version.\n',
  )
  expect(pan(['set', 'thresholds.stuck', '45'], { CLOISTER_STUCK_THRESHOLD: '60' }).out).toContain(
    'CLOISTER_STUCK_THRESHOLD is set here and overrides it.',
  )
})

test.each(['600', '640', '644'])('set keeps the mode %s of a file that is there', (mode) => {
  write('thresholds: {stuck: 40}\n')
  chmodSync(file, Number.parseInt(mode, 8))
  expect(pan(['set', 'thresholds.stuck', '45']).code).toBe(0)
  const found = (statSync(file).mode & 0o777).toString(8)
  expect([found, readFileSync(file, 'utf8')]).toEqual([mode, 'thresholds: {stuck: 45}\n'])
})

test('set on a file that has problems already says so, and does not blame the new value', () => {
  const text = 'zebra: 1\nthresholds: {stale: soon}\n'
  write(text)
  const already =
    `${file} has problems already:\n` +
    `${file}:1:1  zebra  unknown key\n` +
    `${file}:2:21  thresholds.stale  expected a number, got "soon"\n`
  const mend = 'Nothing was changed. Mend the file with `pan config edit`, then set the key again.\n'
  expect(pan(['set', 'runs.max_runs', '3'])).toEqual({ code: 1, out: '', err: already + mend })
  expect(pan(['set', 'runs.max_runs', 'many'])).toEqual({
    code: 1,
    out: '',
    err: `${already}The new value would add:\n${file}:4:13  runs.max_runs  expected a number, got "many"\n${mend}`,
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
  write('thresholds: {stale: soon}\n')
  expect(pan(['set', 'thresholds.stale', '6']).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('thresholds: {stale: 6}\n')
})

test('set --json', () => {
  expect(JSON.parse(pan(['set', '--json', 'monitoring.heartbeat_sources', '[git_activity]']).out)).toEqual({
    file,
    key: 'monitoring.heartbeat_sources',
    place: 'monitoring.heartbeat_sources',
    before: ['jsonl_mtime', 'tmux_activity', 'git_activity'],
    after: ['git_activity'],
    inEffect: true,
  })
})

test.each([
  ['', ['set', 'thresholds.stuck', '10'], 1, 'would not be valid'],
  ['', ['set', '--', 'thresholds.stuck', '-5'], 1, 'expected more than 0, got -5'],
  ['a: [', ['set', 'thresholds.stuck', '40'], 1, 'the file is not valid YAML'],
  ['zebra: 1', ['set', 'thresholds.stuck', '40'], 1, 'zebra  unknown key'],
  ['', ['set', 'threshold.stuck', '40'], 2, 'There is no key «threshold.stuck» (did you mean thresholds.stuck?).'],
  ['', ['set', 'stuck', '40'], 2, 'There is no key «stuck» (did you mean thresholds.stuck?).'],
  ['', ['set', 'thresholds.stuck', '[1'], 2, 'The value is not valid YAML'],
  ['', ['set', 'thresholds.stuck'], 2, 'set takes 2 arguments, got 1.'],
  ['', ['get', 'zebra'], 2, 'There is no key «zebra».'],
  ['', ['get', 'runtimes.model_routing.x'], 1, 'runtimes.model_routing.x is not set.'],
  ['zebra: 1', ['get'], 1, ':1:1  zebra  unknown key'],
  ['', ['get', '--from=x'], 2, 'get takes no --from.'],
  ['', ['get', '--nonsense'], 2, '--nonsense'],
  ['', ['frobnicate'], 2, 'There is no action «frobnicate».'],
  ['', ['edit'], 2, 'Set VISUAL or EDITOR'],
])('with %j, %j exits %i', (text, args, code, sentence) => {
  write(text)
  const result = pan(args)
  expect(result).toEqual({ code, out: '', err: expect.stringContaining(sentence) as string })
  expect([readFileSync(file, 'utf8'), readdirSync(home)]).toEqual([text, ['cloister.yaml']])
})

test('a file that cannot be written is left, and said so', () => {
  mkdirSync(dirname(home), { recursive: true })
  writeFileSync(home, 'a file where the folder should be')
  const result = pan(['set', 'thresholds.stuck', '45'])
  expect(result).toEqual({ code: 1, out: '', err: expect.stringContaining(file) as string })
})

test('validate tells every problem with its place, and exits 1', () => {
  write('thresholds:\n  stael: 5\nstartup:\n  auto_start: yes\n')
  expect(pan(['validate'])).toEqual({
    code: 1,
    out:
      `${file}:2:3  thresholds.stael  unknown key (did you mean stale?)\n` +
      `${file}:4:15  startup.auto_start  expected true or false, got "yes" (did you mean true?)\n`,
    err: '',
  })
  expect(JSON.parse(pan(['validate', '--json']).out)).toMatchObject({
    file,
    valid: false,
    problems: [
      { line: 2, column: 3, key: 'thresholds.stael', suggestion: 'stale' },
      { line: 4, column: 15 },
    ],
  })
})

test('validate names the keys that do nothing yet, and exits 0', () => {
  write('thresholds: {stuck: 40}\nruns: {max_runs: 3}\nruntimes: {specialists: {test-agent: {auto_wake: true}}}\n')
  expect(pan(['validate'])).toEqual({
    code: 0,
    out:
      'Not yet in effect (kept, but nothing acts on them in this version):\n' +
      `  runs.max_runs\n${file}: no problems\n`,
    err: '',
  })
})

test('a key that a variable sets and that is in effect is not among those that do nothing yet', () => {
  write('thresholds: {stuck: 40}\n')
  const env = { CLOISTER_AUTO_KILL: '1', CLOISTER_STUCK_THRESHOLD: '50' }
  expect(pan(['validate'], env)).toEqual({ code: 0, out: `${file}: no problems\n`, err: '' })
  write('auto_actions: {kill_on_stuck: false}\nruns: {max_runs: 3}\n')
  expect(JSON.parse(pan(['validate', '--json'], env).out)).toEqual({
    file,
    valid: true,
    cautions: [],
    problems: [],
    environment: [],
    notInEffect: ['runs.max_runs'],
    overridden: [],
  })
  write('runs: {max_runs: 3}\n')
  expect(JSON.parse(pan(['validate', '--json', file], env).out)).toMatchObject({ notInEffect: ['runs.max_runs'] })
})

test('what is unknown is a problem and not a key that does nothing yet', () => {
  write('zebra: 1\nthresholds: 5\nruns: {max_runs: 3, stripes: 2}\nruntimes: {model_routing: {__proto__: x}}\n')
  const { problems, notInEffect } = JSON.parse(pan(['validate', '--json']).out) as Record<string, { key: string }[]>
  expect({ keys: problems?.map(({ key }) => key), notInEffect }).toEqual({
    keys: ['zebra', 'thresholds', 'runs.stripes', 'runtimes.model_routing.__proto__'],
    notInEffect: ['runs.max_runs'],
  })
})

test('validate also checks the variables, but not for another file', () => {
  write('')
  const other = join(home, 'other.yaml')
  writeFileSync(other, 'runs: {}\n')
  const env = { CLOISTER_AUTO_KILL: 'perhaps' }
  expect(pan(['validate'], env)).toMatchObject({
    code: 1,
    out: 'CLOISTER_AUTO_KILL=perhaps is not used: expected true or false\n',
  })
  expect(pan(['validate', other], env)).toMatchObject({ code: 0, out: `${other}: no problems\n` })
  expect(pan(['validate', join(home, 'none.yaml')])).toMatchObject({
    code: 1,
    out: `${home}/none.yaml:1:1  does not exist\n`,
  })
})

test('edit takes a valid text over', () => {
  write('thresholds: {stuck: 40}\n')
  const EDITOR = editor('sed -i s/40/50/ "$2"')
  expect(pan(['edit'], { EDITOR })).toEqual({ code: 0, out: `Written to ${file}.\n`, err: '' })
  expect([readFileSync(file, 'utf8'), readdirSync(home)]).toEqual(['thresholds: {stuck: 50}\n', ['cloister.yaml']])
})

test('edit begins a new file with a comment', () => {
  expect(pan(['edit'], { VISUAL: editor('echo "runs: {max_runs: 2}" >>"$2"'), EDITOR: 'false' }).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/^# Cloister settings\.[^]*\nruns: \{max_runs: 2\}\n$/)
})

test('edit without a change leaves nothing behind', () => {
  write('runs: {}\n')
  expect(pan(['edit'], { EDITOR: 'true' })).toEqual({ code: 0, out: 'No change.\n', err: '' })
  expect(readdirSync(home)).toEqual(['cloister.yaml'])
})

test('edit keeps an invalid text and goes on with it', () => {
  write('thresholds: {stuck: 40}\n')
  const { code, err } = pan(['edit'], { EDITOR: editor('sed -i s/40/soon/ "$2"') })
  const copy = readdirSync(home).find((name) => name.startsWith('cloister.edit-')) ?? ''
  expect({ code, err }).toEqual({
    code: 1,
    err:
      `${home}/${copy}:1:21  thresholds.stuck  expected a number, got "soon"\n` +
      'Nothing was changed: the edited text is not valid.\n' +
      `Your edit is kept in ${home}/${copy}\nGo on with it: pan config edit --from ${home}/${copy}\n`,
  })
  expect([readFileSync(file, 'utf8'), readFileSync(join(home, copy), 'utf8')]).toEqual([
    'thresholds: {stuck: 40}\n',
    'thresholds: {stuck: soon}\n',
  ])
  expect(pan(['edit', '--from', join(home, copy)], { EDITOR: editor('sed -i s/soon/60/ "$2"') }).code).toBe(0)
  expect([readFileSync(file, 'utf8'), readdirSync(home)]).toEqual(['thresholds: {stuck: 60}\n', ['cloister.yaml']])
})

test.each([
  ['sed -i s/40/50/ "$2"; exit 3', 'ended with code 3'],
  ['sed -i s/40/50/ "$2"; echo "runs: {}" >>"$PANOPTICON_HOME/cloister.yaml"', 'was changed by somebody else'],
])('edit with %j loses no text', (script, why) => {
  write('thresholds: {stuck: 40}\n')
  const { code, err } = pan(['edit'], { EDITOR: editor(script) })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(why) as string })
  const copy = readdirSync(home).find((name) => name.startsWith('cloister.edit-')) ?? ''
  expect(readFileSync(join(home, copy), 'utf8')).toBe('thresholds: {stuck: 50}\n')
  expect(readFileSync(file, 'utf8')).toContain('stuck: 40')
})

test('edit with an editor that is not there says so', () => {
  write('runs: {}\n')
  expect(pan(['edit'], { EDITOR: 'no-such-editor' })).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining('no-such-editor could not be started') as string,
  })
  expect(readdirSync(home)).toEqual(['cloister.yaml'])
})
