/** The plan of each fault. */
import type { Event } from '../../contract/events.ts'
import type { Fault } from '../../contract/faults.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { ActKind } from '../../contract/acts.ts'
import type { CauseKind } from '../../contract/verdict.ts'
import { HOUR, MINUTE, SECOND } from '../durations.ts'
import { SLACK_MS, STAGGER_MS } from '../policies/limits.ts'
import { SETTLE_MS } from '../policies/attention.ts'
import { FIRST_WAIT_MS } from '../restarts.ts'
import type { Plan, Scene } from './plan.ts'
import { accused, acts, decided, ended, house, jumped, of, startedAgain, twice, turned } from './sights.ts'

export const JUMP_MS = 8 * HOUR
/** How long the limit lasts that an understudy reports. */
export const LIMIT_MS = 5 * SECOND
/** What a loaded machine may add. */
const MARGIN_MS = 10 * SECOND
const LONGEST_RESTART_MS = 1.25 * FIRST_WAIT_MS
/** Starting and ending a program with everything that is verified about it. */
const DEEDS_MS = MINUTE
const LOOP_EVERY_MS = 500
/** Found within so many calls. */
const LOOP_CALLS = 20

/** How one that died is started again: its work saved, what is left of it ended, then a new generation. */
const RESTARTING: readonly ActKind[] = ['kill', 'resume', 'spawn']

export function agentsFor(fault: Fault): number {
  return fault === 'mass-death' ? 4 : 1
}

export function planFor(fault: Fault, scene: Scene): Plan {
  return PLANS[fault](scene)
}

const PLANS: Record<Fault, (scene: Scene) => Plan> = {
  hang: (scene) => {
    const boundMs = scene.settings.warningMs + boundOf(scene, 2)
    return unstuck({ fault: 'hang', order: 'hang', cause: 'hung', boundMs }, scene)
  },
  loop: (scene) => {
    const order = `loop: { call: npm test, times: forever, every: ${LOOP_EVERY_MS}ms }`
    const boundMs = LOOP_CALLS * LOOP_EVERY_MS + boundOf(scene, 2)
    return unstuck({ fault: 'loop', order, cause: 'looping', boundMs }, scene)
  },
  crash: (scene) => death('crash', ['crash: 3'], scene),
  orphan,
  'rate-limit': rateLimit,
  'silent-prompt': silentPrompt,
  'clock-jump': clockJump,
  'mass-death': massDeath,
}

function boundOf({ settings }: Scene, looks: number): number {
  return looks * settings.lookEveryMs + MARGIN_MS
}

interface Stuck {
  fault: Fault
  order: string
  cause: CauseKind
  boundMs: number
}

/** Something that a poke ends, and after which the understudy works again. */
function unstuck({ fault, order, cause, boundMs }: Stuck, scene: Scene): Plan {
  const [agent = ''] = scene.agents
  const base = { fault, faulty: [agent], orders: [orderTo(agent, order, 'work: 60s')], boundMs }
  const detected = turned(agent, cause)
  if (!scene.settings.pokeOnWarning) {
    const outcome = 'noticed; nothing was done, since auto_actions.poke_on_warning is off'
    return { ...base, steps: [detected], patienceMs: boundMs, wrong: acts([agent], []), outcome }
  }
  return {
    ...base,
    steps: [
      detected,
      decided(agent, 'poke', 'a poke'),
      ended(agent, 'poke', 'the arrival of the poke'),
      of(agent, 'episode.closed', { see: 'progress after the poke', fits: ({ why }) => why === 'progress' }),
    ],
    patienceMs: boundMs + SETTLE_MS + DEEDS_MS + 2 * scene.settings.lookEveryMs,
    wrong: acts([agent], ['poke']),
    outcome: 'one poke helped: it makes progress again',
  }
}

function death(fault: Fault, orders: readonly string[], scene: Scene): Plan {
  const [agent = ''] = scene.agents
  const boundMs = boundOf(scene, 2)
  const base = { fault, faulty: [agent], orders: [orderTo(agent, ...orders)], boundMs }
  if (!scene.settings.restartOnCrash) {
    const asked = of(agent, 'needs-you.raised', {
      see: 'the question to a person',
      fits: ({ item }) => item.kind === 'dead',
    })
    const outcome = 'a person is asked, since auto_actions.restart_on_crash is off'
    const steps = [turned(agent, 'dead'), asked]
    return { ...base, steps, patienceMs: boundMs + 3 * MINUTE, wrong: acts([agent], []), outcome }
  }
  return {
    ...base,
    steps: [turned(agent, 'dead'), of(agent, 'restart.planned', { see: 'a planned restart' }), startedAgain(agent)],
    patienceMs: boundMs + LONGEST_RESTART_MS + DEEDS_MS + 4 * scene.settings.lookEveryMs,
    wrong: acts([agent], RESTARTING),
    outcome: 'its work saved, then started again',
  }
}

/** That there is an orphan at all is looked up, else its end would prove nothing. */
function orphan(scene: Scene): Plan {
  const plan = death('orphan', ['orphan: stubborn', 'crash: 3'], scene)
  const [dead, ...others] = plan.steps
  if (dead === undefined || !scene.settings.restartOnCrash) return plan
  const [planned, ...started] = others
  return {
    ...plan,
    steps: [
      dead,
      ...(planned === undefined ? [] : [planned]),
      { deed: 'find-orphan', words: 'found the process that was left behind' },
      ...started,
      { deed: 'find-no-orphans', words: 'found that process ended' },
    ],
    outcome: 'what it left behind was ended, then it was started again',
  }
}

/** In a temporary home the clock is moved past the end of the limit, which saves minutes; a live one waits them out. */
function rateLimit(scene: Scene): Plan {
  const [agent = ''] = scene.agents
  const boundMs = boundOf(scene, 1)
  const passed = { deed: 'pass-limit', words: 'moved the clock past the end of the limit' } as const
  const lookOn = { deed: 'look-on', words: 'looked on, whether it is told a second time' } as const
  const waitMs = scene.isTemporary ? 0 : SLACK_MS + STAGGER_MS
  return {
    fault: 'rate-limit',
    faulty: [agent],
    orders: [orderTo(agent, `limit: { for: ${LIMIT_MS / SECOND}s }`, 'work: 60s')],
    steps: [
      of(agent, 'limit.began', {
        see: 'a limit whose end was read',
        fits: ({ limit }) => limit.isRead && limit.of === undefined,
        as: () => 'rate_limited',
      }),
      ...(scene.isTemporary ? [passed] : []),
      decided(agent, 'continue', 'the word to go on'),
      ended(agent, 'continue', 'the arrival of that word'),
      lookOn,
    ],
    boundMs,
    patienceMs: boundMs + LIMIT_MS + waitMs + DEEDS_MS + 6 * scene.settings.lookEveryMs,
    wrong: (event, so) => {
      const isContinue = (each: Event) =>
        each.type === 'act.decided' && each.agent === agent && each.act.kind === 'continue'
      if (twice(event, so, isContinue)) return 'it was told to go on twice'
      return acts([agent], ['continue'])(event, so)
    },
    outcome: 'held, never poked, then told to go on exactly once',
  }
}

function silentPrompt(scene: Scene): Plan {
  const [agent = ''] = scene.agents
  const boundMs = boundOf(scene, 1)
  return {
    fault: 'silent-prompt',
    faulty: [agent],
    orders: [orderTo(agent, 'permission: rm -rf build', 'say: I was answered.')],
    steps: [
      of(agent, 'needs-you.raised', {
        see: 'the question in the inbox',
        fits: ({ item }) => item.kind === 'waiting',
        as: () => 'waiting for a person',
      }),
      { deed: 'look-on', words: 'looked on, whether somebody pokes it' },
      { deed: 'answer', words: 'answered «deny» in the inbox' },
      ended(agent, 'answer', 'the arrival of the answer'),
      of(agent, 'agent.lifecycle-changed', { see: 'the end of its turn', fits: ({ to }) => to === 'idle' }),
    ],
    boundMs,
    patienceMs: boundMs + DEEDS_MS + 6 * scene.settings.lookEveryMs,
    wrong: acts([agent], []),
    outcome: 'in the inbox, never poked; answered there, it went on',
  }
}

function clockJump(scene: Scene): Plan {
  const { agents } = scene
  const [agent = ''] = agents
  const lookOn = () => ({ deed: 'look-on', words: 'looked on, whether anybody is accused' }) as const
  const boundMs = boundOf(scene, 2)
  return {
    fault: 'clock-jump',
    faulty: agents,
    orders: [orderTo(agent, 'hang')],
    steps: [
      { deed: 'jump-ahead', words: 'moved the clock 8 h ahead' },
      jumped('a jump ahead', JUMP_MS),
      lookOn(),
      { deed: 'jump-back', words: 'moved the clock back' },
      jumped('a jump back', -JUMP_MS),
      lookOn(),
    ],
    boundMs,
    patienceMs: 2 * boundMs + DEEDS_MS + 12 * scene.settings.lookEveryMs,
    wrong: (event, so) => accused(event) ?? acts(agents, [])(event, so),
    outcome: 'both jumps noted; nobody was accused, nothing was done',
  }
}

function massDeath(scene: Scene): Plan {
  const faulty = scene.agents.slice(0, -1)
  const healthy = scene.agents.slice(-1)
  const boundMs = boundOf(scene, 2)
  const held = faulty.map((agent) => of(agent, 'act.held', { see: `the hold of acts on ${agent}` }))
  const steps: Plan['steps'] = [
    house('mass.began', {
      see: 'a mass event',
      fits: ({ agents }) => agents.every((agent) => faulty.includes(agent)),
      as: ({ agents, watched }) => `mass event (${agents.length} of ${watched})`,
    }),
    house('needs-you.raised', { see: 'one alert', fits: ({ item }) => item.kind === 'mass' }),
    ...held,
    { deed: 'settle', words: 'settled the alert as a person would' },
    house('mass.ended', { see: 'the end of the mass event' }),
    ...faulty.map(startedAgain),
  ]
  return {
    fault: 'mass-death',
    faulty,
    orders: [
      ...healthy.map((agent) => orderTo(agent, 'work: 10m')),
      ...faulty.map((agent) => orderTo(agent, 'crash: 3')),
    ],
    steps,
    boundMs,
    patienceMs: boundMs + LONGEST_RESTART_MS + 2 * DEEDS_MS + 6 * scene.settings.lookEveryMs,
    wrong: (event, so) => {
      const isAlert = (each: Event) => each.type === 'needs-you.raised' && each.item.kind === 'mass'
      if (twice(event, so, isAlert)) return 'more than one alert was raised'
      const allowed = so.deeds.includes('settle') ? RESTARTING : []
      return acts(faulty, allowed)(event, so) ?? acts(healthy, [])(event, so)
    },
    outcome: 'one alert; acts held until it was settled, then all three started; the fourth left alone',
  }
}

function orderTo(agent: AgentId, ...steps: readonly string[]): Plan['orders'][number] {
  return { agent, text: steps.map((step) => `/do ${step}`).join('\n') }
}
