/**
 * Makes homes on a disk of its own, makes that read-only, and prints what lock and journal then say, as one line
 * of JSON. Needs a mount namespace of its own: `unshare --mount node read-only-disk.ts <folder>`
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { acquireLock } from '../../src/adapters/sqlite/lock.ts'

const [disk = ''] = process.argv.slice(2)
const mount = (...options: string[]) => execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', ...options, 'tmpfs', disk])
const home = (name: string) => join(disk, name)

mkdirSync(disk)
mount('size=4m,mode=700')
mkdirSync(home('new'), { mode: 0o700 })
mkdirSync(home('wide'), { mode: 0o755 })
acquireLock(home('used'), 0).release()
await (await openJournal({ home: home('used') })).close()
mount('remount,ro')

const said: Record<string, unknown> = {}
for (const name of ['new', 'used', 'wide']) {
  said[name] = {
    lock: await refusalOf(() => acquireLock(home(name), 1)),
    journal: await refusalOf(() => openJournal({ home: home(name) })),
  }
}
console.log(JSON.stringify(said))

async function refusalOf(deed: () => unknown): Promise<string> {
  try {
    await deed()
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}
