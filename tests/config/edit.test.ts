/** Changing one key: every other byte stays, and the file is replaced whole or not at all. */
import { chmod, lstat, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commentsOf, editText } from '../../src/adapters/config-file/edit-text.ts'
import { loadSettings } from '../../src/adapters/config-file/load-settings.ts'
import { configFile } from '../../src/adapters/config-file/location.ts'
import { readConfigFile } from '../../src/adapters/config-file/read-file.ts'
import { removeText } from '../../src/adapters/config-file/remove-text.ts'
import { replaceFile } from '../../src/adapters/config-file/write-file.ts'

test.each<[string, string, unknown, string]>([
  ['', 'thresholds.stale', 3, 'thresholds:\n  stale: 3\n'],
  ['# a\n# b', 'thresholds.stale', 3, '# a\n# b\nthresholds:\n  stale: 3\n'],
  ['thresholds:\n    stale:   5      # yellow\n', 'thresholds.stale', 8, 'thresholds:\n    stale:   8      # yellow\n'],
  [
    'thresholds:   # hi\n  # stale: 5\nstartup: {auto_start: true}   # yes\n',
    'thresholds.stale',
    3,
    'thresholds:   # hi\n  stale: 3\n  # stale: 5\nstartup: {auto_start: true}   # yes\n',
  ],
  [
    'thresholds:\r\n    stale:   5  # yellow\r\n    # end\r\n\r\n# next\r\nruns: {}\r\n',
    'thresholds.warning',
    8,
    'thresholds:\r\n    stale:   5  # yellow\r\n    warning: 8\r\n    # end\r\n\r\n# next\r\nruns: {}\r\n',
  ],
  ['startup: {auto_start: true}   # yes', 'startup.auto_start', false, 'startup: {auto_start: false}   # yes'],
  ['startup: {}   # yes\n', 'startup.auto_start', false, 'startup: { auto_start: false } # yes\n'],
  [
    'monitoring:\n  heartbeat_sources:  # which\n    - jsonl_mtime\n# tail\n',
    'monitoring.check_interval',
    7,
    'monitoring:\n  heartbeat_sources:  # which\n    - jsonl_mtime\n  check_interval: 7\n# tail\n',
  ],
  [
    'runs:   {max_runs:   3}\nmonitoring:\n  heartbeat_sources:\n    - jsonl_mtime\n    - git_activity\n  check_interval: 5 # five\n',
    'monitoring.heartbeat_sources',
    ['git_activity'],
    'runs:   {max_runs:   3}\nmonitoring:\n  heartbeat_sources: [ git_activity ]\n  check_interval: 5 # five\n',
  ],
  [
    'monitoring:\n  heartbeat_sources: # which\n    - jsonl_mtime # one\n',
    'monitoring.heartbeat_sources',
    ['git_activity'],
    'monitoring:\n  # which\n  # one\n  heartbeat_sources:\n    - git_activity\n',
  ],
  ['\uFEFFthresholds:\n  stale: 4', 'thresholds.stale', 7, '\uFEFFthresholds:\n  stale: 7'],
  ['notifications:\n  email: # none\n', 'notifications.email', 'a@b.c', 'notifications:\n  # none\n  email: a@b.c\n'],
  ['notifications:\n  email:\n', 'notifications.email', 'a #b: c', 'notifications:\n  email: "a #b: c"\n'],
  [
    'notifications:\n  email: |\n    x\nruns: {}\n',
    'notifications.email',
    'a\nb',
    'notifications:\n  email: "a\\nb"\nruns: {}\n',
  ],
  ['{thresholds: {stale: 1}}\n', 'thresholds.stale', 4, '{thresholds: {stale: 4}}\n'],
  ['---\nthresholds:\n  stale: 4\n...\n', 'thresholds.warning', 9, '---\nthresholds:\n  stale: 4\n  warning: 9\n...\n'],
  [
    'runs:\n  max_runs: &n 4 # n\nthresholds:\n  stale: *n # s\n',
    'thresholds.stale',
    7,
    'runs:\n  max_runs: &n 4 # n\nthresholds:\n  stale: 7 # s\n',
  ],
])('%j with %s = %j', (before, key, value, text) => {
  expect(editText(before, key.split('.'), value)).toEqual({ text })
  expect(commentsOf(text)).toEqual(commentsOf(before))
})

test.each([
  [
    'thresholds: &t {stale: 1}\nruns: *t\n',
    'runs.stale',
    'runs.stale cannot be set without changing other lines; use `pan config edit`',
  ],
  [
    'thresholds:\n  stale: &t 5\n  warning: *t\n',
    'thresholds.stale',
    'thresholds.stale cannot be set without changing other lines; use `pan config edit`',
  ],
  ['thresholds: 5\n', 'thresholds.stale', 'thresholds.stale cannot be set: a single value or a list stands in its way'],
  ['a: [\n', 'thresholds.stale', 'the file is not valid YAML; mend it with `pan config edit`'],
  ['runs: {}\nruns: {}\n', 'thresholds.stale', 'the file is not valid YAML; mend it with `pan config edit`'],
])('%j refuses %s', (before, key, refused) => {
  expect(editText(before, key.split('.'), 7)).toEqual({ refused })
})

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloister-config-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a new file gets its folder and is private', async () => {
  const file = join(folder, 'a/b/cloister.yaml')
  expect(await replaceFile({ file, text: 'x', before: undefined })).toBeUndefined()
  expect([(await stat(join(folder, 'a/b'))).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
})

test.each([true, false])('a link stays a link (its target exists: %s)', async (exists) => {
  const [file, target] = [join(folder, 'cloister.yaml'), join(folder, 'dotfiles.yaml')]
  if (exists) await writeFile(target, 'old')
  await symlink('dotfiles.yaml', file)
  expect(await replaceFile({ file, text: 'new', before: exists ? 'old' : undefined })).toBeUndefined()
  expect([(await lstat(file)).isSymbolicLink(), await readlink(file), await readFile(target, 'utf8')]).toEqual([
    true,
    'dotfiles.yaml',
    'new',
  ])
})

test.each([
  ['theirs', 'mine'],
  ['theirs', undefined],
])('a file that holds %s is not replaced by an edit of %s', async (holds, before) => {
  const file = join(folder, 'cloister.yaml')
  await writeFile(file, holds)
  expect(await replaceFile({ file, text: 'new', before })).toBe(
    `${file} was changed by somebody else in the meantime and is left as it is`,
  )
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual([holds, ['cloister.yaml']])
})

test('a failed write leaves the file and no litter', async () => {
  const file = join(folder, 'cloister.yaml')
  await writeFile(join(folder, 'folder'), '')
  await expect(replaceFile({ file: join(folder, 'folder', 'x.yaml'), text: '', before: undefined })).rejects.toThrow()
  await writeFile(file, 'old')
  await expect(replaceFile({ file: folder, text: '', before: undefined })).rejects.toThrow()
  expect((await readdir(folder)).toSorted()).toEqual(['cloister.yaml', 'folder'])
})

test('what cannot be read is a problem, not an exception', async () => {
  const [large, binary] = [join(folder, 'large'), join(folder, 'binary')]
  await writeFile(large, '#'.repeat(1_000_001))
  await writeFile(binary, Buffer.from([0x61, 0xff, 0xfe]))
  const told = await Promise.all(
    [folder, large, binary, join(binary, 'x'), '/dev/null'].map((file) => readConfigFile(file)),
  )
  expect(told.map(({ config, problems }) => [config, problems[0]?.sentence.replace(/: .*/, '')])).toEqual([
    [undefined, 'is not a file'],
    [undefined, 'is 1000001 bytes long, more than the 1000000 that are read'],
    [undefined, 'is not UTF-8 text'],
    [undefined, 'cannot be read'],
    [undefined, 'is not a file'],
  ])
})

test('a bad file gives no settings, so that the last good ones stay', async () => {
  const file = join(folder, 'cloister.yaml')
  const env = { PANOPTICON_HOME: folder, CLOISTER_STUCK_THRESHOLD: '1' }
  expect(await loadSettings(env)).toMatchObject({
    file,
    settings: { thresholds: { stuckMs: 1_800_000 } },
    problems: [expect.stringContaining('CLOISTER_STUCK_THRESHOLD=1')],
  })
  await writeFile(file, 'thresholds: {stale: x}\n')
  expect(await loadSettings(env)).toEqual({
    file,
    problems: [`${file}:1:21  thresholds.stale  expected a number, got "x"`],
  })
  await chmod(file, 0o600)
})

test.each([
  [{ HOME: '/h' }, '/h/.panopticon/cloister.yaml'],
  [{ HOME: '/h', PANOPTICON_HOME: '/p' }, '/p/cloister.yaml'],
  [{ HOME: '/h', PANOPTICON_HOME: '~/p' }, '/h/p/cloister.yaml'],
  [{ HOME: '/h', PANOPTICON_HOME: '/p', CLOISTER_CONFIG: '~/c.yaml' }, '/h/c.yaml'],
  [{ HOME: '/h', CLOISTER_CONFIG: '' }, '/h/.panopticon/cloister.yaml'],
])('%j is at %s', (env, path) => {
  expect(configFile(env)).toBe(path)
})

test.each<[string, string, string]>([
  ['thresholds:\n  stale: 5\n', 'thresholds.stale', 'thresholds:\n'],
  ['thresholds:\n  stale: 5 # yellow\n  stuck: 40\n', 'thresholds.stale', 'thresholds:\n  # yellow\n  stuck: 40\n'],
  ['# a\nthresholds:\n  # b\n  stale: 5\n  # c\n', 'thresholds.stale', '# a\nthresholds:\n  # b\n  # c\n'],
  ['thresholds:\n  stale: 5', 'thresholds.stale', 'thresholds:\n'],
  ['startup:\r\n  auto_start: false # x\r\nruns: {}\r\n', 'startup.auto_start', 'startup:\r\n  # x\r\nruns: {}\r\n'],
  [
    'monitoring:\n  heartbeat_sources:\n    - jsonl_mtime\n    - git_activity\n  check_interval: 5\n',
    'monitoring.heartbeat_sources',
    'monitoring:\n  check_interval: 5\n',
  ],
  ['\uFEFFthresholds:\n  stale: 4\n', 'thresholds.stale', '\uFEFFthresholds:\n'],
  ['runs: {}\n', 'runs', ''],
  ['thresholds:\n  stale: 5\n', 'thresholds.stuck', 'thresholds:\n  stale: 5\n'],
])('%j without %s', (text, key, after) => {
  expect(removeText(text, key.split('.'))).toEqual({ text: after })
})

test.each([
  ['startup: {auto_start: true}\n', 'startup.auto_start', 'cannot be taken out without changing other lines'],
  ['monitoring:\n  heartbeat_sources:\n    # which\n    - jsonl_mtime\n', 'monitoring.heartbeat_sources', 'cannot be'],
  ['a: [\n', 'a', 'is not valid YAML'],
])('%j keeps %s', (text, key, why) => {
  expect(removeText(text, key.split('.'))).toEqual({ refused: expect.stringContaining(why) as string })
})
