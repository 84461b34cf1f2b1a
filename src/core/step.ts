/**
 * The whole core: what is known, plus one input, gives events and effects. Same world and same input give
 * the same result. The caller makes the result durable before it runs an effect:
 *
 *   const result = step(world, input)      // the world is folded along
 *   await journal.commit(result)           // events and intents, in one transaction
 *   for (const effect of result.effects)   // only now
 *     enqueue({ type: 'outcome', effect, outcome: await act(effect) })
 *
 * Work per input does not grow with the number of agents: at most MAX_DUE of them are looked at per tick.
 */
import type { Reply } from '../contract/commands.ts'
import type { Effect } from '../contract/effects.ts'
import type { Event } from '../contract/events.ts'
import type { Sighting, Witness } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import { checkDeadline, hear, takeOutcome } from './acts.ts'
import { take } from './commands.ts'
import {
  checkEmergencyDeadline,
  emergency,
  SENTINEL,
  UNEXPLAINED,
  askedOf,
  takeFleetOutcome,
} from './emergency-steps.ts'
import { absorb } from './health/absorb.ts'
import type { Input, InputOf } from './inputs.ts'
import { checkMass } from './mass.ts'
import { noticeNewContext, ofGeneration } from './new-context.ts'
import { advance, look, noteTrouble } from './observer.ts'
import { record, type Turn } from './turn.ts'
import { watch } from './watch.ts'
import { EMERGENCY_KEY, setAgent, type World } from './world.ts'

export const MAX_DUE = 256

export interface Result {
  events: readonly Event[]
  effects: readonly Effect[]
  settled: Turn['settled']
  /** Agents whose record changed. */
  dirty: ReadonlySet<AgentId>
  reply: Reply | undefined
}

export function step(world: World, input: Input): Result {
  const turn = newTurn(world, input)
  advance(turn)
  takeInput(turn)
  takeDue(turn)
  for (const id of turn.toJudge) watch(turn, id)
  checkMass(turn)
  turn.effects.push(...turn.late)
  return turn
}

function newTurn(world: World, input: Input): Turn {
  return {
    world,
    input,
    now: world.house.observedAt,
    events: [],
    effects: [],
    late: [],
    settled: [],
    dirty: new Set(),
    toJudge: new Set(),
    reply: undefined,
  }
}

function takeInput(turn: Turn): void {
  const { input } = turn
  switch (input.type) {
    case 'look': {
      const { lastLookAt: sinceAt } = turn.world.observer
      look(turn, input)
      for (const sighting of input.sightings) absorb(turn, sighting)
      if (input.sentinel) {
        const { reason = UNEXPLAINED } = input
        emergency(turn, 'sentinel_seen', { by: SENTINEL, reason, sinceAt, ...askedOf(input) })
      }
      return
    }
    case 'report':
      return takeReport(turn, input.sighting)
    case 'command':
      return take(turn, input)
    case 'outcome':
      if ('agent' in input.effect) takeOutcome(turn, input.effect, input.outcome)
      else takeFleetOutcome(turn, input.effect, input.outcome)
      return
    case 'settings':
      return changeSettings(turn, input)
    case 'trouble':
      return noteTrouble(turn, input)
    case 'boot':
      if (input.stop !== undefined) emergency(turn, 'found_over', { by: 'a person', ...input.stop })
      return
    case 'tick':
      return
  }
}

/** A report may come out of a cleared context, which is a generation of its own. */
function takeReport(turn: Turn, reported: Sighting): void {
  const sighting = noticeNewContext(turn, ofGeneration(turn.world, reported))
  absorb(turn, sighting)
  hear(turn, sighting)
}

/** Everybody is judged anew, in the slices of the next ticks; witnesses that were switched off are forgotten. */
function changeSettings(turn: Turn, { settings, keys }: InputOf<'settings'>): void {
  const { world } = turn
  world.settings = settings
  record(turn, { type: 'house.settings-changed', keys: [...keys] })
  for (const agent of world.agents.values()) {
    world.deadlines.set(agent.id, turn.now)
    if (!settings.witnessesOff.some((witness) => witness in agent.evidence)) continue
    const kept = Object.entries(agent.evidence).filter(
      ([witness]) => !settings.witnessesOff.includes(witness as Witness),
    )
    setAgent(world, { ...agent, evidence: Object.fromEntries(kept) })
    turn.dirty.add(agent.id)
  }
}

function takeDue(turn: Turn): void {
  for (const key of turn.world.deadlines.take(turn.now, MAX_DUE)) {
    if (key === EMERGENCY_KEY) {
      checkEmergencyDeadline(turn)
      continue
    }
    const agent = turn.world.agents.get(key)
    if (agent === undefined) continue
    checkDeadline(turn, agent)
    turn.toJudge.add(key)
  }
}
