/** A real daemon with understudies in real panes, and browsers that look at it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { LiveHome } from '../daemon/live-home.ts'
import { whyNoBrowser } from './chromium.ts'
import { Tabs } from './tabs.ts'

export class WatchedHome extends Tabs {
  constructor(settings = '', env: Record<string, string> = {}) {
    super(new LiveHome(env))
    mkdirSync(this.live.home, { recursive: true })
    writeFileSync(this.settingsFile, settings)
  }

  get settingsFile(): string {
    return join(this.live.home, 'cloister.yaml')
  }

  async up(): Promise<void> {
    await Promise.all([this.open(), this.live.up()])
  }

  async remove(): Promise<void> {
    await this.close()
    await this.live.remove()
  }
}

/** A daemon, agents and a browser on a loaded machine. */
const SLOW_MS = 60_000

/** One home for all tests of a file, each with tabs of its own; they are skipped where there is no browser. */
export function watchedHome(settings = '', prepare: (home: WatchedHome) => void = () => {}): WatchedHome {
  const missing = whyNoBrowser()
  const home = new WatchedHome(settings)
  beforeAll(async () => {
    prepare(home)
    if (missing === undefined) await home.up()
  }, SLOW_MS)
  afterAll(() => home.remove(), SLOW_MS)
  beforeEach((context) => context.skip(missing !== undefined, `no browser test here: ${missing}`))
  afterEach(async () => {
    expect(home.complaints.splice(0)).toEqual([])
    await home.closeTabs()
  })
  return home
}
