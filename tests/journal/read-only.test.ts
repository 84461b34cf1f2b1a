import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { acquireLock } from '../../src/adapters/sqlite/lock.ts'
import { installed, run } from './victim-runs.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-read-only-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const remedy = (home: string) =>
  `Check that you may write in ${home} and that its disk is not read-only, then start the daemon again.`

test('a lock that cannot be opened is refused with the file, the reason and what to do', () => {
  const home = makeFolder()
  const path = join(home, 'daemon.lock.db')
  mkdirSync(path)
  expect(() => acquireLock(home, 1)).toThrow(
    new Error(`Could not lock ${path}: unable to open database file. ${remedy(home)}`),
  )
})

test('a lock whose note cannot be written is given back', () => {
  const home = makeFolder()
  const note = join(home, 'daemon.lock.json')
  mkdirSync(`${note}.new`)
  expect(() => acquireLock(home, 1)).toThrow(/^Could not lock \S+\.json: EISDIR.* Remove what is in its place and/)
  rmSync(`${note}.new`, { recursive: true })
  acquireLock(home, 1).release()
})

test('a read-only disk: lock and journal name the file, the reason and what to do', async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can mount a read-only disk for this test')
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshared = await run(['unshare', '--mount', 'true'])
  ctx.skip(unshared.code !== 0, `a mount namespace is not allowed here: ${unshared.stderr}`)

  const disk = join(makeFolder(), 'disk')
  const script = join(import.meta.dirname, 'read-only-disk.ts')
  const { lines, stderr, code } = await run(['unshare', '--mount', process.execPath, script, disk])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [fresh, used, wide] = ['new', 'used', 'wide'].map((name) => join(disk, name)) as [string, string, string]
  const isReadOnly = (deed: string, path: string) => `EROFS: read-only file system, ${deed} '${path}'. `
  const notHome = `Cannot use ${wide} as home: ${isReadOnly('chmod', wide)}${remedy(wide)}`
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    new: {
      lock: `Could not lock ${fresh}/daemon.lock.db: unable to open database file. ${remedy(fresh)}`,
      journal:
        `Could not create the journal ${fresh}/cloister.db: ` +
        `${isReadOnly('open', `${fresh}/cloister.db.new`)}${remedy(fresh)}`,
    },
    used: {
      lock: `Could not lock ${used}/daemon.lock.db: ${isReadOnly('chmod', `${used}/daemon.lock.db`)}${remedy(used)}`,
      journal:
        `Could not open the journal ${used}/cloister.db: ` +
        `${isReadOnly('chmod', `${used}/cloister.db`)}${remedy(used)}`,
    },
    wide: { lock: notHome, journal: notHome },
  })
})
