import { expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import type { Ground, Repository } from '../contract/repository.ts'
import { ownAfterStart, ownOf } from './own-repository.ts'

const at = (top: string, gitDir = `${top}/.git`): Exclude<Repository, 'none'> => ({
  ...{ top, gitDir, commonDir: gitDir, owner: 1000 },
})
const WORK = at('/shop/workspaces/feature')
const AROUND = at('/shop')
const ANEW = at(WORK.top, '/shop/.git/worktrees/feature1')

test.each<[string, Repository | undefined, Repository | undefined, Repository | undefined]>([
  ['the first start', undefined, WORK, WORK],
  ['in no repository', undefined, 'none', 'none'],
  ['nobody could look', WORK, undefined, undefined],
  ['the same again', WORK, WORK, WORK],
  ['a worktree that was made anew in its place', WORK, ANEW, ANEW],
  ['its own cannot be used, and the one around it shows itself', WORK, AROUND, undefined],
  ['its own cannot be used, and there is no other', WORK, 'none', undefined],
  ['a person made one where there was none', 'none', WORK, WORK],
])('%s', (_, repository, found, kept) => {
  const agent = agentRecord(repository === undefined ? {} : { repository })
  expect(ownAfterStart(agent, found === undefined ? {} : { repository: found })).toEqual(
    kept === undefined ? {} : { repository: kept },
  )
})

test.each<[string, Ground, Ground, Ground]>([
  ['the first start', {}, { place: '/w' }, { place: '/w' }],
  [
    'the same folder',
    { repository: 'none', place: '/w' },
    { repository: WORK, place: '/w' },
    { repository: WORK, place: '/w' },
  ],
  ['a link in its place', { repository: 'none', place: '/w' }, { repository: 'none', place: '/home' }, {}],
  ['nobody could look', { place: '/w' }, {}, {}],
])('its folder: %s', (_, known, found, kept) => {
  expect(ownAfterStart(known, found)).toEqual(kept)
})

test('of one that was started before its repository was kept, the root of its worktree counts', () => {
  const { worktree: _, repository: __, ...rest } = agentRecord({})
  expect([ownOf({ ...rest, worktree: '/shop' }), ownOf({ ...rest, worktree: '/shop', repository: 'none' })]).toEqual([
    { top: '/shop' },
    'none',
  ])
  expect(ownOf(rest)).toBe(undefined)
})
