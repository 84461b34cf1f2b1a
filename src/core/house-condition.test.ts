import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { CONDITIONS, houseView as schema, statusFile as fileSchema } from '../contract/house-view.ts'
import type { LastStop } from '../contract/last-stop.ts'
import { houseView, statusFile, unwatched } from './house-condition.ts'
import { createWorld, setAgent, type World } from './world.ts'

const at = (wallAt: number) => `<${wallAt}>`

const LAST_STOP: LastStop = {
  ...{ by: 'you', reason: 'r', wallAt: 7, ended: ['a', 'b'], of: 2, survivors: [], saved: [], questions: [] },
  ...{ handoffs: [], confirmed: true },
}

function worldWith(...changes: readonly ((world: World) => void)[]): World {
  const world = createWorld(SETTINGS)
  world.observer.looksOwed = 0
  for (const change of changes) change(world)
  return world
}

/** One way to be in each condition, the worst first. */
const WAYS: readonly [(typeof CONDITIONS)[number], (world: World) => void][] = [
  ['stopped', emergency('stopped', { lastStop: LAST_STOP })],
  ['blind', (world) => void (world.observer.blind = 'no terminal server answers')],
  ['degraded', (world) => void (world.observer.troubles = { settings: 'stuck: expected a number' })],
  ['held', mass({ what: 'died' })],
  ['paused', pause],
]

function emergency(
  state: World['house']['emergency']['state'],
  more: Partial<World['house']> & { survivors?: string[]; by?: string } = {},
): (world: World) => void {
  const { survivors = [], by = 'you', ...house } = more
  return (world) => void (world.house = { ...world.house, ...house, emergency: { state, by, attempts: 1, survivors } })
}

function pause(world: World): void {
  world.house = { ...world.house, monitoring: 'paused', pausedBy: 'you' }
}

function mass(more: { what?: string } = {}): (world: World) => void {
  return (world) => {
    const item = { id: 'n-4', kind: 'mass', sentence: 's', hint: 'Look at the network.', raisedWallAt: 0 } as const
    world.house = { ...world.house, mass: { sinceAt: 0, agents: ['a', 'b', 'c', 'd'], ...more }, needsYou: [item] }
  }
}

test('of every combination of conditions the worst is said, with a remedy for all but watching', () => {
  for (let mask = 0; mask < 2 ** WAYS.length; mask += 1) {
    const chosen = WAYS.filter((_, index) => (mask & (1 << index)) !== 0)
    const view = houseView(worldWith(...chosen.map(([, change]) => change)), at)
    expect(schema.parse(view)).toEqual(view)
    expect(view.condition).toBe(chosen[0]?.[0] ?? 'watching')
    expect(view.remedy === undefined).toBe(view.condition === 'watching')
  }
  expect(WAYS.map(([condition]) => condition)).toEqual(CONDITIONS.filter((each) => each !== 'watching'))
})

const living =
  (...lifecycles: ('active' | 'idle' | 'suspended' | 'stopped')[]) =>
  (world: World) => {
    for (const [n, lifecycle] of lifecycles.entries()) setAgent(world, agentRecord({ id: `agent-${n}`, lifecycle }))
  }

/** As the last look saw it. */
const seen = (id: string, witness: 'process' | 'terminal', alive: boolean) => (world: World) => {
  const agent = world.agents.get(id) ?? agentRecord({ id })
  setAgent(world, { ...agent, evidence: { ...agent.evidence, [witness]: { seenAt: 0, changedAt: 0, alive } } })
}

test.each<{ changes: ((world: World) => void)[]; sentence: string; command?: string }>([
  { changes: [], sentence: 'Watching 0 agents' },
  { changes: [living('idle', 'idle', 'active', 'suspended', 'stopped')], sentence: 'Watching 3 agents' },
  {
    changes: [living('idle', 'active'), seen('agent-0', 'process', false), seen('agent-1', 'process', true)],
    sentence: 'Watching 1 agent',
  },
  { changes: [living('idle', 'active'), seen('agent-1', 'terminal', false)], sentence: 'Watching 1 agent' },
  {
    changes: [living('active'), seen('agent-0', 'process', false), seen('agent-0', 'process', true)],
    sentence: 'Watching 1 agent',
  },
  {
    changes: [living('active'), (world) => void (world.observer.looksOwed = 2)],
    sentence: 'Watching 1 agent; nobody is judged before 2 more looks',
  },
  {
    changes: [emergency('stopping', { lastStop: { ...LAST_STOP, ended: [], of: 25 } })],
    sentence: 'Stopping since <7> by you: 25 agents are being ended',
  },
  {
    changes: [emergency('stopping', { by: 'sentinel' }), living('idle')],
    sentence: 'Stopping: 1 agent is being ended',
  },
  {
    changes: [emergency('stopped', { lastStop: LAST_STOP })],
    sentence: 'Stopped at <7> by you: 2 of 2 ended',
    command: 'pan cloister resume',
  },
  {
    changes: [emergency('stopped', { lastStop: { ...LAST_STOP, of: 3 }, survivors: ['x (4)'] })],
    sentence: 'Stopped at <7> by you: 2 of 3 ended, 1 process survived',
    command: 'pan cloister resume',
  },
  {
    changes: [emergency('stopped', { lastStop: { ...LAST_STOP, ended: [], confirmed: false } })],
    sentence: 'Stopped at <7> by you: nobody confirmed that the agents ended',
    command: 'pan cloister resume',
  },
  {
    changes: [emergency('stopped')],
    sentence: 'Stopped by you: the agents were ended',
    command: 'pan cloister resume',
  },
  {
    changes: [emergency('rearming', { lastStop: LAST_STOP })],
    sentence: 'Resuming: the stop at <7> by you is being taken back',
  },
  {
    changes: [(world) => void (world.observer.blind = 'tmux is gone')],
    sentence: 'Cannot see the agents: tmux is gone',
    command: 'pan doctor',
  },
  {
    changes: [(world) => void (world.observer.late = true)],
    sentence: 'Degraded: Cloister was late itself and catches up',
    command: 'pan doctor',
  },
  {
    changes: [(world) => Object.assign(world.observer, { doubted: true, looksOwed: 1 })],
    sentence: 'Degraded: it sees again, and judges nobody before 1 more look',
    command: 'pan doctor',
  },
  {
    changes: [(world) => void (world.observer.troubles = { journal: 'No space.', settings: 'Bad.' })],
    sentence: 'Degraded: files cannot be written; settings are broken',
    command: 'pan doctor',
  },
  {
    changes: [(world) => void (world.observer.troubles = { settings: 'Bad.' })],
    sentence: 'Degraded: settings are broken',
    command: 'pan config validate',
  },
  {
    changes: [(world) => void (world.observer.troubles = { settings: 'Bad.' }), pause],
    sentence: 'Degraded: settings are broken; paused by you',
    command: 'pan config validate',
  },
  {
    changes: [mass({ what: 'died' }), pause],
    sentence: 'Acts are held: 4 agents died at once; paused by you',
    command: 'pan inbox settle n-4',
  },
  {
    changes: [mass({ what: 'died' })],
    sentence: 'Acts are held: 4 agents died at once',
    command: 'pan inbox settle n-4',
  },
  { changes: [mass()], sentence: 'Acts are held: 4 agents turned bad at once', command: 'pan inbox settle n-4' },
  {
    changes: [pause],
    sentence: 'Paused by you',
    command: 'pan cloister start',
  },
])('$sentence', ({ changes, sentence, command }) => {
  const view = houseView(worldWith(...changes), at)
  expect([view.sentence, view.remedy?.command]).toEqual([sentence, command])
})

test('without a daemon nobody sees the agents, but what was stopped is stopped', () => {
  expect(houseView(unwatched(worldWith(living('active'))), at)).toEqual({
    condition: 'blind',
    sentence: 'Cannot see the agents: no daemon watches',
    remedy: { sentence: 'Nobody is judged, helped or stopped by a rule until one is started.', command: 'pan up' },
  })
  const halted = worldWith(emergency('stopped', { lastStop: LAST_STOP }))
  const { condition, sentence } = houseView(halted, at)
  expect(houseView(unwatched(halted), at)).toMatchObject({ condition, sentence })
})

test('the last word of a daemon stays true: whoever is stopped or resumed after it, nobody is watched or started', () => {
  const view = statusFile(unwatched(worldWith(living('active', 'idle'))), at)
  expect([view.watching, view.remedy?.sentence]).toEqual([0, expect.not.stringMatching(/go on|unwatched/)])
  const halted = statusFile(unwatched(worldWith(emergency('stopped', { lastStop: LAST_STOP }))), at)
  expect(halted.remedy?.sentence).toBe('Nothing is started or typed until you resume and a daemon runs.')
})

test('what is published says how many live and when they were last looked at', () => {
  const world = worldWith(living('idle', 'active'))
  world.observer.lastLookWallAt = 0
  const file = statusFile(world, at)
  expect(fileSchema.parse(file)).toEqual(file)
  expect(file).toEqual({
    ...{ condition: 'watching', sentence: 'Watching 2 agents', watching: 2 },
    lastCheck: '1970-01-01T00:00:00.000Z',
  })
})
