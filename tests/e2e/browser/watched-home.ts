/** A real daemon with understudies in real panes, and browsers that look at it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LiveHome } from '../daemon/live-home.ts'
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
