/** What a turn of the loop gathers for one commit, and what callers hear when there is none. */
import type { Reply } from '../contract/commands.ts'
import type { Effect } from '../contract/effects.ts'
import type { Batch } from '../core/ports.ts'
import type { step } from '../core/step.ts'
import type { World } from '../core/world.ts'

export function gather() {
  const events: Batch['events'][number][] = []
  const effects: Effect[] = []
  const settled: Batch['settled'][number][] = []
  const dirty = new Set<string>()
  const seen: string[] = []
  return {
    seen,
    add(result: ReturnType<typeof step>): void {
      events.push(...result.events)
      effects.push(...result.effects)
      settled.push(...result.settled)
      for (const id of result.dirty) dirty.add(id)
    },
    /** Agents whose records changed, those that are gone included. */
    dirty: (): readonly string[] => [...dirty],
    batch(world: World): Batch {
      const agents = [...dirty].flatMap((id) => world.agents.get(id) ?? [])
      const forgotten = [...dirty].filter((id) => !world.agents.has(id))
      return { events, effects, settled, agents, forgotten, house: world.house, seen }
    },
  }
}

export function isEmpty({ events, effects, settled, agents, forgotten, seen }: Batch): boolean {
  return [events, effects, settled, agents, forgotten, seen].every(({ length }) => length === 0)
}

export const inDoubt: Reply = {
  ok: false,
  refusal: {
    code: 'busy',
    sentence: 'The journal failed, and nobody knows whether this was carried out',
    hint: 'Look at the state after the restart before you repeat it.',
  },
}

export function busy(stopped: boolean): Reply {
  const sentence = stopped ? 'The daemon is stopping' : 'The daemon has too much to do'
  return { ok: false, refusal: { code: 'busy', sentence, hint: 'Try again in a moment.' } }
}
