/** What is said of a workspace that is gone or without its repository, and until when. */
import { expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Sighting } from '../contract/evidence.ts'
import { agentView } from './views.ts'
import { setAgent } from './world.ts'

const ID = 'agent-1'
const why = '/shop/w/.git is no repository any more'

function seen(sim: Sim, git: Partial<Sighting>) {
  sim.look([{ agent: ID, generation: 1, witness: 'git', ...git }])
  const agent = sim.world.agents.get(ID)
  if (agent === undefined) throw new Error('nobody was spawned')
  const [item] = agent.needsYou.filter(({ kind }) => kind === 'no_workspace')
  return { branch: agentView(sim.world, ID)?.branch, sentence: item?.sentence, hint: item?.hint }
}

function house(): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  return sim
}

test('a folder that is there again is not enough: the item ends when the repository is back, and no branch is shown before', () => {
  const sim = house()
  const there = { stamp: 'g1', branch: 'feature' }
  const nothing = { sentence: undefined, hint: undefined }
  expect(seen(sim, there)).toEqual({ branch: 'feature', ...nothing })
  const gone = seen(sim, { missing: true })
  expect(gone).toMatchObject({
    branch: undefined,
    sentence: expect.stringMatching(/^The workspace of .* is gone/) as string,
  })
  const other = seen(sim, { unusable: { why, instead: '/shop' } })
  expect(other).toMatchObject({ branch: undefined, sentence: `The repository of agent-1 cannot be used: ${why}.` })
  expect(other.hint).toMatch(/^What it commits may land in \/shop, on the branch that is checked out there/)
  expect(seen(sim, there)).toEqual({ branch: 'feature', ...nothing })
  expect(seen(sim, { unusable: { why } }).hint).toMatch(/^It cannot commit\. Mend it/)
})

test('of one in no repository it is said that a link is in the place of its folder, and not that it cannot commit', () => {
  const sim = house()
  const agent = sim.world.agents.get(ID)
  if (agent !== undefined) setAgent(sim.world, { ...agent, repository: 'none' })
  const moved = '/w leads to /home now, and was a folder when the agent was started'
  expect(seen(sim, { unusable: { why: moved } })).toMatchObject({
    sentence: `The workspace of agent-1 is not its own any more: ${moved}.`,
    hint: expect.stringMatching(/^Nothing of what lies there is saved\. Put its folder back/) as string,
  })
})

test('where nothing was saved, nothing is to be brought back', () => {
  const { hint } = seen(house(), { missing: true })
  expect(hint).toBe(
    'Nothing that it had not committed was saved before. Make the workspace again, or end the agent with `pan agents kill agent-1`.',
  )
})
