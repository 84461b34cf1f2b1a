/**
 * Hand-offs on a stage: the core, a disk that holds what was committed, and bodies that really live, work and die. Each
 * schedule is drawn from one seed: which effect runs next and how it fails, what agents do, what a person asks for, how
 * time passes, and where the daemon is killed, before or after a write. What must hold is asked after every write.
 */
import type { Command } from '../../src/contract/commands.ts'
import type { AgentEffect, Effect, Outcome } from '../../src/contract/effects.ts'
import type { Event } from '../../src/contract/events.ts'
import type { Doing, Sighting } from '../../src/contract/evidence.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { HouseRecord } from '../../src/contract/house-record.ts'
import type { Settings } from '../../src/contract/settings.ts'
import { SECOND } from '../../src/core/durations.ts'
import type { Input } from '../../src/core/inputs.ts'
import type { Capabilities } from '../../src/core/runtime-port.ts'
import { step } from '../../src/core/step.ts'
import { createWorld, type World } from '../../src/core/world.ts'
import { SETTINGS } from '../samples/agents.ts'

export const AGENT = 'agent-pan-18'
export const HELPER = 'test-agent'

export type Method = 'kill_spawn' | 'runtime_switch' | 'specialist_wake' | 'context_cycle'

const CAN: Capabilities = {
  resume: true,
  interrupt: true,
  clear: true,
  softStop: true,
  ask: true,
  confirmsText: false,
  usage: false,
}
const SURROUNDINGS = {
  capabilities: new Map([
    ['virtual', CAN],
    ['other', CAN],
  ]),
}
const ALWAYS_WANTED: readonly string[] = [
  'ask.close',
  'order.withdraw',
  'work.rescue',
  'handoff.capture',
  'handoff.see-document',
  'fleet.forget',
]

/** The words of a save order; whoever takes it stops when it has saved. */
const SAVES = 'goes on with your work'

/** The words of an order to write down where it stands. */
const WRITES = 'create the hand-off document now'

const HEARD_MS = 3 * SECOND

/** A program that runs, whatever anybody believes of it. */
/** Where the work is. */
const PLACE = '/work'

interface Body {
  agent: string
  generation: number
  run: string
  session: string
  runtime: string
  workspace: string
  alive: boolean
  works: boolean
  /** An order to come to rest lies there. */
  ordered: boolean
  /** It was told something and has not said yet that it works on it. */
  isNew: boolean
  toldAt: number
  /** It stops after what it was told. */
  saves: boolean
  /** It is to write its document for this hand-off before it stops. */
  writes: string | undefined
  /** The hand-off whose text it was given, and whether it has said so. */
  handoff: string | undefined
  nonce: string | undefined
}

interface Durable {
  house: HouseRecord | undefined
  agents: readonly AgentRecord[]
  open: ReadonlyMap<string, Effect>
}

type Unstamped = Input extends infer I
  ? I extends Input
    ? Omit<I, 'id' | 'wallAt' | 'monoAt' | 'chance'>
    : never
  : never

export class Stage {
  world: World
  readonly bodies: Body[] = []
  /** What happened, in order: events, and what was done beside them. */
  readonly log: (string | Event)[] = []
  /** Whether anything may go wrong any more, and how often: in some schedules nearly all, in others nearly nothing. */
  honest = true
  badness = 1
  /** How time passes: in some schedules faster than anything gets done. */
  paces: readonly number[] = [SECOND]
  starts = new Map<string, number>()
  crashes = 0
  readonly #random: () => number
  #durable: Durable = { house: undefined, agents: [], open: new Map() }
  /** Committed and not begun; and begun, with the outcome on its way. */
  #waiting: Effect[] = []
  #outcomes: { effect: Effect; outcome: Outcome }[] = []
  readonly #saved = new Set<string>()
  /** What was written for each hand-off, all of it or half. */
  readonly #documents = new Map<string, 'whole' | 'half'>()
  #wallAt = Date.UTC(2026, 0, 20, 22)
  #monoAt = 0
  #inputs = 0
  #sights = 0
  #settings: Settings

  constructor(seed: number, settings: Settings = SETTINGS) {
    this.#random = drawn(seed)
    this.#settings = settings
    this.world = createWorld(settings, {}, SURROUNDINGS)
    this.#input({ type: 'boot', openEffects: 0 })
    this.look()
    this.pass(SECOND)
    this.look()
  }

  get agent(): AgentRecord | undefined {
    return this.world.agents.get(AGENT)
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.#random() * of.length)]
  }

  /** One thing happens. */
  move(): void {
    const what = this.#random()
    if (what < 0.3) this.#perform()
    else if (what < 0.5) this.#deliver()
    else if (what < 0.72) this.#live()
    else if (what < 0.84) this.pass(this.pick(this.paces) ?? SECOND)
    else if (what < 1 - 0.05 * this.badness) this.look()
    else this.#ask()
  }

  /** Everything that is under way comes to its end, and nothing goes wrong any more. */
  settle(minutes: number): void {
    this.honest = true
    for (let n = 0; n < minutes * 6 && !this.isQuiet(n); n += 1) {
      for (let k = 0; k < 12 && this.#waiting.length + this.#outcomes.length > 0; k += 1) {
        this.#perform()
        this.#deliver()
      }
      for (const body of this.bodies) if (body.alive) this.#go(body)
      this.pass(10 * SECOND)
      if (n % 3 === 2) this.look()
    }
  }

  isQuiet(n = 9): boolean {
    const agents = [...this.world.agents.values()]
    const isOver = agents.every(({ handoff, lent, act, restarts }) => !handoff && !lent && !act && !restarts?.dueAt)
    const isSeen = agents.every(({ lifecycle, run, needsYou }) => {
      const lives = this.bodies.some((body) => body.run === run && body.alive)
      return lives || (lifecycle !== 'active' && lifecycle !== 'idle') || needsYou.length > 0
    })
    return n > 8 && isSeen && isOver && this.#waiting.length + this.#outcomes.length === 0
  }

  command(command: Command): void {
    this.log.push(`asks ${command.type}`)
    this.#input({ type: 'command', by: 'you', command })
  }

  spawn(id: string, kind: 'issue' | 'specialist', workspace = PLACE): void {
    const identity = {
      kind,
      workspace,
      runtime: 'virtual',
      model: kind === 'issue' ? 'sonnet' : 'haiku',
    } as const
    this.command({ type: 'agent.spawn', agent: id, ...identity, simulated: true })
  }

  handOver(method: Method): void {
    if (method === 'context_cycle') return this.command({ type: 'handoff.start', agent: AGENT, to: {}, method })
    const to = {
      kill_spawn: { model: 'opus' },
      runtime_switch: { runtime: 'other' },
      specialist_wake: { specialist: HELPER },
    }[method]
    this.command({ type: 'handoff.start', agent: AGENT, to })
  }

  /** Whoever lives finishes his turn. */
  rest(): void {
    for (const body of this.bodies.filter(({ alive, works }) => alive && works)) {
      body.works = false
      this.#say(body, { kind: 'idle' })
    }
  }

  pass(ms: number): void {
    const untilAt = this.#monoAt + ms
    while (this.#monoAt < untilAt) {
      const due = this.world.deadlines.next() ?? Infinity
      const nextAt = Math.min(untilAt, this.#monoAt + Math.max(1, due - this.world.house.observedAt))
      this.#wallAt += nextAt - this.#monoAt
      this.#monoAt = nextAt
      this.#hear()
      this.#input({ type: 'tick', lateMs: 0 })
    }
  }

  /** That a text was taken is reported soon, whatever comes of it. */
  #hear(): void {
    for (const body of this.bodies) {
      if (body.alive && body.isNew && body.toldAt + HEARD_MS <= this.#monoAt) this.#go(body)
    }
  }

  look(): void {
    const sightings: Sighting[] = []
    for (const { id: agent, generation, run, lifecycle } of this.world.agents.values()) {
      if (lifecycle !== 'active' && lifecycle !== 'idle') continue
      const body = this.bodies.find((each) => each.run === run)
      const alive = body?.alive === true
      sightings.push({ agent, generation, witness: 'process', alive, busy: alive && body.works })
      if (body !== undefined)
        sightings.push({ agent, generation, witness: 'terminal', alive, ...(alive ? {} : { exitCode: 1 }) })
    }
    this.#input({ type: 'look', sightings, sentinel: false })
  }

  #input(input: Unstamped): void {
    this.#inputs += 1
    const stamp = { id: `i-${this.#inputs}`, wallAt: this.#wallAt, monoAt: this.#monoAt, chance: 0.5 }
    const result = step(this.world, { ...stamp, ...input } as Input)
    const isBoot = input.type === 'boot'
    if (!this.honest && !isBoot && this.chance(0.02 * this.badness)) {
      this.log.push(`killed before ${input.type} was written`)
      return this.#reboot()
    }
    const open = new Map(this.#durable.open)
    for (const effect of result.effects) open.set(effect.id, effect)
    for (const { effect } of result.settled) open.delete(effect)
    if (input.type === 'outcome') open.delete(input.effect.id)
    this.#durable = { house: this.world.house, agents: [...this.world.agents.values()], open }
    this.log.push(...result.events)
    check(this)
    if (!this.honest && !isBoot && this.chance(0.02 * this.badness)) {
      this.log.push(`killed after ${input.type} was written`)
      return this.#reboot()
    }
    this.#waiting.push(...result.effects)
  }

  /** What was not written never was; what was written and has no outcome is looked into, not done again. */
  #reboot(): void {
    this.crashes += 1
    const { house, agents, open } = this.#durable
    this.world = createWorld(this.#settings, { house, agents }, SURROUNDINGS)
    this.#waiting = []
    this.#outcomes = []
    this.#input({ type: 'boot', openEffects: open.size })
    for (const effect of open.values()) this.#outcomes.push({ effect, outcome: this.#probe(effect) })
  }

  #probe(effect: Effect): Outcome {
    const unknown: Outcome = { result: 'unknown', detail: 'the restart left it open' }
    switch (effect.type) {
      case 'session.spawn':
      case 'session.resume': {
        const lives = this.bodies.some(({ run, alive }) => run === effect.run && alive)
        return lives
          ? { result: 'done' }
          : { result: 'not_done', detail: 'it never came up', held: effect.type === 'session.resume' }
      }
      case 'session.end':
        return this.#body(effect)?.alive === true ? { result: 'not_done' } : { result: 'done', survivors: [] }
      case 'order.withdraw':
      case 'session.check-rest':
      case 'handoff.capture':
      case 'handoff.see-document':
      case 'work.rescue':
        return this.#do(effect)
      default:
        return unknown
    }
  }

  /** Any of those that wait, in any order; slow ones are overtaken. */
  #perform(): void {
    const effect = this.pick(this.#waiting)
    if (effect === undefined || !('agent' in effect)) return
    this.#waiting = this.#waiting.filter((each) => each !== effect)
    const isWanted =
      ALWAYS_WANTED.includes(effect.type) || this.world.agents.get(effect.agent)?.act?.effect === effect.id
    if (!isWanted) return void this.#outcomes.push({ effect, outcome: { result: 'not_done', detail: 'cancelled' } })
    const fault = this.honest ? 1 : this.#random() / this.badness
    if (fault < 0.08) {
      const isSaving = effect.type.startsWith('work.') || effect.type === 'handoff.capture'
      const why = fault < 0.04 ? 'ENOSPC: no space left on device' : 'EIO: i/o error'
      const isSure = isSaving || fault < 0.02
      this.log.push(`${effect.type} of ${effect.agent} fails: ${why}`)
      return void this.#outcomes.push({ effect, outcome: { result: isSure ? 'not_done' : 'unknown', detail: why } })
    }
    const outcome = this.#do(effect)
    if (fault < 0.12) return void this.log.push(`nobody hears of ${effect.type} of ${effect.agent}`)
    const isUnsure = fault < 0.15 && outcome.result === 'done' && effect.type !== 'handoff.capture'
    this.#outcomes.push({ effect, outcome: isUnsure ? { result: 'unknown', detail: 'it took too long' } : outcome })
  }

  #deliver(): void {
    const next = this.pick(this.#outcomes)
    if (next === undefined) return
    this.#outcomes = this.#outcomes.filter((each) => each !== next)
    this.#input({ type: 'outcome', ...next })
  }

  #body({ agent, generation }: { agent: string; generation: number }): Body | undefined {
    const { run, generation: present, bornGeneration: born = present } = this.world.agents.get(agent) ?? {}
    // A cleared context is another generation of the same program.
    const started = generation === present ? born : generation
    return this.bodies.find((each) => each.run === run && each.generation === started)
  }

  #do(effect: AgentEffect): Outcome {
    const agent = this.world.agents.get(effect.agent)
    if (agent?.generation !== effect.generation) return { result: 'fenced' }
    const body = this.#body(effect)
    this.log.push(`does ${effect.type} to ${effect.agent}`)
    switch (effect.type) {
      case 'session.spawn':
      case 'session.resume':
        return this.#start(agent, effect)
      case 'session.type':
        if (body?.alive !== true) return { result: 'not_done', detail: 'its process has ended' }
        body.works = true
        body.isNew = true
        body.toldAt = this.#monoAt
        body.writes = effect.text.includes(WRITES) ? agent.handoff?.id : undefined
        body.saves = effect.text.includes(SAVES) || body.writes !== undefined
        if (effect.handoff !== undefined) this.#hand(body, effect.handoff)
        return { result: 'done' }
      case 'session.clear':
        if (agent.handoff?.cycle !== undefined && this.#documents.get(agent.handoff.id) !== 'whole')
          throw new Error('cleared before its document was whole')
        if (body?.alive === true && !body.works)
          Object.assign(body, { session: `${body.session}c`, isNew: true, toldAt: this.#monoAt })
        return { result: 'done' }
      case 'handoff.see-document':
        return { result: 'done', document: seen(this.#documents.get(effect.handoff)) }
      case 'session.interrupt':
        if (body !== undefined) body.works = false
        return { result: 'done' }
      case 'order.leave':
      case 'order.withdraw':
        if (body !== undefined) body.ordered = effect.type === 'order.leave'
        return { result: 'done' }
      case 'session.check-rest':
        return { result: body?.alive === true && !body.works ? 'done' : 'not_done' }
      case 'work.salvage':
        this.#saved.add(`${effect.agent} ${effect.generation}`)
        return { result: 'done', salvageRef: `refs/cloister/${effect.agent}/${effect.generation}-1` }
      case 'session.end': {
        if (!this.#saved.has(`${effect.agent} ${effect.generation}`)) throw new Error('ended before its work was saved')
        const isImmortal = !this.honest && this.chance(0.05 * this.badness)
        if (body !== undefined && !isImmortal) Object.assign(body, { alive: false, works: false })
        return { result: 'done', survivors: isImmortal && body?.alive === true ? ['4711'] : [] }
      }
      case 'handoff.capture':
        return { result: 'done', captured: { digest: 'd', bytes: 1, parts: ['git'] } }
      default:
        return { result: 'done' }
    }
  }

  #start(agent: AgentRecord, effect: Extract<AgentEffect, { type: 'session.spawn' | 'session.resume' }>): Outcome {
    if (this.bodies.some((each) => each.agent === agent.id && each.alive)) {
      return { result: 'not_done', detail: 'an earlier generation still lives' }
    }
    const key = `${agent.id} ${effect.generation}`
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1)
    const { run, generation, handoff } = effect
    const session = effect.type === 'session.resume' ? effect.session : `s-${run}`
    const body: Body = {
      ...{ agent: agent.id, generation, run, session, runtime: agent.runtime, alive: true, works: true },
      workspace: agent.workspace,
      ...{
        ordered: false,
        isNew: false,
        toldAt: 0,
        saves: false,
        writes: undefined,
        handoff: undefined,
        nonce: undefined,
      },
    }
    this.bodies.push(body)
    if (handoff !== undefined) this.#hand(body, handoff)
    if (!this.honest && this.chance(0.08 * this.badness)) Object.assign(body, { alive: false, works: false })
    return { result: 'done' }
  }

  #hand(body: Body, id: string): void {
    const handoff = [...this.world.agents.values()].find((each) => each.handoff?.id === id)?.handoff
    body.handoff = id
    body.nonce = handoff?.nonce
  }

  /** Somebody who lives does something, or dies. */
  #live(): void {
    const body = this.pick(this.bodies.filter(({ alive }) => alive))
    if (body === undefined) return
    if (this.chance(0.03 * this.badness)) {
      this.log.push(`${body.agent} ${body.generation} dies`)
      Object.assign(body, { alive: false, works: false })
    } else if (this.chance(0.8)) this.#go(body)
  }

  #go(body: Body): void {
    if (!body.works) {
      body.isNew = false
      return this.#say(body, { kind: 'idle' })
    }
    if (body.isNew) {
      body.isNew = false
      return this.#say(body, { kind: 'thinking' })
    }
    if (body.ordered || body.saves) {
      this.#write(body)
      Object.assign(body, { works: false, ordered: false, saves: false })
      return this.#say(body, { kind: 'idle' })
    }
    const { nonce } = body
    // One that helps is done some time; one that was only just told says first what it will do.
    if (nonce === undefined && body.agent === HELPER && this.chance(0.3)) {
      body.works = false
      return this.#say(body, { kind: 'idle' })
    }
    const isWilling = this.honest || this.chance(1 - 0.3 * this.badness)
    if (nonce !== undefined && isWilling) body.nonce = undefined
    this.#say(body, { kind: 'thinking' }, isWilling ? nonce : undefined)
  }

  #write(body: Body): void {
    const { writes } = body
    body.writes = undefined
    if (writes === undefined || (!this.honest && this.chance(0.2 * this.badness))) return
    const isHalf = !this.honest && this.chance(0.2 * this.badness)
    this.#documents.set(writes, isHalf && this.#documents.get(writes) !== 'whole' ? 'half' : 'whole')
  }

  #say(body: Body, doing: Doing, nonce?: string): void {
    this.#sights += 1
    const { agent, generation, session: sessionId } = body
    const echo = nonce === undefined ? {} : { echo: { nonce, task: 'the tests', step: 'go on' } }
    this.log.push(`${agent} ${generation} says ${doing.kind}${nonce === undefined ? '' : ' and its next step'}`)
    const said = { agent, generation, witness: 'hook', stamp: `s${this.#sights}`, ageMs: 0, doing, sessionId } as const
    this.#input({ type: 'report', sighting: { ...said, progress: body.works ? `p${this.#sights}` : 'p', ...echo } })
  }

  /** What a person may ask for in the middle of it. */
  #ask(): void {
    const id = this.agent?.handoff?.id ?? 'h-0'
    const who = this.chance(0.6) ? AGENT : HELPER
    const asked = this.pick<Command>([
      { type: 'handoff.start', agent: AGENT, to: { model: 'haiku' } },
      { type: 'handoff.start', agent: AGENT, to: { specialist: HELPER } },
      { type: 'handoff.back', agent: AGENT },
      { type: 'handoff.approve', handoff: id },
      { type: 'handoff.refuse', handoff: id },
      { type: 'agent.interrupt', agent: who },
      { type: 'agent.rest', agent: who },
      { type: 'agent.poke', agent: AGENT },
      ...(this.chance(0.15) ? [{ type: 'agent.kill' as const, agent: who }] : []),
      ...(this.chance(0.15) ? [{ type: 'agent.resume' as const, agent: who }] : []),
    ])
    if (asked !== undefined) this.command(asked)
  }
}

function seen(document: 'whole' | 'half' | undefined) {
  const isWhole = document === 'whole'
  const findings = isWhole ? [] : ['it names no next step']
  const stamp = document === undefined ? {} : { stamp: document }
  return { ...stamp, isWhole, isUsable: isWhole, isFinished: false, findings }
}

/** At every durable instant. */
function check({ world, bodies, starts }: Stage): void {
  const lenders = [...world.agents.values()].filter(({ lent }) => lent !== undefined)
  const helpers = lenders.map(({ lent }) => lent?.to)
  if (new Set(helpers).size !== helpers.length) throw new Error('a specialist has the work of two')
  for (const { id, lent } of lenders) {
    if (lent === undefined || !world.agents.has(lent.to)) throw new Error(`${id}: its work is with nobody`)
    if (helpers.includes(id)) throw new Error(`${id}: its work is lent and it has that of another`)
  }
  const living = bodies.filter(({ alive }) => alive)
  if (new Set(living.map(({ agent }) => agent)).size !== living.length) throw new Error('two generations of one live')
  for (const [key, count] of starts) if (count > 1) throw new Error(`${key} was started ${count} times`)
  const given = living.flatMap(({ handoff }) => handoff ?? [])
  if (new Set(given).size !== given.length) throw new Error('two live who were given the same work')
  const own = living.find(({ agent }) => agent === AGENT)
  const helper = living.find(({ agent, handoff }) => agent === HELPER && handoff !== undefined)
  if (helper !== undefined && helper.workspace !== PLACE) throw new Error('it was given work where the work is not')
  if (own?.works === true && helper?.works === true) throw new Error('both work in one worktree')
}

/** A small generator that a seed gives the same numbers each time. */
function drawn(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
