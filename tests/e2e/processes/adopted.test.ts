/** The tree of a session that a person started: its leader and those that descend from it, and nobody else. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { bootId } from '../../../src/adapters/process/adopted-tree.ts'
import { readStat } from '../../../src/adapters/process/proc-stat.ts'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { isAlive, treeOf } from '../daemon/own-tmux.ts'

const home = mkdtempSync(join(tmpdir(), 'cloister-adopted-'))
const started: ChildProcess[] = []
const strays: number[] = []

afterEach(() => {
  for (const { pid } of started) for (const each of treeOf(pid ?? -1)) end(each)
  for (const pid of strays) end(pid)
  rmSync(home, { recursive: true, force: true })
})

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** As from a person's shell; gives it when it has said its line. */
async function start(script: string): Promise<{ pid: number; said: string }> {
  const child = spawn('sh', ['-c', script], { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'ignore'] })
  started.push(child)
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(String(data))),
  )
  return { pid: child.pid ?? -1, said: said.trim() }
}

function leaderOf(pid: number) {
  return { pid, startTime: readStat(pid)?.startedAt ?? 0, boot: bootId() }
}

const STUBBORN = "trap '' TERM HUP; sleep 600 & echo up; while :; do sleep 1; done"

test('it is ended with its descendants, stubborn ones too; a sibling, and one that left the tree, live on', async () => {
  const trees = new ProcessTrees({ homeId: 'adopted', home, askMs: 200, graceMs: 200 })
  const sibling = await start('echo up; exec sleep 601')
  const { pid, said } = await start(`(setsid sleep 602 >/dev/null & echo $!) ; ${STUBBORN}`)
  const left = Number(said.split('\n')[0])
  strays.push(left)
  const leader = leaderOf(pid)
  expect(await trees.lookAt('a-1', leader)).toMatchObject({ alive: true, pid })
  const tree = treeOf(pid)
  expect(tree.length).toBeGreaterThan(1)
  expect(await trees.stopFleet()).toMatchObject({ runs: [], survivors: [] })
  expect(isAlive(pid)).toBe(true)
  expect(await trees.end('a-1', leader)).toEqual({ survivors: [] })
  expect({ tree: tree.map(isAlive), left: isAlive(left), sibling: isAlive(sibling.pid) }).toEqual({
    tree: tree.map(() => false),
    left: true,
    sibling: true,
  })
  expect(await trees.lookAt('a-1', leader)).toEqual({ alive: false })
})

test.each([
  ['another start time', { startTime: 1 }],
  ['another start of the machine', { boot: 'b0' }],
])('the same pid with %s is somebody else: neither seen nor ended', async (_, other) => {
  const trees = new ProcessTrees({ homeId: 'adopted', home })
  const { pid } = await start('echo up; exec sleep 600')
  const leader = { ...leaderOf(pid), ...other }
  expect(await trees.lookAt('a-1', leader)).toEqual({ alive: false })
  expect(await trees.end('a-1', leader)).toEqual({ survivors: [] })
  expect(await trees.stopFleet([{ run: 'a-1', leader }])).toMatchObject({ runs: [], survivors: [] })
  expect(isAlive(pid)).toBe(true)
})
