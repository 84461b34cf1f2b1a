/** What the virtual house lives through replays to the same verdicts and the same world; a damaged file is told of. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordedInput, recordedState } from '../../scripts/formats/recorded.ts'
import { parseWhole } from '../../src/adapters/sqlite/rows.ts'
import { stateOf } from '../../src/core/recording.ts'
import { replayFile, Unreplayable } from '../../src/daemon/offline/replay-file.ts'
import { runPan } from '../cli/run-pan.ts'
import { House } from '../nights/house.ts'
import { split } from '../nights/play.ts'
import { nightNames, readNight } from '../nights/run.ts'
import { perform } from '../nights/script.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-recording-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Records each life of the daemon from right after its boot. */
async function recorded(lines: readonly string[], maxBytes?: number) {
  const house = new House()
  const lives: { file: string; from: number; state?: object }[] = []
  const record = () => {
    const { recorder } = house.loop
    recorder.start({ folder, ...house.clock.now(), ...(maxBytes === undefined ? {} : { maxBytes }) })
    lives.push({ file: recorder.view().last?.file ?? '', from: house.events.length })
  }
  for (const line of lines) {
    if (!line.startsWith('set') && !house.isUp && lives.length === 0) {
      await house.boot()
      record()
    }
    if (line === 'crash') lives.at(-1)!.state = stateOf(house.loop.world)
    await perform(house, line)
    if (line === 'boot') record()
  }
  const isUp = house.isUp
  if (isUp && lives.length > 0) lives.at(-1)!.state = stateOf(house.loop.world)
  const { recorder } = house.isUp ? house.loop : { recorder: undefined }
  recorder?.stop('it was stopped')
  return { house, lives, recorder }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Nothing is stored or recorded that the schemas behind its format do not know. */
function expectKnownShapes(file: string, state: object | undefined): void {
  if (state !== undefined) parseWhole(recordedState, 'state', JSON.stringify(state))
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  for (const [index, line] of lines.entries()) {
    const { input } = JSON.parse(line) as { input?: object }
    if (input !== undefined) parseWhole(recordedInput, `line ${index + 1}`, JSON.stringify(input))
  }
}

const NIGHT = ['spawn agent-1', 'spawn agent-2', 'wait 10m', 'agent-1 hangs', 'wait 40m', 'agent-2 dies 1', 'wait 1h']

describe('every night', () => {
  test.each(nightNames())('%s', async (name) => {
    const { script } = split(readNight(name))
    const lines = script.split('\n').map((line) => line.replace(/#.*/, '').trim())
    const { lives, house } = await recorded(
      lines.filter((line) => line !== '' && line !== 'status' && !line.startsWith('begin')),
    )
    expect(lives.length).toBeGreaterThan(0)
    for (const [index, { file, from, state }] of lives.entries()) {
      const { difference, events, world, end } = replayFile(file)
      expect({ difference, ended: end !== undefined }).toEqual({ difference: undefined, ended: true })
      const shown = house.events.slice(from, lives[index + 1]?.from)
      // A batch whose commit failed was decided and never shown; a boot is shown before its life is recorded.
      const told = shown.filter(({ type, seq }) => type !== 'house.booted' && events.some((each) => each.seq === seq))
      expect(plain(events.filter(({ seq }) => told.some((each) => each.seq === seq)))).toEqual(plain(told))
      if (state !== undefined && end?.why !== 'the daemon went down')
        expect(plain(stateOf(world))).toEqual(plain(state))
      expectKnownShapes(file, state)
    }
  })
})

test('the file is for its owner alone, and has no secrets', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const { lives } = await recorded(['spawn agent-1', 'wait 1m', `message agent-1 use ${secret} please`, 'wait 5m'])
  const [{ file } = { file: '' }] = lives
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o077).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
  expect(replayFile(file).end?.redacted).toBeGreaterThan(0)
})

test('it ends at its size and at its time, and says so', async () => {
  const { recorder, lives } = await recorded(NIGHT, 20_000)
  expect(recorder?.view()).toMatchObject({ recording: false, last: { ended: 'it reached its limit of 0 MB' } })
  expect(statSync(lives[0]?.file ?? '').size).toBeLessThanOrEqual(20_000)
  expect(replayFile(lives[0]?.file ?? '').difference).toBeUndefined()

  const house = new House()
  await house.boot()
  house.loop.recorder.start({ folder: join(folder, 'timed'), ...house.clock.now(), forMs: 600_000 })
  await house.spawn('agent-1')
  await house.wait(3_600_000)
  expect(house.loop.recorder.view().last?.ended).toBe('its time was over')
})

test('a folder that cannot be had refuses the recording and leaves the loop alone', async () => {
  const house = new House()
  await house.boot()
  writeFileSync(join(folder, 'no-folder'), '')
  expect(() => house.loop.recorder.start({ folder: join(folder, 'no-folder'), ...house.clock.now() })).toThrow('EEXIST')
  await house.spawn('agent-1')
  expect(house.loop.recorder.view()).toEqual({ recording: false })
})

describe('a file that is not whole', () => {
  let file: string
  let lines: string[]

  beforeEach(async () => {
    const { lives } = await recorded(NIGHT)
    file = lives[0]?.file ?? ''
    lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  })

  test.each<[string, () => string, RegExp]>([
    ['is empty', () => '', /is empty/],
    ['is something else', () => '{"a":1}\n', /Line 1 of .* is not the beginning of a recording/],
    [
      'has no state',
      () => '{"cloister":"recording","format":1,"startedWallAt":1,"state":{}}\n',
      /Line 1 of .* replayed/,
    ],
    [
      'is of a newer format',
      () => lines[0]!.replace(/"format":\d+/, '"format":99'),
      /was recorded by a newer Cloister \(format 99\), and this one reads formats up to \d+\. Nothing was replayed\. Update/,
    ],
    ['is damaged', () => [...lines.slice(0, 5), '{"input"', ...lines.slice(5)].join('\n'), /Line 6 of .* is damaged/],
    ['goes on', () => [...lines, lines[3]].join('\n'), /goes on after its end/],
  ])('%s', (_, text, problem) => {
    writeFileSync(file, text())
    expect(() => replayFile(file)).toThrow(problem)
    expect(() => replayFile(file)).toThrow(Unreplayable)
  })

  test('is cut off in the middle of a line: what is there is replayed, and that is said', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -200))
    expect(replayFile(file)).toMatchObject({ end: undefined, difference: undefined })
    const { code, out } = await runPan(['replay', file], { home: folder })
    expect([code, out]).toEqual([1, expect.stringContaining('The recording has no end')])
  })

  test('holds another decision: the first one is shown', async () => {
    const changed = lines.map((line) => line.replaceAll('"to":"warning"', '"to":"stale"'))
    expect(changed).not.toEqual(lines)
    writeFileSync(file, `${changed.join('\n')}\n`)
    const { code, out } = await runPan(['replay', file], { home: folder })
    expect(code).toBe(1)
    expect(out).toMatch(/DIFFERENT from line \d+ on[^]*\n {2}recorded .*agent-1[^]*\n {2}replayed .*agent-1/)
  })
})

test('`pan replay` tells verdicts, acts and interventions with their times', async () => {
  const { lives } = await recorded(NIGHT)
  const [{ file } = { file: '' }] = lives
  const { code, out } = await runPan(['replay', file], { home: folder })
  expect(code).toBe(0)
  expect(out).toMatch(/2026-01-20 22:\d\d:\d\d {2}agent-1 went from \w+ to warning: /)
  expect(out).toMatch(/ {2}Poke 1 of agent-1 decided by /)
  expect(out).toMatch(/\nEvery decision is the recorded one\.\n$/)
  const json = await runPan(['replay', file, '--json'], { home: folder })
  expect([json.code, JSON.parse(json.out)]).toMatchObject([0, { same: true, ended: 'it was stopped' }])
  expect(await runPan(['replay', join(folder, 'none')], { home: folder })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Could not read .*none: ENOENT/) as string,
  })
  expect((await runPan(['replay'], { home: folder })).code).toBe(2)
})
