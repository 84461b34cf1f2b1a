/** `pan record --session` and `pan replay` as they are built, on transcripts of strangers. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedInput, recordedState } from '../../scripts/formats/recorded.ts'
import { parseWhole } from '../../src/adapters/sqlite/rows.ts'
import { runPan } from '../cli/run-pan.ts'
import { writeTranscripts, type Written } from './plots.ts'

let folder: string
let home: string
let transcripts: string
let written: Written[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-field-'))
  home = join(folder, 'home')
  transcripts = join(folder, 'projects')
  mkdirSync(home)
  written = writeTranscripts(transcripts, 3)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string): string {
  return written.findLast(({ plot }) => plot.name === name)?.file ?? ''
}

interface Row {
  file: string
  isInferred: boolean
  clients: string[]
  sums: { stuck: number; causes: string[] }
}

test('a folder of a hundred transcripts of ten clients', async () => {
  const { code, out } = await runPan(['replay', transcripts, '--json'], { home })
  const { rows } = JSON.parse(out) as { rows: Row[] }
  expect([code, rows.length]).toEqual([0, 100])
  expect(new Set(rows.flatMap(({ clients }) => clients)).size).toBe(10)
  for (const { file, plot, version } of written) {
    const row = rows.find((each) => each.file === basename(file))
    const alarms = row?.sums.causes.filter((cause) => cause === 'hung' || cause === 'looping')
    expect(alarms, `${plot.name}, ${version}`).toEqual(plot.trouble === undefined ? [] : [plot.trouble])
    expect(plot.trouble === undefined ? row?.sums.stuck : 0, `${plot.name}, ${version}`).toBe(0)
  }
})

test('a transcript becomes a recording, and the recording is judged to the same', async () => {
  const transcript = fileOf('gets no answer')
  const file = join(folder, 'night.jsonl')
  const made = await runPan(['record', '--session', transcript, '--out', file, '--json'], { home })
  expect([made.code, JSON.parse(made.out)]).toMatchObject([
    0,
    { recording: file, inferred: true, ended: 'the transcript ended' },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const [head, ...steps] = lines.map(
    (line) => JSON.parse(line) as { state?: object; input?: object; inferred?: object },
  )
  expect(head).toMatchObject({ format: 2, inferred: { transcript: basename(transcript) } })
  parseWhole(recordedState, 'state', JSON.stringify(head?.state))
  for (const { input } of steps) if (input !== undefined) parseWhole(recordedInput, 'input', JSON.stringify(input))

  const again = await runPan(['record', '--session', transcript, '--out', file], { home })
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')])
  expect((await runPan(['record', '--session', transcript, '--out', file, '--force'], { home })).code).toBe(0)

  const replayed = await runPan(['replay', file], { home })
  expect([replayed.code, replayed.out]).toEqual([0, expect.stringContaining('It was inferred from a transcript')])
  expect(replayed.out).toContain('Every decision is the recorded one.')
})

test('--explain says what would have been done when, and where nothing would have been', async () => {
  const { code, out } = await runPan(['replay', '--explain', fileOf('gets no answer')], { home })
  expect(code).toBe(0)
  expect(out).toMatch(/\d\d:\d\d:\d\d {2}past-\S+ went from stale to warning: hung: its turn is open and nothing moves/)
  expect(out).toMatch(/\d\d:\d\d:\d\d {4}It would have acted: Poke 1 of past-/)
  expect(out).toMatch(/\nStuck once, warning once, for .* \(hung\)\. It would have decided: poke/)
  // Nothing was typed, so that nobody knows what would have come of it.
  expect(out).not.toMatch(/: it did not help|makes progress again|has no suspend/)
  expect(out).toContain('its work is not handed on: there is no dearer model')

  const cheaper = join(folder, 'cheaper.jsonl')
  writeFileSync(cheaper, readFileSync(fileOf('gets no answer'), 'utf8').replaceAll('claude-opus-', 'claude-sonnet-'))
  const handedOn = (await runPan(['replay', '--explain', cheaper], { home })).out
  expect(handedOn).toMatch(/It would have acted: Hand-off .* to opus proposed/)
  expect(handedOn).toContain('From here on the night would have been another one')
  const quiet = await runPan(['replay', '--explain', fileOf('works')], { home })
  expect(quiet.out).toContain('Nothing was wrong, and nothing would have been done.')
  const { story, inferred } = JSON.parse(
    (await runPan(['replay', '--explain', '--json', fileOf('waits for a permission all night')], { home })).out,
  ) as { story: { kind: string }[]; inferred: object }
  expect(inferred).toBeDefined()
  expect(story.filter(({ kind }) => kind === 'act')).toEqual([])
})

test('a folder is explained session by session, with a column for what a person would have been asked', async () => {
  const { code, out } = await runPan(['replay', '--explain', transcripts], { home })
  const name = basename(fileOf('gets no answer'))
  expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/because +acts +asked +told$/)])
  expect(out).toMatch(new RegExp(`\\n${name}:\\n(?:.*\\n)*?.*It would have acted: Poke 1`))
})

test('a folder goes to the home, recordings beside transcripts are told apart, and wrong usage is said', async () => {
  const some = join(folder, 'some')
  const made = await runPan(['record', '--session', transcripts, '--out', some, '--json'], { home })
  const { recordings } = JSON.parse(made.out) as { recordings: { recording: string; problem?: string }[] }
  expect([made.code, recordings.length, readdirSync(some).length]).toEqual([0, 100, 100])
  const table = await runPan(['replay', some], { home })
  expect([table.code, table.out]).toEqual([0, expect.stringMatching(/100 replayed, .* in all\. Stuck/)])
  for (const args of [['record', '--out', 'x'], ['record', '--session', 'x', '--for', '8h'], ['replay']]) {
    expect((await runPan(args, { home })).code).toBe(2)
  }
  const none = await runPan(['record', '--session', join(folder, 'nothing')], { home })
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/^Could not record .*nothing: ENOENT/)])
})
