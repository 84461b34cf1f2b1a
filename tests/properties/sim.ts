/** The core alone, driven move by move: outcomes come late, wrong or never; clocks jump; the process restarts. */
import { adoptable } from '../fakes/virtual-panes.ts'
import type { Command } from '../../src/contract/commands.ts'
import type { Effect, Outcome } from '../../src/contract/effects.ts'
import type { Event } from '../../src/contract/events.ts'
import type { Doing, Sighting, Witness } from '../../src/contract/evidence.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { Settings } from '../../src/contract/settings.ts'
import { Deadlines } from '../../src/core/deadlines.ts'
import { MINUTE } from '../../src/core/durations.ts'
import type { Input } from '../../src/core/inputs.ts'
import type { Capabilities } from '../../src/core/runtime-port.ts'
import { ofGeneration } from '../../src/core/new-context.ts'
import { step, type Result } from '../../src/core/step.ts'
import { createWorld, type World } from '../../src/core/world.ts'
import { SETTINGS } from '../samples/agents.ts'
import { isAlone } from './is-alone.ts'

export type Move =
  | { do: 'wait'; minutes: number; looking: boolean }
  | {
      do: 'see'
      agent: number
      witness: Witness
      doing: Doing
      progress: boolean
      alive: boolean
      busy: boolean
      stale: boolean
      /** Which of its conversations it reports from. */
      session?: number | undefined
      /** It says that it took the oldest message that waits. */
      heard?: boolean
      /** It made so many calls, all of them the same. */
      calls?: number | undefined
      /** It says its next step, as its hand-off asks for. */
      echo?: boolean
    }
  | {
      do: 'command'
      agent: number
      what:
        | 'spawn'
        | 'adopt'
        | 'kill'
        | 'forget'
        | 'poke'
        | 'message'
        | 'retry'
        | 'recall'
        | 'give-back'
        | 'wake'
        | 'suspend'
        | 'switch'
        | 'interrupt'
        | 'rest'
        | 'clear'
        | 'stop'
        | 'start'
        | 'emergency'
        | 'resume'
        | 'settle'
        | 'hold'
        | 'freeze'
        | 'release'
        | 'assign'
        | 'handoff'
        | 'cycle'
        | 'lend'
        | 'back'
        | 'propose'
        | 'approve'
        | 'refuse'
        | 'judge'
        | 'seen'
        | 'report'
        | 'alarm'
        | 'auto'
    }
  /** It is seen to be gone, twice, with an exit code. */
  | { do: 'crash'; agent: number; code: number }
  /** Everything that may be done by itself is, or only what is by default. */
  | { do: 'settings'; bold: boolean }
  | { do: 'answer'; which: number; result: Outcome['result']; survives: boolean }
  | { do: 'jump'; minutes: number }
  | { do: 'blind' }
  | { do: 'sentinel' }
  | { do: 'restart'; afterStop?: true }

/** What was true when an input came, and what it led to. */
export interface Moment {
  input: Input
  result: Result
  before: {
    emergency: string
    monitoring: string
    mass: boolean
    killOnStuck: boolean
    generation: Map<string, number>
    /** The sessions of those who live. */
    sessions: Map<string, string>
  }
  /** What any witness last said of the agents that were typed to. */
  typedInto: readonly string[]
}

type Unstamped = Input extends infer I
  ? I extends Input
    ? Omit<I, 'id' | 'wallAt' | 'monoAt' | 'chance'>
    : never
  : never

const CAN: Capabilities = {
  resume: true,
  interrupt: true,
  clear: true,
  softStop: true,
  ask: true,
  confirmsText: false,
  usage: true,
}
/** Everything that can be done without asking is done. */
export const BOLD: Settings = { ...SETTINGS, killOnStuck: true, restartOnKill: true }

const SURROUNDINGS = { capabilities: new Map([['virtual', CAN]]) }

export class Sim {
  world: World = createWorld(SETTINGS, {}, SURROUNDINGS)
  readonly events: Event[] = []
  readonly moments: Moment[] = []
  readonly open: Effect[] = []
  /** For how many looks in a row each agent was in trouble and nobody saw to it, at most. */
  readonly longestAlone = new Map<string, number>()
  readonly #aloneFor = new Map<string, number>()
  #wallAt = Date.UTC(2026, 0, 20, 22)
  #monoAt = 0
  #inputs = 0
  #sights = 0
  readonly #said = new Map<string, Map<string, string>>()

  constructor(of?: Sim) {
    if (of === undefined) {
      this.input({ type: 'boot', openEffects: 0 })
      this.look()
      this.wait(1, true)
      return
    }
    this.world = copiedWorld(of.world)
    this.events.push(...of.events)
    this.moments.push(...of.moments)
    this.open.push(...of.open)
    this.#wallAt = of.#wallAt
    this.#monoAt = of.#monoAt
    this.#inputs = of.#inputs
    this.#sights = of.#sights
    for (const [agent, said] of of.#said) this.#said.set(agent, said)
  }

  /** Goes on by itself from where this one is. */
  copy(): Sim {
    return new Sim(this)
  }

  make(move: Move): void {
    switch (move.do) {
      case 'wait':
        return this.wait(move.minutes, move.looking)
      case 'see':
        return this.#see(move)
      case 'command':
        return void this.input({ type: 'command', by: 'you', command: this.#command(move) })
      case 'answer':
        return this.#answer(move)
      case 'jump':
        this.#wallAt += move.minutes * MINUTE
        return void this.input({ type: 'tick', lateMs: 0 })
      case 'blind':
        return void this.input({ type: 'look', sightings: [], blind: 'no server answers', sentinel: false })
      case 'sentinel':
        return void this.input({ type: 'look', sightings: [], sentinel: true })
      case 'restart':
        return this.restart(move.afterStop)
      case 'crash':
        return this.#crash(move)
      case 'settings':
        return void this.input({ type: 'settings', settings: move.bold ? BOLD : SETTINGS, keys: ['auto_actions'] })
    }
  }

  input(input: Unstamped): Result {
    this.#inputs += 1
    const chance = (this.#inputs % 7) / 7
    const stamped = { id: `i-${this.#inputs}`, wallAt: this.#wallAt, monoAt: this.#monoAt, chance, ...input } as Input
    const before = this.#before()
    const result = step(this.world, stamped)
    this.moments.push({ input: stamped, result, before, typedInto: this.#note(stamped, result) })
    this.events.push(...result.events)
    this.open.push(...result.effects)
    if (input.type === 'look') this.#countAlone()
    return result
  }

  #countAlone(): void {
    for (const agent of this.world.agents.values()) {
      const looks = isAlone(this.world, agent) ? (this.#aloneFor.get(agent.id) ?? 0) + 1 : 0
      this.#aloneFor.set(agent.id, looks)
      if (looks > (this.longestAlone.get(agent.id) ?? 0)) this.longestAlone.set(agent.id, looks)
    }
  }

  /** Time passes as it does in the loop: ticks at each deadline, a look every half minute. */
  wait(minutes: number, looking: boolean): void {
    const untilAt = this.#monoAt + minutes * MINUTE
    let lookAt = this.#monoAt + SETTINGS.lookEveryMs
    while (this.#monoAt < untilAt) {
      const due = this.world.deadlines.next() ?? Infinity
      const dueAt = this.#monoAt + Math.max(1, due - this.world.house.observedAt)
      const nextAt = Math.min(untilAt, lookAt, dueAt)
      this.#wallAt += nextAt - this.#monoAt
      this.#monoAt = nextAt
      if (nextAt === lookAt) {
        lookAt += SETTINGS.lookEveryMs
        if (looking) this.look()
      }
      this.input({ type: 'tick', lateMs: 0 })
    }
  }

  look(sightings: readonly Sighting[] = []): void {
    this.input({ type: 'look', sightings, sentinel: false })
  }

  /** `afterStop`: an emergency stop came meanwhile, and a person resumed from it. */
  restart(afterStop = false): void {
    const stored = JSON.parse(JSON.stringify({ house: this.world.house, agents: [...this.world.agents.values()] }))
    this.world = createWorld(this.world.settings, stored, SURROUNDINGS)
    const stop = afterStop ? { stop: { gone: [...this.world.agents.keys()] } } : {}
    this.input({ type: 'boot', openEffects: this.open.length, ...stop })
  }

  #see(move: Extract<Move, { do: 'see' }>): void {
    const id = agentId(move.agent)
    this.#sights += 1
    const agent = this.world.agents.get(id)
    const sighting: Sighting = {
      agent: id,
      generation: (agent?.generation ?? 1) + (move.stale ? -1 : 0) || 0,
      witness: move.witness,
      stamp: `s${this.#sights}`,
      ageMs: 0,
      ...(move.witness === 'process' ? { alive: move.alive, busy: move.busy } : { doing: move.doing }),
      ...(move.witness === 'terminal' ? { alive: move.alive } : {}),
      ...(move.progress ? { progress: `p${this.#sights}` } : {}),
      ...(move.session === undefined || move.witness !== 'hook' ? {} : { sessionId: `session-${move.session}` }),
      ...this.#heard(agent, move),
      ...this.#echo(agent, move),
    }
    if (sighting.generation < 0) return
    this.input({ type: 'report', sighting })
    if (move.witness !== 'hook') return
    for (let n = 0; n < (move.calls ?? 0); n += 1) {
      this.#monoAt += 1
      this.#wallAt += 1
      this.#sights += 1
      const { agent: of, generation, witness } = sighting
      const trace = { kind: 'call', tool: 'Bash', call: 'c', result: 'r', ok: true, wallAt: this.#wallAt } as const
      this.input({ type: 'report', sighting: { agent: of, generation, witness, stamp: `s${this.#sights}`, trace } })
    }
  }

  #crash({ agent, code }: Extract<Move, { do: 'crash' }>): void {
    const id = agentId(agent)
    const generation = this.world.agents.get(id)?.generation
    if (generation === undefined) return
    const of = { agent: id, generation }
    for (let n = 0; n < 2; n += 1) {
      this.look([
        { ...of, witness: 'process', alive: false },
        { ...of, witness: 'terminal', alive: false, exitCode: code },
      ])
    }
  }

  #echo(agent: AgentRecord | undefined, { echo, witness }: Extract<Move, { do: 'see' }>): Pick<Sighting, 'echo'> {
    const lender = this.world.agents.get(this.world.lent.get(agent?.id ?? '') ?? '')
    const nonce = (agent?.handoff ?? lender?.handoff)?.nonce
    return echo === true && witness === 'hook' && nonce !== undefined
      ? { echo: { nonce, task: 'the work', step: 'go on' } }
      : {}
  }

  #heard(agent: AgentRecord | undefined, { heard, witness }: Extract<Move, { do: 'see' }>): { heard?: string } {
    const waiting = agent?.messages?.find(({ state }) => state !== 'heard')
    return heard === true && witness === 'hook' && waiting !== undefined ? { heard: waiting.fingerprint } : {}
  }

  #command({ agent, what }: Extract<Move, { do: 'command' }>): Command {
    const id = agentId(agent)
    switch (what) {
      case 'spawn':
        return {
          type: 'agent.spawn',
          agent: id,
          kind: 'issue',
          workspace: `/workspaces/${id}`,
          runtime: 'virtual',
          model: 'sonnet',
          simulated: true,
        }
      case 'adopt':
        return {
          type: 'agent.adopt',
          agent: id,
          kind: 'project',
          workspace: `/home/${id}`,
          runtime: 'virtual',
          model: 'sonnet',
          simulated: true,
          adopted: { ...adoptable(agent), allow: agent % 2 === 0 ? ['message', 'kill'] : [] },
          sessionId: `own-${agent}`,
        }
      case 'kill':
        return { type: 'agent.kill', agent: id }
      case 'forget':
        return { type: 'agent.forget', agent: id }
      case 'poke':
        return { type: 'agent.poke', agent: id }
      case 'message':
        return { type: 'agent.message', agent: id, text: 'Please commit.' }
      case 'retry': {
        const lost = this.world.agents.get(id)?.messages?.findLast(({ state }) => state === 'undelivered')
        return { type: 'agent.retry-message', agent: id, message: lost?.id ?? 'm-0' }
      }
      case 'recall': {
        const waiting = this.world.agents.get(id)?.messages?.findLast(({ state }) => state === 'queued')
        return { type: 'agent.recall-message', agent: id, message: waiting?.id ?? 'm-0' }
      }
      case 'give-back':
        return { type: 'agent.give-back', agent: id }
      case 'wake':
        return { type: 'agent.resume', agent: id, prompt: 'Good morning.' }
      case 'switch': {
        const model = this.world.agents.get(id)?.model === 'opus' ? 'sonnet' : 'opus'
        return { type: 'agent.switch-model', agent: id, model }
      }
      case 'suspend':
      case 'interrupt':
      case 'rest':
      case 'clear':
        return { type: `agent.${what}`, agent: id }
      case 'stop':
        return { type: 'cloister.stop' }
      case 'start':
        return { type: 'cloister.start' }
      case 'emergency':
        return { type: 'cloister.emergency-stop' }
      case 'resume':
        return { type: 'cloister.resume' }
      case 'hold':
        return { type: 'agent.hold', agent: id, state: 'hold', untilWallAt: this.#wallAt + 45 * MINUTE }
      case 'freeze':
        return { type: 'agent.hold', agent: id, state: 'frozen', reason: 'nobody touches it' }
      case 'release':
        return { type: 'agent.release', agent: id }
      case 'assign':
        return { type: 'agent.assign', agent: id, what: 'Fix it.' }
      case 'seen':
        return { type: 'agent.seen', agent: id }
      case 'lend':
        return { type: 'handoff.start', agent: id, to: { specialist: agentId(SPECIALIST) } }
      case 'back':
        return { type: 'handoff.back', agent: id }
      case 'handoff':
      case 'propose': {
        const model = this.world.agents.get(id)?.model === 'opus' ? 'sonnet' : 'opus'
        return { type: 'handoff.start', agent: id, to: { model }, ...(what === 'propose' ? { ask: true } : {}) }
      }
      case 'cycle':
        return { type: 'handoff.start', agent: id, to: {}, method: 'context_cycle' }
      case 'auto':
        return { type: 'handoff.auto', agent: id, on: this.world.agents.get(id)?.autoHandoff === 'off' }
      case 'approve':
      case 'refuse':
        return { type: `handoff.${what}`, handoff: this.world.agents.get(id)?.handoff?.id ?? 'h-0' }
      case 'judge': {
        const handoff = this.world.agents.get(id)?.handoffs?.at(-1)?.id ?? 'h-0'
        return { type: 'handoff.judge', handoff, recovered: 'yes' }
      }
      case 'report':
        return { type: 'work.report', agent: id, about: 'tests', passed: true, from: 'test-agent' }
      case 'alarm':
        return { type: 'work.report', agent: id, about: 'review', passed: false, from: 'review-agent', security: true }
      case 'settle':
        return { type: 'needs-you.settle', item: this.world.house.needsYou[0]?.id ?? 'n-0' }
    }
  }

  #answer({ which, result, survives }: Extract<Move, { do: 'answer' }>): void {
    if (this.open.length === 0) return
    const [effect] = this.open.splice(which % this.open.length, 1) as [Effect]
    const done = result === 'done'
    this.input({
      type: 'outcome',
      effect,
      outcome: {
        result,
        ...(done && effect.type === 'work.salvage' ? { salvageRef: 'refs/cloister/x/1-1' } : {}),
        ...(done && survives && effect.type === 'session.end' ? { survivors: ['4711'] } : {}),
        ...(done && survives && effect.type === 'session.resume' ? { fresh: 'its transcript was deleted' } : {}),
        ...(done && effect.type === 'session.type' && which % 2 === 0 ? { unconfirmed: true } : {}),
        ...(done && effect.type === 'session.check-text' ? { found: 'transcript' as const } : {}),
        ...(result === 'not_done' && effect.type === 'session.type' && which % 2 === 0 ? { held: true } : {}),
        ...(done && effect.type === 'handoff.capture' ? { captured: { digest: 'd', bytes: 1, parts: ['git'] } } : {}),
        ...(done && effect.type === 'handoff.see-document' ? { document: seenDocument(survives) } : {}),
        ...(done && effect.type === 'handoff.reckon' ? { savings: { usedUsd: 1, againstStaying: -1, why: 'so' } } : {}),
        ...(done && effect.type === 'fleet.stop' ? { stopped: [...this.world.agents.keys()], survivors: [] } : {}),
      },
    })
  }

  /** Kept apart from the core: the last word of each witness on each agent's present generation. */
  #note(input: Input, { events, effects }: Result): string[] {
    for (const event of events) {
      const isNew = event.type === 'act.decided' && (event.act.kind === 'spawn' || event.act.kind === 'resume')
      if (isNew || event.type === 'agent.cleared') this.#said.delete(event.agent)
    }
    const isTyping = ({ type }: Effect) => TYPING.includes(type)
    const typed = effects.flatMap((effect) => ('agent' in effect && isTyping(effect) ? effect.agent : []))
    if (input.type === 'report' && input.sighting.doing !== undefined) {
      const { agent, witness, doing } = input.sighting
      const isPresent = ofGeneration(this.world, input.sighting).generation === this.world.agents.get(agent)?.generation
      if (isPresent) this.#said.set(agent, new Map(this.#said.get(agent)).set(witness, doing.kind))
    }
    return typed.flatMap((agent) => [...(this.#said.get(agent)?.values() ?? [])])
  }

  #before(): Moment['before'] {
    const { house, agents } = this.world
    return {
      emergency: house.emergency.state,
      monitoring: house.monitoring,
      mass: house.mass !== undefined,
      killOnStuck: this.world.settings.killOnStuck,
      generation: new Map([...agents.values()].map((agent) => [agent.id, agent.generation])),
      sessions: new Map(
        [...agents.values()]
          .filter(({ lifecycle }) => lifecycle === 'active' || lifecycle === 'idle')
          .flatMap(({ id, sessionId }) => (sessionId === undefined ? [] : [[id, sessionId] as const])),
      ),
    }
  }
}

/** Records are replaced, never changed in place, so that both may hold on to them. */
function copiedWorld(world: World): World {
  const deadlines = new Deadlines()
  for (const [key, at] of world.deadlines.all()) deadlines.set(key, at)
  return {
    ...world,
    house: { ...world.house },
    observer: { ...world.observer },
    agents: new Map(world.agents),
    troubled: new Set(world.troubled),
    turns: [...world.turns],
    runs: new Map(world.runs),
    adopted: new Set(world.adopted),
    lent: new Map(world.lent),
    acting: new Set(world.acting),
    deadlines,
  }
}

const TYPING: readonly Effect['type'][] = ['session.type', 'session.clear']

function seenDocument(isHalf: boolean) {
  const findings = isHalf ? ['it names no next step'] : []
  return { stamp: 'd', isWhole: !isHalf, isUsable: !isHalf, isFinished: false, findings }
}

/** Its number among the agents; it is started by whoever's work it gets. */
export const SPECIALIST = 5

export function agentId(n: number): string {
  if (n === SPECIALIST) return 'test-agent'
  return `agent-${n}`
}
