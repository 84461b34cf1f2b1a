/** Plays a night and writes down what Cloister did, in its own sentences. */
import type { Event } from '../../src/contract/events.ts'
import { describe } from '../../src/core/describe.ts'
import { ended } from '../../src/core/durations.ts'
import { agentView, statusView } from '../../src/core/views.ts'
import { House } from './house.ts'
import { perform } from './script.ts'

export const DIVIDER = '---'

export interface NightText {
  script: string
  transcript: string
}

export function split(text: string): NightText {
  const lines = text.split('\n')
  const at = lines.indexOf(DIVIDER)
  if (at < 0) return { script: text.trimEnd(), transcript: '' }
  return { script: lines.slice(0, at).join('\n').trimEnd(), transcript: lines.slice(at + 1).join('\n').trim() }
}

export function join({ script, transcript }: NightText): string {
  return `${script.trimEnd()}\n\n${DIVIDER}\n${transcript.trim()}\n`
}

export async function play(script: string): Promise<string> {
  const lines = script.split('\n').map((line) => line.replace(/#.*/, '').trim())
  const house = new House({ wallAt: beginning(lines) })
  const written: string[] = []
  house.onEvent = (event) => written.push(`${clockTime(event)}  ${describe(event)}`)
  house.onShown = (text) => written.push(...text.split('\n').map((line) => `          | ${line}`.trimEnd()))
  let booted = false
  for (const line of lines) {
    if (line === '' || line.startsWith('begin')) continue
    if (!booted && !line.startsWith('set')) {
      await house.boot()
      booted = true
    }
    if (line === 'status') written.push(...said(house))
    else await perform(house, line)
  }
  return [...written, '', ...morning(house)].join('\n')
}

/** What people are told now: the house in its sentence, and each agent as it is shown. */
function said({ loop: { world }, clock }: House): string[] {
  const at = (wallAt: number) => new Date(wallAt).toISOString().slice(11, 16)
  const { sentence, remedy } = statusView(world, at).house
  const todo = remedy === undefined ? '' : ` ${remedy.sentence}${remedy.command === undefined ? '' : ` ${remedy.command}`}`
  const agents = [...world.agents.keys()].map((id) => {
    const view = agentView(world, id)
    return ended(`          ${id} is shown as ${view?.shown}${view?.reason === undefined ? '' : `: ${view.reason}`}`)
  })
  return [`${clockTime({ at: clock.now().wallAt })}  «${sentence}.»${todo}`, ...agents]
}

function morning(house: House): string[] {
  const typed = house.fleet.deeds.filter(({ deed }) => deed === 'type').length
  const status = house.isUp ? statusView(house.loop.world) : undefined
  const summary = Object.entries(status?.summary ?? {}).flatMap(([health, n]) => (n > 0 ? `${n} ${health}` : []))
  return [
    `In the morning: ${summary.join(', ') || 'nobody is being judged'}; ${status?.needsYou.length ?? 0} need you; emergency stop ${status?.emergency ?? 'unknown'}.`,
    `Texts typed to agents: ${typed}. Tokens spent on watching: 0.`,
  ]
}

function beginning(lines: readonly string[]): number {
  const [, time = '22:00'] = lines.find((line) => line.startsWith('begin'))?.split(/\s+/) ?? []
  const [hours, minutes] = time.split(':').map(Number)
  return Date.UTC(2026, 0, 20, hours, minutes)
}

function clockTime({ at }: Pick<Event, 'at'>): string {
  return new Date(at).toISOString().slice(11, 19)
}
