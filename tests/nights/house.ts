/** A whole house on a virtual clock: simulated agents, an in-memory journal and the real loop. */
import { MemoryJournal } from '../fakes/memory-journal.ts'
import { quiet, VirtualClock } from '../fakes/virtual-clock.ts'
import { confirmingRuntime, virtualRuntime } from '../fakes/virtual-runtime.ts'
import { MemoryTaskTexts } from '../fakes/memory-task-texts.ts'
import { VirtualHandoffs } from '../fakes/virtual-handoffs.ts'
import { VirtualFleet } from '../fakes/virtual-fleet.ts'
import type { Adopted } from '../../src/contract/adopted.ts'
import type { Command, Reply } from '../../src/contract/commands.ts'
import type { Event } from '../../src/contract/events.ts'
import type { Sighting } from '../../src/contract/evidence.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { Complexity } from '../../src/contract/config/values.ts'
import type { Task } from '../../src/contract/tasks.ts'
import { fingerprint } from '../../src/core/fingerprint.ts'
import type { Clock } from '../../src/core/ports.ts'
import type { Runtime } from '../../src/core/runtime-port.ts'
import { keptTasks } from '../../src/core/tasks/own-tasks.ts'
import { Loop } from '../../src/daemon/loop.ts'
import { SETTINGS } from '../samples/agents.ts'

export class House {
  readonly clock: VirtualClock
  readonly fleet: VirtualFleet
  readonly events: Event[] = []
  /** Called for each durable event, as it happens. */
  onEvent: (event: Event) => void = () => {}
  settings: Settings
  /** Agents say which texts they took, and their sessions can be asked. */
  confirms = false
  /** It is known what agents use. */
  usage = false
  /** The runtime says which models it knows. */
  models = false
  /** Sessions that were deleted; `all` stands for every one. */
  readonly lostSessions = new Set<string>()
  /** What a person started by himself, by the name that it is to have. */
  readonly alone = new Map<string, Adopted>()
  readonly #tasks = new Map<string, Task[]>()
  readonly #plans = new Map<string, number>()
  journal = new MemoryJournal()
  readonly handoffs: VirtualHandoffs
  readonly taskTexts: MemoryTaskTexts
  /** Called with what a night shows besides its events. */
  onShown: (text: string) => void = () => {}
  /** Why the loop ended by itself, if it did. */
  fallen: unknown
  #loop: Loop | undefined
  #boots = 0
  #commands = 0
  #held: (() => void)[] | undefined

  constructor({ wallAt = Date.UTC(2026, 0, 20, 22), settings = SETTINGS } = {}) {
    this.clock = new VirtualClock(wallAt)
    this.fleet = new VirtualFleet(this.clock)
    this.handoffs = new VirtualHandoffs(this.fleet.faults, this.fleet.documents)
    this.taskTexts = new MemoryTaskTexts(this.fleet.faults)
    this.settings = settings
  }

  get loop(): Loop {
    if (this.#loop === undefined) throw new Error('the daemon is not running')
    return this.#loop
  }

  get isUp(): boolean {
    return this.#loop !== undefined
  }

  async boot(): Promise<void> {
    this.#boots += 1
    const bootId = `b${this.#boots}`
    this.fleet.confirms = this.confirms
    this.#loop = await Loop.start({
      clock: this.#daemonClock(),
      journal: this.journal,
      terminal: this.fleet,
      processes: this.fleet,
      git: this.fleet,
      planOf: async ({ id }) => this.#planOf(id),
      mailbox: this.fleet,
      handoffs: this.handoffs,
      taskTexts: this.taskTexts,
      runtimes: this.#runtimes(),
      reports: () => this.fleet,
      settings: this.settings,
      // Half a cent for a thousand tokens of any model.
      prices: { ratesOf: () => ({ input: 4, output: 20, cacheRead: 0.4, cacheWrite5m: 5, cacheWrite1h: 8 }) },
      bootId,
      show: (events) => {
        this.events.push(...events)
        for (const event of events) this.onEvent(event)
      },
    })
    this.fallen = undefined
    this.#loop.ended.catch((error: unknown) => {
      this.fallen = error
    })
    await quiet()
  }

  #runtime(): Runtime {
    const runtime = this.confirms ? confirmingRuntime(this.fleet, this.lostSessions) : virtualRuntime
    const models = this.models ? { models: { names: ['opus', 'sonnet', 'haiku'], family: 'claude' } } : {}
    return { ...runtime, capabilities: { ...runtime.capabilities, usage: this.usage, ...models } }
  }

  /** The daemon is gone at once, as by kill -9; what was durable stays. */
  crash(): void {
    this.#loop?.stop()
    this.#loop = undefined
    this.journal = this.journal.reopen()
  }

  async submit(command: Command, by = 'you'): Promise<Reply> {
    this.#commands += 1
    const reply = await this.loop.submit({ id: `c${this.#commands}`, by, command })
    await quiet()
    return reply
  }

  async spawn(id: string, model = 'sonnet', given: { kind?: 'issue' | 'specialist'; prompt?: string } = {}): Promise<Reply> {
    return this.submit({
      kind: 'issue',
      ...given,
      type: 'agent.spawn',
      agent: id,
      workspace: `/workspaces/${id}`,
      runtime: 'virtual',
      model,
      simulated: true,
    })
  }

  /** Its plan lies whole in its workspace. */
  writePlan(id: string): void {
    this.#plans.set(id, this.clock.now().monoAt)
  }

  #planOf(id: string): Sighting['plan'] {
    const at = this.#plans.get(id)
    if (at === undefined) return undefined
    return { path: 'docs/prds/active/plan.md', stamp: String(at), ageMs: this.clock.now().monoAt - at }
  }

  async addTask(agent: string, title: string, given: { state: string; complexity: string }): Promise<void> {
    const list = this.#tasks.get(agent) ?? []
    const complexity = { value: given.complexity as Complexity, from: 'field' as const }
    const task: Task = {
      id: `t-${list.length + 1}`,
      title,
      state: given.state as Task['state'],
      tags: [],
      blockedBy: [],
      complexity,
    }
    await this.#tellTasks(agent, [...list, task])
  }

  changeTask(agent: string, id: string, state: Task['state']): Promise<void> {
    return this.#tellTasks(
      agent,
      (this.#tasks.get(agent) ?? []).map((task) => (task.id === id ? { ...task, state } : task)),
    )
  }

  async #tellTasks(agent: string, list: Task[]): Promise<void> {
    this.#tasks.set(agent, list)
    const generation = this.loop.world.agents.get(agent)?.generation ?? 1
    const stamp = fingerprint(JSON.stringify(list))
    this.fleet.receive({ agent, generation, witness: 'tasks', stamp, ageMs: 0, tasks: keptTasks('beads', list) })
    await quiet()
  }

  adopt(id: string, allow?: string): Promise<Reply> {
    const adopted = this.alone.get(id)
    if (adopted === undefined) throw new Error(`nobody started ${id}`)
    return this.submit({
      type: 'agent.adopt',
      agent: id,
      kind: 'project',
      workspace: `/workspaces/${id}`,
      runtime: 'virtual',
      model: 'sonnet',
      simulated: true,
      adopted: { ...adopted, allow: (allow?.split(',') ?? []) as Adopted['allow'] },
      sessionId: this.fleet.agent(id)?.session ?? 'none',
    })
  }

  wait(ms: number): Promise<void> {
    return this.clock.advance(ms)
  }

  /** Everything sleeps: only the wall clock moves. */
  async sleep(ms: number): Promise<void> {
    this.clock.jump(ms)
    await quiet()
  }

  /** The daemon alone stands still; agents go on. */
  async stall(ms: number): Promise<void> {
    this.#held = []
    this.fleet.faults.reportsHeld = true
    await this.clock.advance(ms)
    const late = this.#held
    this.#held = undefined
    this.fleet.faults.reportsHeld = false
    for (const call of late) call()
    await quiet()
  }

  /** A second one, so that work can go from one to the other. */
  #runtimes(): ReadonlyMap<string, Runtime> {
    const runtime = this.#runtime()
    return new Map([runtime, { ...runtime, name: 'other' }].map((each) => [each.name, each]))
  }

  #daemonClock(): Clock {
    return {
      now: () => this.clock.now(),
      wakeAt: (monoAt, call) =>
        this.clock.wakeAt(monoAt, () => {
          if (this.#held === undefined) call()
          else this.#held.push(call)
        }),
    }
  }
}
