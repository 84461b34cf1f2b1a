/**
 * Plays a session to the core as the daemon would: reports as they come, a look every half minute with what changed, a
 * tick at each deadline. Sees no labels. Gives what was believed of each agent, and every act that was decided.
 */
import { CLIENT_BOUNDS } from '../../src/adapters/claude-code/call-bounds.ts'
import { claudeDialect } from '../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../src/adapters/test-runners/recognise-test-run.ts'
import { parseConfig } from '../../src/contract/config/parse.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'
import type { Sighting } from '../../src/contract/evidence.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { CauseKind, Health } from '../../src/contract/verdict.ts'
import type { Input } from '../../src/core/inputs.ts'
import { step, type Result } from '../../src/core/step.ts'
import { createWorld, distrust, type World } from '../../src/core/world.ts'
import { agentRecord } from '../samples/agents.ts'
import { Outside } from './outside.ts'
import type { Item, Session } from './timeline.ts'

export interface Believed {
  at: number
  /** `none` while it is not judged, or the observer doubts itself. */
  health: Health | 'none'
  cause: CauseKind | 'none'
}

export interface Deed {
  at: number
  agent: number
  kind: string
}

/** What was said of an act that had a text for the agent. */
export interface Judged {
  agent: number
  act: string
  result: string
}

export interface Played {
  /** What was believed of each agent, from each change on. */
  believed: readonly (readonly Believed[])[]
  deeds: readonly Deed[]
  judged: readonly Judged[]
  inputs: number
}

export const WALL_AT = Date.UTC(2026, 0, 20, 22)

/** Everything that may act by itself is switched on: what must not happen could. */
const CONFIG = parseConfig({
  auto_actions: { poke_on_warning: true, kill_on_stuck: true, restart_on_kill: true },
}).config
export const BOLD: Settings = toSettings(CONFIG ?? never())

/** It can be interrupted, so that every rung of the ladder is there; it is not put to sleep, since a session tells nothing of that. */
const CAN = {
  resume: false,
  interrupt: true,
  clear: false,
  softStop: false,
  ask: false,
  confirmsText: false,
  usage: false,
}
const SURROUNDINGS = { capabilities: new Map([['virtual', CAN]]) }

export function play(session: Session): Played {
  return new Player(session).play()
}

const OWN_WORDS = 'Cloister watchdog'

type HookItem = Extract<Item, { hook: string }>

class Player {
  readonly #session: Session
  readonly #outside: Outside
  readonly #believed: Believed[][]
  readonly #deeds: Deed[] = []
  readonly #judged: Judged[] = []
  /** What we last typed to each agent. */
  readonly #last = new Map<number, string>()
  readonly #spool: { item: HookItem; wallAt: number }[] = []
  #world: World
  readonly #dialect = claudeDialect(recogniseTestRun)
  #at = 0
  #jumpedMs = 0
  #lookAt = 0
  #inputs = 0
  #reports = 0
  /** The daemon is not there, or does not come to anything, until then. */
  #away: { untilAt: number; down: boolean } | undefined

  constructor(session: Session) {
    this.#session = session
    this.#outside = new Outside(session.agents)
    this.#believed = Array.from({ length: session.agents }, () => [])
    const agents = Array.from({ length: session.agents }, (_, n) =>
      agentRecord({ id: idOf(n), run: `r${n}`, issue: `pan-${n}`, bounds: session.bounds ?? CLIENT_BOUNDS }),
    )
    this.#world = createWorld(BOLD, { agents }, SURROUNDINGS)
  }

  play(): Played {
    const { items, lengthMs } = this.#session
    this.#input({ type: 'boot', openEffects: 0 })
    for (const item of items) {
      this.#passTo(Math.min(item.at, lengthMs))
      this.#take(item)
    }
    this.#passTo(lengthMs)
    return { believed: this.#believed, deeds: this.#deeds, judged: this.#judged, inputs: this.#inputs }
  }

  #passTo(untilAt: number): void {
    while (this.#at < untilAt) {
      if (this.#away !== undefined) {
        this.#at = Math.min(untilAt, this.#away.untilAt)
        if (this.#at === this.#away.untilAt) this.#comeBack(this.#away.down)
        continue
      }
      const due = (this.#world.deadlines.next() ?? Infinity) - this.#world.house.observedAt
      this.#at = Math.min(untilAt, Math.max(this.#at, this.#lookAt), this.#at + Math.max(1, due))
      if (this.#at >= this.#lookAt) this.#look()
      else if ((this.#world.deadlines.next() ?? Infinity) <= this.#world.house.observedAt + due) {
        this.#input({ type: 'tick', lateMs: 0 })
      }
    }
  }

  #look(): void {
    this.#lookAt = this.#at + BOLD.lookEveryMs
    const { blind, sightings } = this.#outside.look(this.#at, this.#wallAt() - this.#at)
    const generations = sightings.map((each) => ({ ...each, generation: this.#generationOf(each.agent) }))
    this.#input({
      type: 'look',
      sentinel: false,
      sightings: generations,
      ...(blind ? { blind: 'no server answers' } : {}),
    })
  }

  #take(item: Item): void {
    if ('hook' in item) {
      if (this.#away === undefined) this.#report(item, this.#wallAt())
      else this.#spool.push({ item, wallAt: this.#wallAt() })
    } else if ('see' in item) this.#outside.happens(item.agent, item.see, this.#at)
    else if (item.house === 'jump') {
      this.#jumpedMs += item.ms
      if (this.#away === undefined) this.#input({ type: 'tick', lateMs: 0 })
    } else if (!('ms' in item)) this.#outside.blind = item.house === 'blind'
    else {
      this.#away = { untilAt: this.#at + Math.round(item.ms), down: item.house === 'down' }
      // Nobody judges.
      for (const history of this.#believed) history.push({ at: this.#at, health: 'none', cause: 'none' })
    }
  }

  #comeBack(down: boolean): void {
    this.#away = undefined
    if (down) {
      const { house, agents } = this.#world
      this.#world = createWorld(BOLD, { house, agents: [...agents.values()] }, SURROUNDINGS)
      this.#outside.forget()
      this.#input({ type: 'boot', openEffects: 0 })
    } else this.#input({ type: 'tick', lateMs: 60_000 })
    for (const { item, wallAt } of this.#spool.splice(0)) this.#report(item, wallAt)
    this.#look()
  }

  #report({ agent, hook, body: told }: HookItem, wallAt: number): void {
    this.#reports += 1
    // What a session heard of us is what we typed in it.
    const isOurs = 'prompt' in told && String(told.prompt).startsWith(OWN_WORDS)
    const body = isOurs ? { ...told, prompt: this.#last.get(agent) ?? told.prompt } : told
    const run = `r${agent}`
    const id = `home.${run}.1.${hook}.${this.#reports}-7-8`
    const report = { id, run, generation: 1, kind: hook, body: JSON.stringify(body), wallAt }
    const said = this.#dialect.read(report, this.#world.agents.get(idOf(agent))?.bounds)
    if (said === undefined) return
    const ageMs = Math.max(0, this.#wallAt() - wallAt)
    const sighting: Sighting = { ageMs, ...said, agent: idOf(agent), generation: this.#generationOf(idOf(agent)) }
    this.#input({ type: 'report', sighting })
  }

  #generationOf(id: string): number {
    return this.#world.agents.get(id)?.generation ?? 1
  }

  #wallAt(): number {
    return WALL_AT + this.#at + this.#jumpedMs
  }

  #input(given: Unstamped): void {
    this.#inputs += 1
    const stamp = { id: `i${this.#inputs}`, wallAt: this.#wallAt(), monoAt: this.#at, chance: 0.5 }
    const input = { ...stamp, ...given } as Input
    const result = step(this.#world, input)
    this.#note(result)
    for (const effect of result.effects) {
      if (effect.type === 'session.type') this.#typed(Number(effect.agent.slice('agent-'.length)), effect.text)
      this.#input({ type: 'outcome', effect, outcome: { result: 'done' } })
    }
  }

  /** What we type is drawn, and nothing else comes of it, unless its program says that it heard. */
  #typed(agent: number, text: string): void {
    this.#last.set(agent, text)
    this.#outside.happens(agent, { drawn: true }, this.#at)
    if (!this.#session.hears) return
    this.#report({ at: this.#at, agent, hook: 'UserPromptSubmit', body: { prompt: text } }, this.#wallAt())
  }

  #note({ events }: Result): void {
    for (const event of events) {
      if (event.type !== 'act.decided' && event.type !== 'intervention.judged') continue
      const agent = Number(event.agent.slice('agent-'.length))
      if (event.type === 'act.decided') this.#deeds.push({ at: this.#at, agent, kind: event.act.kind })
      else this.#judged.push({ agent, act: event.act, result: event.result })
    }
    const doubts = distrust(this.#world.observer) !== undefined
    for (const [n, history] of this.#believed.entries()) {
      const agent = this.#world.agents.get(idOf(n))
      const isJudged = !doubts && agent?.lifecycle === 'active' && agent.verdict !== undefined
      const health = isJudged ? (agent.verdict?.health ?? 'none') : 'none'
      const cause = isJudged ? (agent.verdict?.cause.kind ?? 'none') : 'none'
      const last = history.at(-1)
      if (last?.health !== health || last.cause !== cause) history.push({ at: this.#at, health, cause })
    }
  }
}

type Unstamped = Input extends infer I ? (I extends Input ? Omit<I, 'id' | 'wallAt' | 'monoAt'> : never) : never

function idOf(n: number): string {
  return `agent-${n}`
}

function never(): never {
  throw new Error('the configuration must be valid')
}
