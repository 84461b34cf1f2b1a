/**
 * Runs the hooks on small disks of their own, full and read-only, and prints what happened as one line of JSON.
 * Needs a mount namespace of its own: `unshare --mount node full-spool.ts <folder>`
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installHooks } from '../../../src/adapters/spool/install.ts'
import { FileMailbox } from '../../../src/adapters/spool/mailbox.ts'
import { openSpool } from '../../../src/adapters/spool/spool.ts'
import { gather } from '../../contract/spool-suite.ts'
import { runHook, type HookEnd } from './hook-runs.ts'

const [folder = ''] = process.argv.slice(2)
const input = 'x'.repeat(400_000)
mkdirSync(folder, { recursive: true })
const report = { bytes: await onBytes(), inodes: await onInodes(), readOnly: await onReadOnly() }
console.log(JSON.stringify(report))

/** Full in the middle of a report; what was there is still read and removed, and then there is room again. */
async function onBytes() {
  const home = mount('bytes', 'size=200k')
  installHooks(home)
  await runHook({ home, args: ['Stop'], input: 'early' })
  writeFileSync(join(home, 'orders/run-1'), 'order')
  const ends: HookEnd[] = [await runHook({ home, args: ['Stop'], input })]
  ends.push(await runHook({ home, program: 'ask-hook', input }))
  fill(home)
  ends.push(await runHook({ home, args: ['Stop'], input: 'x' }))
  const order = await new FileMailbox(home).order('run-1', 'x'.repeat(100_000))
  const drafts = readdirSync(join(home, 'spool/tmp')).length - readdirSync(join(home, 'spool/new')).length
  const spool = await openSpool({ home, homeId: 'h1' })
  const full = spool.problems()
  const bodies = (await gather(spool, 1, (_, { id }) => spool.taken([id])).all).map(({ body }) => body)
  rmSync(join(home, 'ballast'))
  const { all } = gather(spool, 1)
  ends.push(await runHook({ home, args: ['Stop'], input: 'late' }))
  bodies.push(...(await all).map(({ body }) => body))
  await spool.close()
  return { ends, drafts, full, bodies, order: order.detail, orders: readdirSync(join(home, 'orders')) }
}

/** 11 inodes are taken by the home itself, 2 by a report. With 12 there is no place for what announces it. */
async function onInodes() {
  const files: string[][] = []
  const ends: HookEnd[] = []
  for (const inodes of [12, 13]) {
    const home = mount(`inodes-${inodes}`, `size=4m,nr_inodes=${inodes}`)
    installHooks(home)
    for (let n = 0; n < 2; n += 1) ends.push(await runHook({ home, args: ['Stop'], input }))
    files.push(['new', 'tmp'].flatMap((folder) => readdirSync(join(home, 'spool', folder)).map(() => folder)))
  }
  return { ends, files }
}

async function onReadOnly() {
  const home = mount('read-only', 'size=8m')
  installHooks(home)
  await runHook({ home, args: ['Stop'], input: 'early' })
  writeFileSync(join(home, 'orders/run-1'), 'order')
  execFileSync('/bin/mount', ['-o', 'remount,ro', home])
  const ends = [await runHook({ home, args: ['Stop'], input }), await runHook({ home, program: 'ask-hook', input })]
  const spool = await openSpool({ home, homeId: 'h1' })
  const offered: string[] = []
  spool.listen(({ id, body }) => {
    offered.push(body)
    spool.taken([id])
    return true
  })
  // That it is not offered again has no event to wait for.
  for (let n = 0; n < 3; n += 1) {
    await pause(100)
    spool.offer()
  }
  await spool.close()
  return { ends, offered, problems: spool.problems() }
}

function mount(name: string, size: string): string {
  const home = join(folder, name)
  mkdirSync(home)
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `${size},mode=700`, 'tmpfs', home])
  return home
}

function fill(home: string): void {
  const ballast = join(home, 'ballast')
  try {
    for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' })
  } catch {
    // Full: that was the purpose.
  }
}
