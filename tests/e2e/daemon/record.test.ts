/** A real daemon with a real understudy is recorded, and the recording replays to the same decisions without it. */
import { statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordingView, WrongView } from '../../../src/contract/recording.ts'
import { runPan, type Ran } from '../../cli/run-pan.ts'
import { LiveHome } from './live-home.ts'

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  await live.up()
})

afterEach(() => live.remove())

function pan(...args: string[]): Promise<Ran> {
  return runPan(args, { home: live.home, env: { ...live.env, COLUMNS: '' } })
}

test('record start, live, record stop, replay', async () => {
  expect((await pan('record')).out).toBe('Nothing is being recorded. Begin with `pan record start`.\n')
  expect(await pan('record', 'stop')).toMatchObject({ code: 1 })
  expect((await pan('record', '--for', 'soon')).code).toBe(2)
  const begun = await pan('record', 'start', '--for', '1h', '--json')
  const { recording, last } = JSON.parse(begun.out) as RecordingView
  expect([begun.code, recording]).toEqual([0, true])
  expect(await pan('record', 'start')).toMatchObject({ code: 1 })
  await live.spawn('agent-1', 'crashes', 'Begin.')
  await live.event('restart.planned', 'agent-1')
  const stopped = await pan('record', 'stop')
  expect([stopped.code, stopped.out]).toEqual([
    0,
    expect.stringMatching(/^Not recording\. The last one ended because it was stopped: \d+ inputs, /),
  ])
  const file = last?.file ?? ''
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await live.down()
  const { code, out } = await pan('replay', file)
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/agent-1 is started again in [^]*recorded one\.\n$/),
  })
  expect((await pan('record')).code).toBe(3)
}, 120_000)

test('a verdict that a person calls wrong is kept with what led to it, and told again without the daemon', async () => {
  await live.spawn('agent-1', 'asks', 'Begin.')
  await live.event('agent.health-changed', 'agent-1')
  const said = await pan('explain', 'agent-1', '--wrong', 'nobody has to answer this', '--json')
  const { file, kept } = JSON.parse(said.out) as WrongView
  expect([said.code, kept]).toEqual([0, 1])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await pan('explain', 'agent-1', '--wrong', 'still not')
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringMatching(/^Kept, as wrong: [^]*2 of at most 100 are kept\./),
  ])
  expect(await pan('explain', 'agent-9', '--wrong', 'x')).toMatchObject({ code: 1 })
  await live.down()
  const told = await pan('replay', '--explain', file)
  expect([told.code, told.out]).toEqual([0, expect.stringContaining('«nobody has to answer this»')])
  expect((await pan('explain', 'agent-1', '--wrong', 'x')).code).toBe(3)
}, 120_000)
