/** `pan setup` on files of a user who lives in the temporary folder: what is written, kept, refused and brought back. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hookEntries } from '../../src/adapters/claude-code/user-settings/hook-entries.ts'
import { SLASH_COMMANDS } from '../../src/adapters/claude-code/user-settings/slash-commands.ts'
import { installHooks } from '../../src/adapters/spool/install.ts'
import { runPan, type Ran } from './run-pan.ts'

/** The launcher of this clone. */
const PAN = fileURLToPath(new URL('../../pan', import.meta.url))
const KNOWN = hookEntries('/x', [2, 1, 325])

let root: string
let home: string
let file: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cloister-setup-'))
  home = join(root, 'home')
  mkdirSync(home)
  installHooks(home)
  file = join(root, 'claude/settings.json')
  mkdirSync(join(root, 'claude'))
  client('2.1.325')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A client that can only say its version. */
function client(version: string): void {
  mkdirSync(join(root, 'bin'), { recursive: true })
  writeFileSync(join(root, 'bin/claude'), `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 })
}

function pan(...args: string[]): Promise<Ran> {
  const env = {
    PATH: [join(root, 'bin'), process.env['PATH']].join(delimiter),
    HOME: root,
    CLAUDE_CONFIG_DIR: join(root, 'claude'),
  }
  return runPan(['setup', ...args], { home, env })
}

const USERS = `{
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
    }
}`

const inClaude = () => readdirSync(join(root, 'claude')).toSorted()
const content = () => readFileSync(file, 'utf8')

test('hooks are shown, put in, kept a second time, and taken out byte for byte', async () => {
  writeFileSync(file, USERS, { mode: 0o640 })
  const asked = await pan('hooks')
  expect([asked.code, asked.err]).toEqual([1, 'Nothing was changed. Add --yes to change it so.\n'])
  const shown = asked.out.split('\n')
  expect(shown[0]).toBe(`${file}:`)
  expect(shown.filter((line) => line.startsWith('- '))).toHaveLength(1)
  expect(shown).toContain('+                         "command": "' + `${home}/bin/heartbeat-hook --user SessionStart",`)
  expect([content(), inClaude()]).toEqual([USERS, ['settings.json']])

  const done = await pan('hooks', '--yes')
  expect(done.code).toBe(0)
  const backup = `${file}.cloister-backup`
  const installed = `${KNOWN.length} hooks for Claude Code 2.1.325 in ${file}.`
  expect(done.out.trimEnd().split('\n').at(-1)).toBe(`Installed: ${installed} As it was before: ${backup}`)
  const written = content()
  const { model, hooks } = JSON.parse(written) as { model: string; hooks: Record<string, unknown[]> }
  expect([model, Object.keys(hooks).length, hooks['Stop']?.length]).toEqual(['opus', KNOWN.length, 2])
  expect([readFileSync(backup, 'utf8'), statSync(file).mode & 0o777]).toEqual([USERS, 0o640])

  expect(await pan('hooks', '--yes')).toEqual({ code: 0, out: `Already installed: ${installed}\n`, err: '' })
  expect(content()).toBe(written)

  const removed = await pan('hooks', '--remove', '--yes')
  expect([removed.code, removed.out.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    `Removed: ${file} is byte for byte as it was before.`,
  ])
  expect([content(), inClaude(), statSync(file).mode & 0o777]).toEqual([USERS, ['settings.json'], 0o640])
  expect(await pan('hooks', '--remove')).toEqual({
    code: 0,
    out: `There is nothing of Cloister to remove in ${file}.\n`,
    err: '',
  })
})

test('where there was no file, none is left', async () => {
  rmSync(join(root, 'claude'), { recursive: true })
  expect((await pan('hooks', '--yes')).code).toBe(0)
  expect([inClaude(), statSync(file).mode & 0o777]).toEqual([['settings.json'], 0o600])
  const removed = await pan('hooks', '--remove', '--yes', '--json')
  expect(JSON.parse(removed.out)).toMatchObject({
    file,
    changed: true,
    sentence: `Removed: ${file} is gone, as before.`,
  })
  expect(inClaude()).toEqual([])
})

test('in a file that was changed since, only ours goes', async () => {
  writeFileSync(file, USERS)
  await pan('hooks', '--yes')
  writeFileSync(file, content().replace('"opus"', '"sonnet"'))
  const removed = await pan('hooks', '--remove', '--yes')
  expect(removed.out.trimEnd().split('\n').at(-1)).toBe(
    `Removed: only the entries of Cloister; ${file} was changed since, and the rest of it stays as it is.`,
  )
  expect([content(), inClaude()]).toEqual([
    USERS.replace('"opus"', '"sonnet"'),
    ['settings.json', 'settings.json.cloister-backup'],
  ])
})

test('another version of the client gets what it knows, and the way back stays', async () => {
  writeFileSync(file, USERS)
  client('2.1.114')
  await pan('hooks', '--yes')
  const events = () => Object.keys((JSON.parse(content()) as { hooks: object }).hooks)
  expect(events()).not.toContain('PostToolBatch')
  client('2.1.400')
  await pan('hooks', '--yes')
  expect(events()).toHaveLength(KNOWN.length)
  await pan('hooks', '--remove', '--yes')
  expect(content()).toBe(USERS)
})

test('a link stays a link, and its mode and target stay', async () => {
  const target = join(root, 'dotfiles.json')
  writeFileSync(target, USERS)
  chmodSync(target, 0o644)
  symlinkSync(target, file)
  await pan('hooks', '--yes')
  expect([lstatSync(file).isSymbolicLink(), statSync(target).mode & 0o777]).toEqual([true, 0o644])
  expect(readFileSync(target, 'utf8')).toContain('heartbeat-hook --user Stop')
  await pan('hooks', '--remove', '--yes')
  expect([lstatSync(file).isSymbolicLink(), readFileSync(target, 'utf8')]).toEqual([true, USERS])
})

test.each([
  ['{ // comment\n}', 'it is no JSON: '],
  ['{"hooks": "none"}', '«hooks» in it is not an object.'],
])('a file that cannot be edited is refused: %s', async (text, why) => {
  writeFileSync(file, text)
  for (const flags of [['--yes'], ['--remove', '--yes']]) {
    const { code, out, err } = await pan('hooks', ...flags)
    expect([code, out, err.startsWith(`${file} is left as it is: ${why}`)]).toEqual([1, '', true])
  }
  expect([content(), inClaude()]).toEqual([text, ['settings.json']])
})

test('a folder where the file should be is named as one', async () => {
  mkdirSync(file)
  expect(await pan('hooks', '--yes')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`${file} is a folder, not a file; nothing was changed.`) as string,
  })
})

test('what cannot work is said before anything is written', async () => {
  writeFileSync(join(root, 'bin/claude'), '#!/bin/sh\nexit 1\n')
  expect(await pan('hooks', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Claude Code is not on your PATH, .* Install it with /),
  })
  client('1.0.20')
  expect(await pan('hooks', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/1\.0\.20 is too old: it has no hooks/),
  })
  rmSync(join(home, 'bin/heartbeat-hook'))
  expect(await pan('hooks', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is missing\. Run `pan up`/),
  })
  expect(existsSync(file)).toBe(false)
})

test('with JSON the plan is data, and nothing is written without --yes', async () => {
  writeFileSync(file, USERS)
  const { code, out } = await pan('hooks', '--json')
  expect([code, JSON.parse(out), content()]).toEqual([
    1,
    { file, changed: false, diff: expect.any(Array), sentence: 'Nothing was changed. Add --yes to change it so.' },
    USERS,
  ])
})

test('hooks that are switched off are told', async () => {
  writeFileSync(file, '{"disableAllHooks": true}')
  expect((await pan('hooks', '--yes')).out).toContain('Mind: «disableAllHooks» is true in it, so that no hook runs.\n')
})

test('commands are shown, put in, kept, and taken away; what is not ours is left alone', async () => {
  const folder = join(root, 'claude/commands')
  const [issue, tell] = [join(folder, 'work-issue.md'), join(folder, 'work-tell.md')]
  const asked = await pan('commands')
  expect([asked.code, asked.err]).toEqual([1, 'Nothing was changed. Add --yes to change it so.\n'])
  expect(asked.out.split('\n').slice(0, 2)).toEqual([`${issue}:`, '+ ---'])
  expect(asked.out).toContain(`+     ${PAN} work tell <id> -- '<message>'\n`)
  expect(existsSync(folder)).toBe(false)
  const put = await pan('commands', '--yes')
  expect([put.code, put.err]).toEqual([0, ''])
  expect(put.out).toContain(`Installed: /work-issue in ${issue}\nInstalled: /work-tell in ${tell}\n`)
  expect(readFileSync(issue, 'utf8')).toContain(`\n    ${PAN} work issue <id> --title '<title>'\n`)
  expect(readFileSync(issue, 'utf8')).toContain(`\nallowed-tools: Bash(${PAN} work issue:*)\n`)
  expect(await pan('commands')).toEqual({
    code: 0,
    out: `Already installed: ${issue}\nAlready installed: ${tell}\n`,
    err: '',
  })
  writeFileSync(tell, 'my own')
  const alone = `${tell} is left alone: it is not what Cloister installs, or it was changed.`
  expect(await pan('commands')).toMatchObject({ code: 1, err: `${alone} Move it away, then try again.\n` })
  const removed = await pan('commands', '--remove', '--yes')
  expect([removed.code, removed.err]).toEqual([1, `${alone} Remove it by hand if you want it gone.\n`])
  expect(removed.out).toContain(`Removed: ${issue}\n`)
  expect([existsSync(issue), readFileSync(tell, 'utf8')]).toEqual([false, 'my own'])
  rmSync(tell)
  await pan('commands', '--yes')
  const told = await pan('commands', '--remove', '--json')
  expect([told.code, existsSync(issue)]).toEqual([1, true])
  expect(JSON.parse(told.out)).toMatchObject({
    changed: false,
    sentence: 'Nothing was changed. Add --yes to change it so.',
  })
  expect((await pan('commands', '--remove', '--yes', '--json')).code).toBe(0)
  expect(existsSync(folder)).toBe(false)
})

test('commands of another launcher, or of none, are brought up to date', async () => {
  const folder = join(root, 'claude/commands')
  mkdirSync(folder)
  for (const program of ['pan', '/opt/my tools/pan']) {
    for (const { file: name, textFor } of SLASH_COMMANDS) writeFileSync(join(folder, name), textFor(program))
    expect(readFileSync(join(folder, 'work-tell.md'), 'utf8')).not.toContain(PAN)
    expect(await pan('commands', '--yes')).toMatchObject({ code: 0, err: '' })
    for (const { file: name, textFor } of SLASH_COMMANDS)
      expect(readFileSync(join(folder, name), 'utf8')).toBe(textFor(PAN))
  }
  const text = SLASH_COMMANDS[0]?.textFor('/opt/my tools/pan')
  expect(text).toContain("\n    '/opt/my tools/pan' work issue <id>")
})
