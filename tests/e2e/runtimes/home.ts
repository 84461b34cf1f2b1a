/** A temporary home with the real hooks in it, and everything that its hooks left, in the runtime's words. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installHooks } from '../../../src/adapters/spool/install.ts'
import { parseName, pathsOf } from '../../../src/adapters/spool/layout.ts'
import type { RawReport } from '../../../src/core/ports.ts'

export interface TestHome {
  path: string
  /** An empty folder for the agent. */
  workspace: string
  /** What hooks have left so far, oldest first. */
  reports(): RawReport[]
  /** The first report that fits, now or later. */
  next(fits: (report: RawReport) => boolean, what: string): Promise<RawReport>
  remove(): void
}

export function makeHome(): TestHome {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-runtime-')))
  installHooks(path)
  mkdirSync(join(path, 'workspace'))
  const { fresh: spool, tmp } = pathsOf(path)
  const order = new Map<string, number>()
  const seen = new Map<string, RawReport>()
  const look = () => {
    const names = readdirSync(spool).filter((name) => !seen.has(name))
    for (const name of names) order.set(name, Number(statSync(join(spool, name), { bigint: true }).mtimeNs))
    for (const name of names.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))) {
      const { run = '', generation = 0, kind = '' } = parseName(name) ?? {}
      // An ask is moved among the new ones; of any other report an empty file there says that the draft is whole.
      const body = readFileSync(join(spool, name), 'utf8') || readFileSync(join(tmp, name), 'utf8')
      seen.set(name, { id: name, run, generation, kind, body, wallAt: Date.now() })
    }
    return [...seen.values()]
  }
  return {
    path,
    workspace: join(path, 'workspace'),
    reports: look,
    next: (fits, what) => nextReport({ spool, look, fits, what }),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  }
}

const PATIENCE_MS = 40_000

interface Search {
  spool: string
  look: () => RawReport[]
  fits: (report: RawReport) => boolean
  what: string
}

function nextReport({ spool, look, fits, what }: Search): Promise<RawReport> {
  return new Promise((done, failed) => {
    const watcher = watch(spool)
    const end = () => {
      clearTimeout(timer)
      watcher.close()
    }
    const timer = setTimeout(() => {
      end()
      failed(
        new Error(
          `${what} was not reported; seen: ${
            look()
              .map(({ kind }) => kind)
              .join(' ') || 'nothing'
          }`,
        ),
      )
    }, PATIENCE_MS)
    const search = () => {
      const found = look().find(fits)
      if (found === undefined) return
      end()
      done(found)
    }
    watcher.on('change', search)
    search()
  })
}
