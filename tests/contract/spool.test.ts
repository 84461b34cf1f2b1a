import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { installHooks } from '../../src/adapters/spool/install.ts'
import { FileMailbox } from '../../src/adapters/spool/mailbox.ts'
import { openSpool, type FileSpool } from '../../src/adapters/spool/spool.ts'
import { MemorySpool, type MemoryFolder } from '../fakes/memory-spool.ts'
import { makeHookHome, RUN, runHook, startAsk } from '../e2e/hooks/hook-runs.ts'
import { mailboxSuite, spoolSuite } from './spool-suite.ts'

spoolSuite('files', () => {
  const home = mkdtempSync(join(tmpdir(), 'cloister-spool-'))
  installHooks(home)
  let spool: FileSpool | undefined
  let count = 0
  return {
    open: async () => {
      // The folder's news must come by the watch, not by the next look.
      spool = await openSpool({ home, homeId: 'h1', rescanMs: 600_000 })
      return spool
    },
    close: async () => spool?.close(),
    leave: ({ run, generation, kind, body }) => {
      count += 1
      const name = `h1.${run}.${generation}.${kind}.${Math.floor(uptime() * 100)}-${count}-1`
      writeFileSync(join(home, 'spool/tmp', name), body)
      renameSync(join(home, 'spool/tmp', name), join(home, 'spool/new', name))
      return name
    },
    waiting: () => readdirSync(join(home, 'spool/new')).toSorted((a, b) => pidOf(a) - pidOf(b)),
    remove: () => rmSync(home, { recursive: true }),
  }
})

spoolSuite('in memory', () => {
  const folder: MemoryFolder = new Map()
  let spool: MemorySpool | undefined
  let count = 0
  return {
    open: async () => {
      spool = new MemorySpool(folder)
      return spool
    },
    close: async () => {
      spool = undefined
    },
    leave: (left) => {
      count += 1
      const report = { ...left, id: `report-${count}`, wallAt: Date.now() }
      if (spool === undefined) folder.set(report.id, report)
      else spool.receive(report)
      return report.id
    },
    waiting: () => [...folder.keys()],
    remove: () => {},
  }
})

function pidOf(name: string): number {
  return Number(name.split('-').at(-2))
}

mailboxSuite('FIFOs and the real hooks', () => {
  const { home, remove } = makeHookHome()
  const hook = (run: string) => ({ home, env: { ...RUN, CLOISTER_RUN: `h1.${run}` } })
  return {
    mailbox: new FileMailbox(home),
    ask: async (run) => {
      const { ask, ended, child } = await startAsk(hook(run))
      return {
        ask,
        answer: ended.then(({ stdout }) => stdout),
        giveUp: async () => {
          child.kill('SIGTERM')
          await ended
        },
      }
    },
    stop: async (run) => (await runHook({ ...hook(run), args: ['Stop'] })).stdout,
    remove,
  }
})
