/** A hundred transcripts of ten clients: nobody who was sound is called stuck, and every trouble is found. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayPast } from '../../src/daemon/offline/replay-past.ts'
import { SETTINGS } from '../samples/agents.ts'
import { PLOTS, writeTranscripts, type Written } from './plots.ts'

const SEED = 1
const NOW = Date.UTC(2026, 10, 1)

let folder: string
let written: Written[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-field-'))
  written = writeTranscripts(folder, SEED)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(PLOTS.map(({ name }) => name))('%s', (name) => {
  const ours = written.filter(({ plot }) => plot.name === name)
  expect(ours).toHaveLength(10)
  for (const { file, plot, version } of ours) {
    const replay = replayPast({ path: file, settings: SETTINGS, nowWallAt: NOW, progress: () => {} })
    const verdicts = replay.events.filter((event) => event.type === 'agent.health-changed')
    const bad = verdicts.filter(({ to, cause }) => to === 'stuck' || cause.kind === 'hung' || cause.kind === 'looping')
    const of = `${name}, ${version}, ${basename(file)}`
    if (plot.trouble === undefined)
      expect(
        bad.map(({ to, reason }) => `${to}: ${reason}`),
        of,
      ).toEqual([])
    else expect([...new Set(bad.map(({ cause }) => cause.kind))], of).toEqual([plot.trouble])
    if (plot.says !== undefined)
      expect(
        verdicts.map(({ cause }) => cause.kind),
        of,
      ).toContain(plot.says)
    expect(replay.counts.clients, of).toEqual([version])
  }
})
