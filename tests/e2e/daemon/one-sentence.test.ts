/** The house says the same wherever it is asked: the API, `pan status`, and the file that is published. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { statusFile, type HouseView } from '../../../src/contract/house-view.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { runPan } from '../../cli/run-pan.ts'
import { LiveHome } from './live-home.ts'

const SETTINGS = 'monitoring: { check_interval: 2 }\n'

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { recursive: true })
  writeFileSync(settingsFile(), SETTINGS)
  await live.up()
})

afterEach(() => live.remove())

function settingsFile(): string {
  return join(live.home, 'cloister.yaml')
}

async function ask(): Promise<HouseView> {
  return (await live.client.get<StatusView>('/api/cloister/status')).house
}

function published(): HouseView {
  const text = readFileSync(join(live.home, 'status.json'), 'utf8')
  return statusFile.strict().parse(JSON.parse(text))
}

async function pan(...args: string[]): Promise<string> {
  return (await runPan(args, { home: live.home, env: { ...live.env, COLUMNS: '' } })).out
}

/** Waits until the house says it, and for the file to say the same. */
async function says(sentence: RegExp): Promise<HouseView> {
  await live.until(async () => sentence.test((await ask()).sentence), `the house says ${sentence}`)
  const house = await ask()
  await live.until(() => published().sentence === house.sentence, `status.json says «${house.sentence}»`)
  const { condition, remedy } = published()
  expect({ condition, sentence: house.sentence, remedy }).toEqual({ remedy: undefined, ...house })
  expect((await pan('status')).split('\n')[0]).toBe(`${house.sentence}.`)
  expect(await pan('cloister', 'status')).toContain(`house       ${house.sentence}\n`)
  return house
}

test(
  'watching, paused, broken settings and an emergency stop, with and without a daemon',
  { timeout: 120_000 },
  async () => {
    await live.spawn('agent-1', 'steady')
    // Without a prompt it rests: it lives all the same.
    await says(/^Watching 1 agent$/)
    expect((statSync(join(live.home, 'status.json')).mode & 0o777).toString(8)).toBe('600')

    await live.client.post('/api/cloister/stop')
    expect(await says(/^Paused by you$/)).toMatchObject({
      condition: 'paused',
      remedy: { command: 'pan cloister start' },
    })

    writeFileSync(settingsFile(), `${SETTINGS}thresholds: { stuck: soon }\n`)
    const { condition, remedy } = await says(/^Degraded: settings are broken; paused by you$/)
    expect([condition, remedy?.command]).toEqual(['degraded', 'pan config validate'])
    expect(remedy?.sentence).toMatch(/^The last good ones stay in force\. .*stuck.*soon/)
    writeFileSync(settingsFile(), SETTINGS)
    await says(/^Paused by you$/)
    await live.client.post('/api/cloister/start')
    await says(/^Watching 1 agent$/)

    await live.client.post('/api/cloister/emergency-stop')
    expect(await says(/^Stopped at \d\d:\d\d by you: 1 of 1 ended$/)).toMatchObject({
      condition: 'stopped',
      remedy: { act: 'resume' },
    })
    await live.client.post('/api/cloister/resume')
    await says(/^Watching 0 agents$/)
    await live.client.post('/api/agents/agent-1/resume')
    await says(/^Watching 1 agent$/)

    await live.down()
    const lastWord = published()
    expect(lastWord).toMatchObject({ condition: 'blind', sentence: 'Cannot see the agents: no daemon watches' })
    expect(JSON.stringify(lastWord)).not.toContain('go on')
    expect(await pan('status')).toMatch(/^Cannot see the agents: no daemon watches\.\n {2}.*\n {2}Run: pan up\n/)
    expect(JSON.parse(await pan('status', '--json'))).toMatchObject({
      daemon: false,
      house: { condition: 'blind', remedy: { command: 'pan up' } },
    })
    await pan('cloister', 'emergency-stop', '--yes')
    const STOPPED = /Stopped at \d\d:\d\d by \S+: 1 of 1 ended/
    expect(await pan('status')).toMatch(STOPPED)
    expect(await pan('status')).toMatch(/^Stopped.*\n {2}.*\n {2}Run: pan cloister resume\n/)
    expect(await pan('cloister', 'status')).toMatch(STOPPED)
    expect(published()).toEqual(lastWord)
    expect(JSON.parse(await pan('cloister', 'resume', '--json'))).toEqual({
      ...{ resumed: true, daemon: false, started: [], stopped: ['agent-1'] },
    })
    const after = await pan('status')
    expect(after).toMatch(/^Cannot see the agents: no daemon watches\.\n/)
    expect(after).toContain('not started since: agent-1')
  },
)

test('a file that cannot be written is said, and that it can again', { timeout: 120_000 }, async () => {
  await live.until(async () => (await ask()).condition === 'watching', 'it watches')
  const agents = join(live.home, 'agents')
  writeFileSync(agents, 'in the way')
  await live.spawn('agent-1', 'steady')
  const { remedy } = await says(/^Degraded: files cannot be written$/)
  expect(remedy?.sentence).toContain('Could not publish the files of agent agent-1')
  rmSync(agents)
  await says(/^Watching 1 agent$/)
})
