/** What git says of an agent's work loses its secrets where it comes in. */
import { expect, test } from 'vitest'
import type { AgentRecord } from '../contract/records.ts'
import type { Git } from '../core/git-port.ts'
import { gitView, salvagesView } from './work-view.ts'

const KEY = 'ghp_0123456789abcdef'
const agent = { id: 'agent-1', workspace: '/w' } as AgentRecord

const git: Pick<Git, 'describe' | 'salvages'> = {
  describe: () =>
    Promise.resolve({
      branch: `fix/${KEY}`,
      head: { hash: 'a1', subject: `use ${KEY}`, committedWallAt: 0 },
      dirty: [{ path: `notes/${KEY}.txt`, state: 'untracked', staged: false }],
      dirtyTotal: 1,
      upstream: { name: `origin/fix/${KEY}`, ahead: 1, behind: 0 },
    }),
  salvages: () =>
    Promise.resolve([
      {
        ref: 'refs/cloister/agent-1/3-1',
        agent: 'agent-1',
        generation: 3,
        savedWallAt: 0,
        files: 1,
        commit: 'b2',
        branch: `fix/${KEY}`,
        notes: [`${KEY}.bin is too large.`],
      },
    ]),
}

test('branches, subjects, paths and notes', async () => {
  const salvages = [
    {
      ref: 'refs/cloister/agent-1/3-1',
      name: '3-1',
      commit: 'b2',
      generation: 3,
      savedAt: '1970-01-01T00:00:00.000Z',
      files: 1,
      branch: 'fix/«secret»',
      notes: ['«secret».bin is too large.'],
    },
  ]
  expect(await gitView(git, agent)).toEqual({
    agent: 'agent-1',
    workspace: '/w',
    repository: true,
    branch: 'fix/«secret»',
    head: { hash: 'a1', subject: 'use «secret»', committedAt: '1970-01-01T00:00:00.000Z' },
    upstream: { name: 'origin/fix/«secret»', ahead: 1, behind: 0 },
    dirty: [{ path: 'notes/«secret».txt', state: 'untracked', staged: false }],
    dirtyTotal: 1,
    salvages,
  })
  expect(await salvagesView(git, agent)).toEqual({ agent: 'agent-1', workspace: '/w', salvages })
})
