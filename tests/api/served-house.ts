/** A house on a virtual clock with its API, in a home of its own under the temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openConfigDesk } from '../../src/adapters/config-file/config-desk.ts'
import { configSchema } from '../../src/contract/config/schema.ts'
import { apiDeps } from '../../src/daemon/api-deps.ts'
import type { ServeOptions } from '../../src/daemon/serve.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'

export interface ServedHouse {
  house: House
  home: string
  options: ServeOptions
  /** How often the daemon was asked to go down. */
  stops: () => number
  problems: unknown[]
}

/** The lines are those of the nights: «spawn agent-1», «wait 10m», «agent-1 hangs». */
export async function playedHouse(...lines: string[]): Promise<ServedHouse> {
  const home = mkdtempSync(join(tmpdir(), 'cloister-api-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const house = new House()
  const isSetting = (line: string) => line.startsWith('set ')
  for (const line of lines.filter(isSetting)) await perform(house, line)
  await house.boot()
  onTestFinished(() => {
    if (house.isUp) house.loop.stop()
  })
  for (const line of lines.filter((each) => !isSetting(each))) await perform(house, line)
  let stops = 0
  const problems: unknown[] = []
  const desk = openConfigDesk({ PANOPTICON_HOME: home }, configSchema.parse({}))
  const options: ServeOptions = {
    loop: house.loop,
    journal: house.journal,
    home,
    clock: house.clock,
    git: house.fleet,
    terminal: house.fleet,
    costs: { runtimes: new Map(), prices: { ratesOf: () => undefined } },
    config: desk.view,
    changeConfig: desk.change,
    attach: async (id) => ['tmux', '-L', 'cloister-test', 'attach-session', '-t', `$${id.length}`],
    lives: () => Promise.resolve(false),
    findSession: async () => ({
      runtime: 'virtual',
      session: '89ef65aa-168f-4d9c-b699-725548ed2c5f',
      workspace: '/work',
      leader: { pid: 4711, startTime: 99, boot: 'b' },
    }),
    spawnDefaults: () => ({ model: 'sonnet', runtimeOf: () => 'virtual', specialists: ['merge-agent'], choose }),
    stop: () => void (stops += 1),
    problem: (error) => void problems.push(error),
  }
  return { house, home, options, stops: () => stops, problems }
}

/** What the API is given, without a server; closed with its test, since an open one writes its log a second later. */
export function depsFor(options: Parameters<typeof apiDeps>[0]): ReturnType<typeof apiDeps> {
  const deps = apiDeps(options)
  onTestFinished(() => deps.closeDoor())
  return deps
}

async function choose() {
  return { model: 'sonnet', why: 'it is the only one here.' }
}
