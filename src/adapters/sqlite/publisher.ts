/**
 * Writes the files under agents/<id>/ from the newest record of each agent.
 * Files are derived: a failed write is reported and tried again, never a reason to stop, and nothing is synced
 * to disk, because recovery publishes everything anew.
 */
import { hash } from 'node:crypto'
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ID_PATTERN } from '../../contract/ids.ts'
import type { StateFile } from '../../contract/published-files.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { PUBLISHED, publishedFiles, stateOf, stateText } from '../../core/published.ts'
import { reasonOf } from './reason.ts'
import { ensureFolder, replaceFile } from './replace-file.ts'

/** An agent's files are written at most once in this time. */
const ROUND_MS = 100
const RETRY_MS = 5_000
/** So many agents are published before waiting commits get their turn. */
const SLICE = 16

export interface PublisherOptions {
  home: string
  /** Told once per agent when its files cannot be written, and again only after they could. */
  report: (sentence: string) => void
  /** Told when all that could not be written was. */
  well?: () => void
  later: (call: () => void, ms: number) => void
}

export class Publisher {
  #options: PublisherOptions
  #pending = new Map<string, AgentRecord>()
  #due: AgentRecord[] = []
  #scheduled = false
  #failed = new Map<string, AgentRecord>()
  #reported = new Set<string>()
  /** Digest of what each file of an agent says, so that only changed files are written. */
  #written = new Map<string, Map<string, string>>()
  /** What each agent cost so far, as it was last told, and the rest of its state.json. */
  #costs = new Map<string, number>()
  #states = new Map<string, StateFile>()

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  offer(agent: AgentRecord): void {
    this.#failed.delete(agent.id)
    this.#pending.set(agent.id, agent)
    this.#schedule(ROUND_MS)
  }

  /** Of an agent whose record is published, or will be; undefined where it is not known any more. */
  cost(id: string, usd: number | undefined): void {
    if (usd === undefined) this.#costs.delete(id)
    else this.#costs.set(id, usd)
    const state = this.#states.get(id)
    const isToBeWritten = this.#pending.has(id) || this.#failed.has(id) || this.#due.some((agent) => agent.id === id)
    if (state === undefined || isToBeWritten) return
    try {
      this.#put(id, { 'state.json': stateText(state, usd) })
    } catch {
      // What is wrong with the folder is told when the agent itself is next written, and this with it.
    }
  }

  /** Takes the files of an agent that is no longer known away; what else lies in its folder is not ours. */
  forget(id: string): void {
    for (const known of [this.#pending, this.#failed, this.#written, this.#costs, this.#states]) known.delete(id)
    this.#due = this.#due.filter((agent) => agent.id !== id)
    this.#recover(id)
    const folder = join(this.#options.home, 'agents', id)
    try {
      if (!ID_PATTERN.test(id) || lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
      for (const name of PUBLISHED) for (const end of ['', '.new']) rmSync(join(folder, name + end), { force: true })
      if (readdirSync(folder).length === 0) rmdirSync(folder)
    } catch (error) {
      this.#options.report(`Could not remove what was published of ${id} in ${folder}: ${reasonOf(error)}. Remove it.`)
    }
  }

  /** Everything that is not yet written, now. */
  flush(): void {
    for (const agent of [...this.#failed.values(), ...this.#due, ...this.#pending.values()]) this.#publish(agent)
    this.#due = []
    this.#pending.clear()
  }

  #schedule(ms: number): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#options.later(() => {
      this.#scheduled = false
      this.#round()
    }, ms)
  }

  #round(): void {
    if (this.#due.length === 0) {
      this.#due = [...this.#pending.values()]
      this.#pending.clear()
    }
    for (const agent of this.#due.splice(0, SLICE)) this.#publish(agent)
    if (this.#due.length > 0) this.#schedule(0)
    else if (this.#pending.size > 0) this.#schedule(ROUND_MS)
  }

  #publish(agent: AgentRecord): void {
    try {
      this.#write(agent)
      this.#failed.delete(agent.id)
      this.#recover(agent.id)
    } catch (error) {
      this.#fail(agent, error)
    }
  }

  #write(agent: AgentRecord): void {
    if (!ID_PATTERN.test(agent.id)) throw new Error('its id is not one that may become a path')
    this.#put(agent.id, publishedFiles(agent, this.#costs.get(agent.id)))
    this.#states.set(agent.id, stateOf(agent))
  }

  #put(id: string, files: Partial<ReturnType<typeof publishedFiles>>): void {
    const agents = join(this.#options.home, 'agents')
    const folder = join(agents, id)
    ensureFolder(agents)
    if (ensureFolder(folder) === 'made') this.#written.delete(id)
    const written = this.#written.get(id) ?? new Map<string, string>()
    this.#written.set(id, written)
    for (const [name, text] of Object.entries(files)) {
      const digest = text === undefined ? 'absent' : hash('sha1', text)
      if (written.get(name) === digest) continue
      if (text === undefined) rmSync(join(folder, name), { force: true })
      else replaceFile(join(folder, name), text)
      written.set(name, digest)
    }
  }

  #fail(agent: AgentRecord, error: unknown): void {
    if (this.#failed.size === 0) this.#options.later(() => this.#retry(), RETRY_MS)
    this.#failed.set(agent.id, agent)
    if (this.#reported.has(agent.id)) return
    this.#reported.add(agent.id)
    this.#options.report(
      `Could not publish the files of agent ${agent.id} under ${this.#options.home}/agents: ${reasonOf(error)}. ` +
        'The journal is not affected; the files follow when they can be written.',
    )
  }

  #recover(id: string): void {
    if (this.#reported.delete(id) && this.#reported.size === 0) this.#options.well?.()
  }

  #retry(): void {
    for (const agent of this.#failed.values()) {
      if (!this.#pending.has(agent.id)) this.#pending.set(agent.id, agent)
    }
    this.#failed.clear()
    if (this.#pending.size > 0) this.#schedule(0)
  }
}
