/** The evidence of an emergency stop: what it found when it came, and who can be started again after it. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import {
  STOP_DETAILS_KEPT,
  type LastStop,
  type LastStopView,
  type StopDown,
  type StopFound,
} from '../contract/last-stop.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { inWords, nameOf } from './handoffs/hand-off-end.ts'
import { currentDoing, isGone } from './health/judge.ts'
import { keep, settle } from './needs-you.ts'
import type { Turn } from './turn.ts'
import type { World } from './world.ts'

/** As the lifecycle of whoever it ended says it. */
export const BY_EMERGENCY = 'emergency stop'

/** Whoever was found dead before was not ended by it; who was first missed since nobody had stopped anything, was. */
export function ranUntil(agent: AgentRecord | undefined, sinceAt: number): boolean {
  if (agent === undefined || !lives(agent)) return false
  return !isGone(agent) || (agent.evidence.process?.goneAt ?? 0) >= sinceAt
}

export function stopFinds(world: World, { sinceAt, isForAll }: { sinceAt: number; isForAll: boolean }): StopFound {
  const meant = [...world.agents.values()].filter((each) => each.adopted === undefined || isForAll)
  const running = meant.filter((each) => ranUntil(each, sinceAt))
  return {
    of: running.length,
    atWork: [...running, ...deadOf(meant, sinceAt)]
      .filter(({ lifecycle }) => lifecycle === 'active')
      .map(({ id }) => id),
    questions: running.flatMap(questionOf).slice(0, STOP_DETAILS_KEPT),
    handoffs: meant.flatMap(handoffOf).slice(0, STOP_DETAILS_KEPT),
    ...stopDownOf(world, sinceAt),
  }
}

/** Who does not run and would be started some day: a stop must not forget them. */
function stopDownOf(world: World, sinceAt: number): StopDown {
  const own = [...world.agents.values()].filter(({ adopted }) => adopted === undefined)
  const earlier = startable(world)
  const dead = deadOf(own, sinceAt).map(({ id }) => id)
  const asleep = own.flatMap(({ id, lifecycle }) => (lifecycle === 'suspended' ? id : []))
  return {
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(dead.length === 0 ? {} : { dead }),
    ...(asleep.length === 0 ? {} : { asleep }),
  }
}

function deadOf(agents: readonly AgentRecord[], sinceAt: number): AgentRecord[] {
  return agents.filter((each) => lives(each) && !ranUntil(each, sinceAt))
}

function questionOf(agent: AgentRecord): StopFound['questions'] {
  const asked = askedBy(agent)
  return asked === undefined ? [] : [{ agent: agent.id, sentence: `${agent.id} had asked ${asked}` }]
}

function handoffOf(agent: AgentRecord): StopFound['handoffs'] {
  const { id, handoff } = agent
  if (handoff === undefined) return []
  return [{ agent: id, sentence: `${nameOf(agent, handoff)} (${handoff.id}) was ${inWords(handoff.state)}` }]
}

/** What it waits for, as a part of a sentence. */
function askedBy(agent: AgentRecord): string | undefined {
  const doing = currentDoing(agent)?.doing
  if (doing?.kind === 'permission') return `for permission: ${doing.what}`
  return doing?.kind === 'question' ? `a question: ${doing.what}` : undefined
}

/** So that it does not wait for an answer that went with its program. */
export function unansweredNote(agent: AgentRecord): string | undefined {
  const asked = askedBy(agent)
  if (asked === undefined) return undefined
  return `before an emergency stop you had asked ${asked.replace(/[\s.]+$/, '')}; it was not answered. Ask again if you still need it.`
}

/** Who was stopped by it or by one before it, does not run since, and is ours to start. */
export function startable({ house, agents }: World): AgentId[] {
  const { ended = [], dead = [], asleep = [], earlier = [] } = house.lastStop ?? {}
  return [...new Set([...ended, ...dead, ...asleep, ...earlier])].filter((id) => {
    const agent = agents.get(id)
    if (agent === undefined || agent.adopted !== undefined || agent.act !== undefined) return false
    return agent.lifecycle === 'stopped' && agent.lifecycleWhy === BY_EMERGENCY
  })
}

export function lastStopView(world: World): LastStopView | undefined {
  const { lastStop } = world.house
  return lastStop === undefined ? undefined : { ...lastStop, startable: startable(world) }
}

/** Raised when it has reported, so that the inbox is not empty of all places then. */
export function keepStopped(turn: Turn): void {
  const { lastStop } = turn.world.house
  if (lastStop === undefined) return
  const { of, handoffs, dead = [], asleep = [], earlier = [] } = lastStop
  if (of + handoffs.length + dead.length + asleep.length + earlier.length === 0) return
  keep(turn, true, {
    kind: 'emergency_stopped',
    sentence: stopInWords(lastStop),
    hint:
      'Nothing is started by itself. `pan cloister resume --start` starts them again, or only those that you name; ' +
      '`pan cloister status` tells what was saved and what was cut off.',
  })
}

/** Once nobody is left whom it concerns, it is settled. */
export function settleStopped(turn: Turn): void {
  const { world } = turn
  const item = world.house.needsYou.find(({ kind }) => kind === 'emergency_stopped')
  if (item === undefined || world.house.emergency.state !== 'armed') return
  if (startable(world).length === 0) settle(turn, item, 'cloister')
}

const NAMED = 10

export function stopInWords({ by, reason, ended, of, questions, handoffs, ...down }: LastStop): string {
  const who = ended.length === 0 ? '' : `: ${named(ended)}`
  const cut = [...counted(questions.length, 'question'), ...counted(handoffs.length, 'hand-off')].join(' and ')
  const cutOff = cut === '' ? '' : `; ${cut} cut off`
  return `The emergency stop by ${by} (${reason.replace(/[\s.]+$/, '')}) ended ${ended.length} of ${of}${who}${cutOff}${downInWords(down)}.`
}

function downInWords({ dead = [], asleep = [], earlier = [] }: StopDown): string {
  return [
    ...(dead.length === 0 ? [] : [`; dead before: ${named(dead)}`]),
    ...(asleep.length === 0 ? [] : [`; asleep before: ${named(asleep)}`]),
    ...(earlier.length === 0 ? [] : [`; not started since a stop before it: ${named(earlier)}`]),
  ].join('')
}

function named(ids: readonly AgentId[]): string {
  const shown = ids.slice(0, NAMED).join(', ')
  return ids.length <= NAMED ? shown : `${shown} and ${ids.length - NAMED} more`
}

function counted(n: number, noun: string): string[] {
  return n === 0 ? [] : [`${n} ${noun}${n === 1 ? '' : 's'}`]
}

/** Why not all of these can be started again. */
export function refuseStart(world: World, wanted: readonly AgentId[] | true): Refusal | undefined {
  if (wanted === true) return undefined
  const able = startable(world)
  const other = wanted.find((id) => !able.includes(id))
  if (other === undefined) return undefined
  return {
    code: 'conflict',
    sentence: `${other} is none of those that an emergency stop stopped and that do not run since`,
    hint: able.length === 0 ? 'There are none.' : `These are: ${able.join(', ')}.`,
  }
}

/** Why nobody can resume now. */
export function refuseResume(world: World): Refusal {
  const { state } = world.house.emergency
  if (state === 'armed') {
    const left = startable(world)
    return {
      code: 'conflict',
      sentence: 'There is no emergency stop to resume from',
      hint:
        left.length === 0
          ? 'Nothing needs to be done.'
          : `It is over, and not started since: ${named(left)}. Start them again with \`pan cloister resume --start\`.`,
    }
  }
  return { code: 'busy', sentence: `The emergency stop is still ${state}`, hint: 'Wait for its outcome and try again.' }
}
