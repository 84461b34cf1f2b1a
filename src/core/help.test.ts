import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { explainView } from './explain.ts'
import { whyUnhelped } from './help.ts'
import { statusView, agentView } from './views.ts'

async function played(...lines: string[]): Promise<House> {
  const house = new House()
  const isSetting = (line: string) => line.startsWith('set ')
  for (const line of ['set stuck_escalation off', ...lines].filter(isSetting)) await perform(house, line)
  await house.boot()
  for (const line of ['agents 1', 'agent-1 ignores pokes', 'wait 5m', ...lines]) {
    if (!isSetting(line)) await perform(house, line)
  }
  house.loop.stop()
  return house
}

const hangs = ['agent-1 hangs', 'wait 16m']

/** Of one that hangs for a quarter of an hour: why no rule helps it, and the items about it. */
test.each<[string, string[], string | undefined, string[]]>([
  ['it was poked', hangs, undefined, []],
  ['it is held', ['hold agent-1 2h lunch', ...hangs], 'it is held by you: lunch', ['unhelped']],
  ['it is frozen', ['freeze agent-1 2h lunch', ...hangs], 'it is frozen by you: lunch', ['unhelped']],
  ['pokes are off', ['set poke_on_warning off', ...hangs], 'automatic pokes are off', ['unhelped']],
  [
    'pokes are off, and its work goes to somebody else',
    ['set poke_on_warning off', 'set stuck_escalation on', ...hangs],
    undefined,
    [],
  ],
  ['monitoring is paused', [...hangs, 'pause', 'wait 2m'], 'monitoring is paused', ['unhelped']],
  [
    'nobody sees anything',
    [...hangs, 'terminal down', 'wait 5m'],
    'Cloister cannot see the agents: no terminal server answers',
    ['unhelped'],
  ],
  ['nobody saw anything for a moment', [...hangs, 'terminal down', 'wait 1m'], undefined, []],
  ['it was poked as often as it may be', ['agent-1 hangs', 'wait 3h'], undefined, ['attention']],
  ['it works again', ['hold agent-1 2h lunch', ...hangs, 'agent-1 works', 'wait 1m'], undefined, []],
  ['it rests', ['hold agent-1 2h lunch', ...hangs, 'agent-1 idles', 'wait 1m'], undefined, []],
  ['it is let go', ['hold agent-1 2h lunch', ...hangs, 'release agent-1', 'wait 1m'], undefined, []],
  [
    'a person has seen it',
    ['hold agent-1 2h lunch', ...hangs, 'settle unhelped', 'wait 5m'],
    'it is held by you: lunch',
    [],
  ],
  [
    'a person saw it, and it was well in between',
    [
      ...['hold agent-1 2h lunch', ...hangs, 'settle unhelped', 'agent-1 works', 'wait 1m'],
      ...['agent-1 hangs', 'wait 16m'],
    ],
    'it is held by you: lunch',
    ['unhelped'],
  ],
  ['its service fails, and its program tries again', ['agent-1 is failed for now', 'wait 16m'], undefined, ['quiet']],
])('in trouble: %s', async (_, lines, why, kinds) => {
  const { world } = (await played(...lines)).loop
  const agent = world.agents.get('agent-1')
  expect(agent && [whyUnhelped(world, agent), agent.needsYou.map(({ kind }) => kind)]).toEqual([why, kinds])
})

test('a common trouble is one item that names its agents; each of them says so, and later ones have their own', async () => {
  const silent = ['agent-1', 'agent-2', 'agent-3'].map((id) => `${id} falls silent`)
  const { world } = (await played('agents 8', 'wait 5m', ...silent, 'wait 5m', 'agent-4 falls silent', 'wait 16m')).loop
  const { needsYou, needsYouCount } = statusView(world)
  expect(needsYou.map(({ kind, agent, agents }) => ({ kind, about: agents ?? [agent] }))).toEqual([
    { kind: 'mass', about: ['agent-1', 'agent-2', 'agent-3'] },
    { kind: 'unhelped', about: ['agent-4'] },
  ])
  expect(needsYouCount).toBe(2)
  const shown = (id: string) => {
    const next = explainView(world, id)?.next.map(({ what }) => what) ?? []
    return { needsYou: agentView(world, id)?.needsYou, pokes: next.filter((what) => what.includes('poke')), next }
  }
  const HELD = 'no rule helps it: several agents are in trouble at once; a person is asked'
  for (const id of ['agent-1', 'agent-2', 'agent-3', 'agent-4']) {
    expect(shown(id)).toMatchObject({ needsYou: 1, pokes: [] })
    expect(shown(id).next).toContain(HELD)
  }
  expect(shown('agent-5')).toMatchObject({
    needsYou: undefined,
    pokes: ['held back (several agents are in trouble at once): poke 1 of 3, if nothing moves'],
  })
})
