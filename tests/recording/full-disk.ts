/**
 * Records a session and says «this was wrong» on a small disk of its own that is full, and prints what came of it as one
 * line of JSON. Needs a mount namespace of its own: `unshare --mount node full-disk.ts <folder> <transcript>`
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordPast } from '../../src/daemon/offline/record-past.ts'
import { wrongDeps } from '../../src/daemon/wrong-verdicts.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'
import { SETTINGS } from '../samples/agents.ts'

const [disk = '', path = ''] = process.argv.slice(2)
mkdirSync(disk)
execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', disk])
const file = join(disk, 'night.jsonl')
writeFileSync(file, 'what was there before')
writeFileSync(join(disk, 'ballast'), Buffer.alloc(40_000))
mkdirSync(join(disk, 'wrong'))

const { problem } = recordPast({
  ...{ path, file, force: true, settings: SETTINGS },
  ...{ nowWallAt: Date.UTC(2026, 10, 1), progress: () => {} },
})

const house = new House()
await house.boot()
for (const line of ['spawn agent-1', 'wait 40m']) await perform(house, line)
const { world, lately } = house.loop
const refusal = wrongDeps({ world, lately, home: disk, clock: house.clock })('agent-1', 'it was compiling')
const left = [...readdirSync(disk), ...readdirSync(join(disk, 'wrong'))]
console.log(JSON.stringify({ problem, kept: readFileSync(file, 'utf8'), refusal, left }))
process.exit(0)
