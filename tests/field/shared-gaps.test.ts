/** A laptop that sleeps accuses nobody: what several sessions share is known as such, and what one has alone is not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { besideOf } from '../../src/daemon/offline/past-files.ts'
import { sleepsOf } from '../../src/daemon/offline/past-sleeps.ts'
import { replayPast } from '../../src/daemon/offline/replay-past.ts'
import { SETTINGS } from '../samples/agents.ts'
import { SHAPES } from './client-shapes.ts'
import { HOUR, MINUTE, SECOND, Transcript } from './transcript.ts'

const NOW = Date.UTC(2026, 10, 1)
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-gaps-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Told {
  seed: number
  /** How long after the beginning it stands still, and how long until it goes on. */
  stillAfterMs: number
  gapMs: number
  isByPerson?: boolean
}

/** Begins at the same minute whatever the seed, works, stands still with an open turn, and goes on. */
function written({ seed, stillAfterMs, gapMs, isByPerson = false }: Told): string {
  const t = new Transcript(SHAPES[8]!, seed * 60 * 20)
  t.prompt('go')
  t.wait(stillAfterMs)
  const id = t.call('Read', { file_path: '/a' })
  t.wait(SECOND)
  t.result(id, 'text')
  t.wait(gapMs)
  if (isByPerson) t.interrupt()
  else t.says('done')
  return t.write(folder)
}

function alarms(path: string, sleeps: ReadonlySet<number> | undefined) {
  const { events, counts } = replayPast({ path, settings: SETTINGS, nowWallAt: NOW, sleeps, progress: () => {} })
  const causes = events.flatMap((event) => (event.type === 'agent.health-changed' ? event.cause.kind : []))
  return { hung: causes.includes('hung'), slept: counts.slept }
}

test('two sessions that stand still and go on together slept', () => {
  const paths = [
    written({ seed: 1, stillAfterMs: MINUTE, gapMs: 3 * HOUR }),
    written({ seed: 2, stillAfterMs: 3 * MINUTE, gapMs: 3 * HOUR - 2 * MINUTE + 20 * SECOND }),
  ]
  const sleeps = sleepsOf(paths, NOW)
  for (const path of paths) {
    expect(alarms(path, undefined)).toEqual({ hung: true, slept: 0 })
    expect(alarms(path, sleeps.get(path))).toEqual({ hung: false, slept: 1 })
    // The same when only one of them is named.
    expect(sleepsOf(besideOf(path), NOW).get(path)).toEqual(sleeps.get(path))
  }
})

test.each<[string, Told]>([
  ['went on by a person', { seed: 2, stillAfterMs: MINUTE, gapMs: 3 * HOUR, isByPerson: true }],
  ['went on much later', { seed: 2, stillAfterMs: MINUTE, gapMs: 4 * HOUR }],
  ['stood still much later', { seed: 2, stillAfterMs: HOUR, gapMs: 2 * HOUR }],
])('another one that %s says nothing of the first', (_, other) => {
  const paths = [written({ seed: 1, stillAfterMs: MINUTE, gapMs: 3 * HOUR }), written(other)]
  const sleeps = sleepsOf(paths, NOW)
  expect([...sleeps.keys()]).toEqual([])
  expect(alarms(paths[0]!, sleeps.get(paths[0]!))).toEqual({ hung: true, slept: 0 })
})
