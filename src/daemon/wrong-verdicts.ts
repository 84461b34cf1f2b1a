/**
 * «This was wrong»: what a person says of a verdict, with the agent's record and the last inputs that concerned it, as a
 * recording with a label in the folder `wrong` of the home. The looks between them, which concerned others, are told
 * again at their rhythm. Bounded in number and size; nothing of it is ever deleted by us.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiDeps } from '../api/deps.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Input } from '../core/inputs.ts'
import { judgedAs, worldOf, type WorldState } from '../core/recording.ts'
import { isTroubled, type World } from '../core/world.ts'
import { HOUR, MINUTE } from '../core/durations.ts'
import type { Clock } from '../core/ports.ts'
import type { Lately, Segment } from './lately.ts'
import { nameOf, Recorder } from './recorder.ts'
import { Retelling } from './retelling.ts'

export const WRONG_MOST = 100
const FILE_BYTES = 4 * 1024 * 1024
/** An agent that rests is not judged, and one that is silent for a day is not judged otherwise after it. */
const TOLD_MS = { resting: 10 * MINUTE, active: 24 * HOUR }

export interface WrongOptions {
  world: World
  lately: Lately
  home: string
  clock: Clock
  /** How large a file may be. */
  maxBytes?: number
}

export function wrongDeps({ world, lately, home, clock, maxBytes = FILE_BYTES }: WrongOptions): ApiDeps['wrong'] {
  const folder = join(home, 'wrong')
  return (id, words) => {
    const agent = world.agents.get(id)
    if (agent === undefined) return undefined
    const kept = lately.of(id)
    const [first] = kept
    if (first === undefined) {
      const hint =
        'Say it once it has been looked at: what is told of an agent is kept from the start of the daemon on.'
      return { code: 'conflict', sentence: `Nothing was told of ${id} since the daemon started`, hint }
    }
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const count = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).length
      if (count >= WRONG_MOST) {
        const hint = 'Move some of them away, or delete them: nothing there is deleted by itself.'
        return { code: 'conflict', sentence: `There are ${count} such recordings in ${folder} already`, hint }
      }
      return {
        ...write({ folder, agent, words, segments: kept, world, maxBytes }, clock.now()),
        kept: count + 1,
        most: WRONG_MOST,
      }
    } catch (error) {
      const hint =
        error instanceof TooLarge
          ? 'Record the agent while it goes on instead, with `pan record start`.'
          : 'Make room on the disk, or mend the folder `wrong` of the home.'
      return { code: 'failed', sentence: `It could not be written down: ${(error as Error).message}`, hint }
    }
  }
}

class TooLarge extends Error {}

interface Given {
  folder: string
  agent: AgentRecord
  words: string
  segments: readonly Segment[]
  world: World
  maxBytes: number
}

type Instant = Record<'wallAt' | 'monoAt', number>

/** Under its name there is a whole recording, or none. */
function write(given: Given, at: Instant) {
  const file = join(given.folder, `${nameOf(at.wallAt)}-${given.agent.id}.jsonl`)
  const part = `${file}.part`
  try {
    rmSync(part, { force: true })
    const told = tellInto(part, given, at)
    renameSync(part, file)
    return { file, ...told }
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

function tellInto(file: string, { agent, words, segments, world, maxBytes }: Given, { wallAt, monoAt }: Instant) {
  const label = {
    words,
    agent: agent.id,
    wallAt,
    ...judgedAs(agent),
    reason: agent.verdict?.reason ?? agent.lifecycleWhy ?? '',
  }
  const past = worldOf(stateBefore(segments[0] as Segment, world), world.prices)
  const recorder = new Recorder(past)
  const { observer } = past
  recorder.start({ file, wallAt: observer.wallAt, monoAt: observer.monoAt, about: { label }, maxBytes })
  /** The newest of each kind. */
  const issued = new Map<string, string>()
  const telling = new Retelling({
    world: past,
    ...{ wallAt: observer.wallAt, monoAt: observer.monoAt },
    note: (input, result) => {
      recorder.note(input, result)
      for (const { type, id } of result.effects) issued.set(type, id)
    },
  })
  const inputs = segments.flatMap((segment) => segment.inputs)
  for (const input of inputs) {
    passTo(telling, { past, id: agent.id, at: input })
    telling.take(asDecidedHere(input, issued))
  }
  passTo(telling, { past, id: agent.id, at: { wallAt, monoAt } })
  const now = past.agents.get(agent.id)
  const { health, cause } = now === undefined ? { health: '', cause: '' } : judgedAs(now)
  const isReproduced = health === label.health && cause === label.cause
  const isCut = !recorder.view().recording
  recorder.stop('a person said that it was wrong', { reproduced: isReproduced })
  if (recorder.failure !== undefined) throw new Error(recorder.failure)
  if (isCut) throw new TooLarge(recorder.view().last?.ended)
  return { inputs: inputs.length, health: label.health, cause: label.cause, reproduced: isReproduced }
}

/** What was decided by a look that concerned others, too, is decided by another one here, under another id. */
function asDecidedHere(input: Input, issued: ReadonlyMap<string, string>): Input {
  if (input.type !== 'outcome') return input
  const { effect } = input
  return { ...input, effect: { ...effect, id: issued.get(effect.type) ?? effect.id } }
}

interface Moment {
  past: World
  id: string
  at: { wallAt: number; monoAt: number }
}

function passTo(telling: Retelling, { past, id, at }: Moment): void {
  const most = past.agents.get(id)?.lifecycle === 'active' ? TOLD_MS.active : TOLD_MS.resting
  const gapMs = at.monoAt - telling.monoAt
  if (gapMs > most) {
    telling.setTo({ wallAt: at.wallAt - MINUTE, monoAt: at.monoAt - MINUTE })
    telling.tell({ type: 'look', sentinel: false, sightings: [] })
  }
  telling.passTo(telling.wallAt + Math.max(0, at.monoAt - telling.monoAt))
  telling.setTo(at)
}

/** The world as it was, with nobody in it but this agent. */
function stateBefore({ agent, house, observer }: Segment, { settings, capabilities, letters }: World): WorldState {
  const can = capabilities.get(agent.runtime)
  return {
    settings,
    house,
    agents: [agent],
    observer,
    deadlines: [[agent.id, house.observedAt]],
    troubled: isTroubled(agent) ? [agent.id] : [],
    acting: agent.act === undefined ? [] : [agent.id],
    turns: [],
    runs: agent.run === undefined ? [] : [[agent.run, agent.id]],
    capabilities: can === undefined ? [] : [[agent.runtime, can]],
    ...(letters === undefined ? {} : { letters }),
  }
}
