/** «This was wrong»: what is kept leads to the same verdict again, has no secrets, and is bounded. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordedInput, recordedState } from '../../scripts/formats/recorded.ts'
import { parseWhole } from '../../src/adapters/sqlite/rows.ts'
import { judgedAs } from '../../src/core/recording.ts'
import { replayFile } from '../../src/daemon/offline/replay-file.ts'
import { wrongDeps, WRONG_MOST } from '../../src/daemon/wrong-verdicts.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-wrong-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

async function night(...lines: string[]) {
  const house = new House()
  await house.boot()
  for (const line of lines) await perform(house, line)
  const { world, lately } = house.loop
  return { house, world, wrong: wrongDeps({ world, lately, home, clock: house.clock }) }
}

test.each([
  ['works', ['spawn agent-1', 'spawn agent-2', 'wait 20m']],
  ['hangs', ['spawn agent-1', 'spawn agent-2', 'wait 10m', 'agent-1 hangs', 'wait 40m']],
  ['was handed over', ['spawn agent-1', 'agent-1 ignores pokes', 'agent-1 hangs', 'wait 40m']],
  ['rests', ['spawn agent-1', 'wait 10m', 'agent-1 idles', 'wait 3h']],
])('the verdict on one that %s is reached again', async (_, lines) => {
  const { world, wrong } = await night(...lines)
  const agent = world.agents.get('agent-1')!
  const kept = wrong('agent-1', 'it was compiling')
  expect(kept).toMatchObject({ ...judgedAs(agent), reproduced: true, kept: 1, most: WRONG_MOST })
  const { file } = kept as { file: string }
  expect(file.startsWith(join(home, 'wrong/'))).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const replay = replayFile(file)
  expect(replay).toMatchObject({ difference: undefined, end: { reproduced: true } })
  expect(replay.label).toMatchObject({ words: 'it was compiling', agent: 'agent-1', ...judgedAs(agent) })
  expect(judgedAs(replay.world.agents.get('agent-1')!)).toEqual(judgedAs(agent))
  expect([...replay.world.agents.keys()]).toEqual(['agent-1'])
  const [head, ...steps] = readFileSync(file, 'utf8').trimEnd().split('\n')
  parseWhole(recordedState, 'state', JSON.stringify((JSON.parse(head ?? '') as { state: object }).state))
  for (const line of steps) {
    const { input } = JSON.parse(line) as { input?: object }
    if (input !== undefined) parseWhole(recordedInput, 'input', JSON.stringify(input))
  }
})

test('the world that lives on is left alone, and secrets are taken out', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const { house, world, wrong } = await night(
    'spawn agent-1',
    'wait 1m',
    `message agent-1 use ${secret} please`,
    'wait 5m',
  )
  const before = JSON.stringify(world.agents.get('agent-1'))
  const { file } = wrong('agent-1', `it has ${secret}`) as { file: string }
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
  expect(JSON.stringify(world.agents.get('agent-1'))).toBe(before)
  await house.wait(60_000)
  expect(house.fallen).toBeUndefined()
})

test('what is not known, or was not told of, or is too much is refused', async () => {
  const { world, wrong, house } = await night('spawn agent-1', 'wait 1m')
  expect(wrong('agent-9', 'x')).toBeUndefined()
  house.loop.stop()
  await house.boot()
  const { lately } = house.loop
  const anew = wrongDeps({
    world: house.loop.world,
    lately: { of: () => [] } as unknown as typeof lately,
    home,
    clock: house.clock,
  })
  expect(anew('agent-1', 'x')).toMatchObject({
    code: 'conflict',
    sentence: expect.stringContaining('since the daemon started') as string,
  })
  mkdirSync(join(home, 'wrong'), { recursive: true })
  for (let n = 0; n < WRONG_MOST; n += 1) writeFileSync(join(home, 'wrong', `${n}.jsonl`), '')
  expect(wrong('agent-1', 'x')).toMatchObject({
    code: 'conflict',
    sentence: expect.stringContaining('100 such') as string,
  })
  rmSync(join(home, 'wrong'), { recursive: true })
  writeFileSync(join(home, 'wrong'), '')
  expect(wrong('agent-1', 'x')).toMatchObject({ code: 'failed' })
  expect(world.agents.has('agent-1')).toBe(true)
  expect(readdirSync(home)).toEqual(['wrong'])
})

test('what does not fit is refused with the reason, and nothing of it is left', async () => {
  const { house, world } = await night('spawn agent-1', 'wait 20m')
  const { lately } = house.loop
  const wrong = wrongDeps({ world, lately, home, clock: house.clock, maxBytes: 20_000 })
  expect(wrong('agent-1', 'x')).toEqual({
    code: 'failed',
    sentence: expect.stringMatching(/^It could not be written down: it reached its limit/) as string,
    hint: expect.stringContaining('pan record start') as string,
  })
  expect(readdirSync(join(home, 'wrong'))).toEqual([])
})
