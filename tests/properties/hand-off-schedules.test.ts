/** More of them: CLOISTER_SCHEDULES=100000 CLOISTER_SEED=7 npx vitest run tests/properties/hand-off-schedules.test.ts */
import { expect, test } from 'vitest'
import type { Event } from '../../src/contract/events.ts'
import { handoffsView } from '../../src/core/handoffs/hand-off-views.ts'
import { AGENT, HELPER, Stage, type Method } from './stage.ts'

const SCHEDULES = Number(process.env['CLOISTER_SCHEDULES'] ?? 3_000)
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_260_120)
const METHODS: readonly Method[] = ['kill_spawn', 'runtime_switch', 'specialist_wake', 'context_cycle']

test(`over ${SCHEDULES} schedules of hand-offs, seed ${SEED}: one owner at every instant, nothing lost, nothing twice`, () => {
  const ends: Record<string, number> = {}
  let crashes = 0
  for (let n = 0; n < SCHEDULES; n += 1) {
    const method = METHODS[n % METHODS.length] ?? 'kill_spawn'
    const stage = play(SEED + n, method)
    crashes += stage.crashes
    for (const { state } of stage.agent?.handoffs ?? [])
      ends[`${method} ${state}`] = (ends[`${method} ${state}`] ?? 0) + 1
  }
  // Every way to end is reached by each method, so that what holds is not held of nothing.
  for (const method of METHODS) {
    for (const state of ['done', 'rolled_back', 'needs_you', 'cancelled']) {
      expect(ends[`${method} ${state}`] ?? 0, `${method} ${state}`).toBeGreaterThan(0)
    }
  }
  expect(crashes).toBeGreaterThan(SCHEDULES / 4)
  console.log(`${SCHEDULES} schedules, ${crashes} crashes: ${JSON.stringify(ends)}`)
}, 3_600_000)

/** In milliseconds. */
const PACES: readonly (readonly number[])[] = [[1_000], [1_000, 5_000], [1_000, 5_000, 30_000, 120_000]]

function play(seed: number, method: Method): Stage {
  const stage = new Stage(seed)
  try {
    stage.spawn(AGENT, 'issue')
    if (stage.chance(0.5)) stage.spawn(HELPER, 'specialist', stage.pick(['/work', '/elsewhere']))
    stage.settle(2)
    if (stage.chance(0.8)) stage.rest()
    stage.handOver(method)
    stage.honest = false
    stage.badness = stage.pick([0.05, 0.2, 0.5, 1]) ?? 1
    stage.paces = stage.pick(PACES) ?? []
    const moves = stage.pick([40, 80, 160]) ?? 80
    for (let k = 0; k < moves; k += 1) stage.move()
    stage.settle(90)
    checkEnd(stage)
  } catch (error) {
    const told = stage.log.slice(-60).map(inWords).join('\n')
    throw new Error(`seed ${seed}, ${method}: ${error instanceof Error ? error.message : String(error)}\n${told}`, {
      cause: error,
    })
  }
  return stage
}

function inWords(line: string | Event): string {
  return typeof line === 'string' ? line : JSON.stringify({ ...line, citations: undefined })
}

/** Whoever is to go on goes on, or a person knows. */
function checkEnd({ world, agent, bodies }: Stage): void {
  if (agent === undefined) throw new Error('the agent is gone')
  const { handoff, lent, wanted, needsYou, model, runtime, handoffs = [] } = agent
  if (handoff !== undefined && handoff.state !== 'awaiting_approval') throw new Error(`still ${handoff.state}`)
  const helper = world.agents.get(HELPER)
  const isAsked = needsYou.length > 0 || (helper?.needsYou.length ?? 0) > 0
  if (lent !== undefined && !isAsked) throw new Error('its work is with the specialist for ever')
  const living = bodies.find(({ alive, agent: id }) => alive && id === AGENT)
  if (living === undefined && wanted === 'run' && !isAsked) throw new Error('nobody goes on, and nobody is asked')
  const isKnown = agent.lifecycle === 'active' || agent.lifecycle === 'idle'
  if (!isAsked && isKnown !== (living !== undefined))
    throw new Error(`believed ${agent.lifecycle}, lives: ${living !== undefined}`)
  if (living !== undefined && living.runtime !== runtime) throw new Error('it runs in another runtime than is believed')
  const last = handoffs.filter(({ method, captured }) => method !== 'specialist_wake' && captured !== undefined).at(-1)
  const hands = last?.state === 'done' ? last.to : last?.state === 'rolled_back' ? last.from : undefined
  if (hands !== undefined && (hands.model !== model || hands.runtime !== runtime))
    throw new Error('whose hands are these?')
  checkFigures(world)
}

/** That it was done and that it helped are counted apart. */
function checkFigures(world: Stage['world']): void {
  const { operation, recovery, handoffs } = handoffsView(world, { limit: 100 })
  const all = [...world.agents.values()].flatMap((each) => each.handoffs ?? [])
  // What was cancelled after the old session was ended has been begun.
  const cutShort = new Set(all.filter(({ hasEndedOld }) => hasEndedOld === true).map(({ id }) => id))
  const counted = handoffs.filter(
    ({ id, state }) =>
      ['done', 'rolled_back', 'needs_you'].includes(state) || (state === 'cancelled' && cutShort.has(id)),
  )
  const done = handoffs.filter(({ success }) => success)
  const judged = handoffs.filter(({ outcome }) => outcome?.verified === true)
  const figures = [operation.good, operation.of, recovery.of, recovery.good]
  const wanted = [
    done.length,
    counted.length,
    judged.length,
    judged.filter((each) => each.outcome?.agentRecovered).length,
  ]
  if (figures.join() !== wanted.join()) throw new Error(`figures ${figures.join()} instead of ${wanted.join()}`)
  if (judged.some(({ success }) => !success)) throw new Error('one that was not done is said to have helped or not')
}
