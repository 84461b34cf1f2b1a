/**
 * Stops a fleet whose home is on a disk without space, and prints what happened as one line of JSON.
 * Needs a mount namespace of its own: `unshare --mount node full-disk.ts <folder> <homeId>`
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { prepareSentinel } from '../../../src/adapters/process/sentinel.ts'

const [home = '', homeId = ''] = process.argv.slice(2)
execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=8,mode=700', 'tmpfs', home])
await prepareSentinel(home)
const written = fill()

const processes = new ProcessTrees({ home, homeId })
const stop = await processes.stopFleet()
const latched = await processes.sentinel()
await processes.rearm()
const rearmed = !(await processes.sentinel())
rmSync(join(home, 'emergency-stop.ready'))
fill()
const { problems: withoutReady } = await processes.stopFleet()
console.log(JSON.stringify({ written, stop, latched, rearmed, withoutReady }))

/** Until neither a byte nor a name more is to be had. */
function fill(): unknown {
  for (let n = 0; ; n += 1) {
    try {
      writeFileSync(join(home, `ballast-${performance.now()}`), Buffer.alloc(n === 0 ? 100_000 : 0))
    } catch (error) {
      if (n > 0) return (error as NodeJS.ErrnoException).code
    }
  }
}
