/** A real daemon with a real understudy is recorded, and the recording replays to the same decisions without it. */
import { statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordingView } from '../../../src/contract/recording.ts'
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
