/** What every `Git` promises, the real one and the one in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Git } from '../../src/core/git-port.ts'
import { worktreeOf } from '../../src/core/own-repository.ts'
import { refOf } from '../samples/saved.ts'

/** A repository with one commit and a clean worktree, and the ways in which an agent changes it. */
export interface GitPlace {
  git: Git
  workspace: string
  /** A folder that is in no repository. */
  outside: string
  edit: (path: string, text: string) => Promise<void>
  stage: (path: string) => Promise<void>
  commit: () => Promise<void>
  /** The text that a snapshot holds for a path. */
  saved: (ref: string, path: string) => Promise<string | undefined>
  remove: () => Promise<void>
}

export function gitSuite(name: string, makePlace: () => Promise<GitPlace>): void {
  describe(`git: ${name}`, () => {
    let place: GitPlace

    beforeEach(async () => {
      place = await makePlace()
    })

    afterEach(() => place.remove())

    const stamp = async () => (await place.git.lookIn(place.workspace))?.stamp

    test('sees nothing outside a repository, and saves nothing there', async () => {
      expect(await place.git.lookIn(place.outside)).toBe(undefined)
      expect(await place.git.lookIn(`${place.outside}/missing`)).toBe(undefined)
      expect(await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.outside })).toBe('no_repository')
    })

    test('a worktree is the same from any folder in it; outside of one the folder itself counts', async () => {
      await place.edit('deep/a.txt', 'deep')
      const [top, deep] = [place.workspace, `${place.workspace}/deep`]
      const [outside, missing] = [place.outside, `${place.outside}/missing`]
      const found = await Promise.all([top, deep, outside, missing].map((each) => place.git.find(each)))
      expect(found.slice(0, 3).map((one) => one.place)).toEqual([top, deep, outside])
      expect(
        [top, deep, outside, missing].map((each, at) => worktreeOf(each, found[at] ?? { repository: 'none' })),
      ).toEqual([...[top, top, outside, missing]])
    })

    test('a look without a change gives the same stamp, and an age that is not negative', async () => {
      const first = await place.git.lookIn(place.workspace)
      expect(first).toEqual({
        stamp: expect.any(String) as string,
        ageMs: expect.any(Number) as number,
        conflicts: [],
        branch: 'main',
      })
      expect(first?.ageMs).toBeGreaterThanOrEqual(0)
      expect(await stamp()).toBe(first?.stamp)
    })

    test('staging and committing give new stamps', async () => {
      const stamps = [await stamp()]
      await place.edit('a.txt', 'staged')
      await place.stage('a.txt')
      stamps.push(await stamp())
      await place.commit()
      stamps.push(await stamp())
      expect(new Set(stamps).size).toBe(3)
    })

    test('a salvage leaves the stamp as it is', async () => {
      await place.edit('a.txt', 'changed')
      const before = await stamp()
      await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace })
      expect(await stamp()).toBe(before)
    })

    test('with nothing uncommitted there is no snapshot', async () => {
      expect(await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace })).toBe('clean')
      await place.edit('a.txt', 'changed')
      await place.commit()
      expect(await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace })).toBe('clean')
    })

    test('a snapshot holds changed and new files as they were then', async () => {
      await place.edit('a.txt', 'changed')
      await place.edit('new/file.txt', 'new')
      const ref = refOf(await place.git.salvage({ agent: 'pan-1', generation: 3, workspace: place.workspace }))
      await place.edit('a.txt', 'changed later')
      expect({
        ref,
        changed: await place.saved(ref, 'a.txt'),
        added: await place.saved(ref, 'new/file.txt'),
        missing: await place.saved(ref, 'other.txt'),
      }).toEqual({ ref: 'refs/cloister/pan-1/3-1', changed: 'changed', added: 'new', missing: undefined })
    })

    test('no snapshot is ever replaced', async () => {
      const refs: string[] = []
      for (const [agent, generation] of [
        ['pan-1', 1],
        ['pan-1', 1],
        ['pan-1', 2],
        ['pan-18', 1],
        ['pan-1', 1],
      ] as const) {
        await place.edit('a.txt', `version ${refs.length}`)
        refs.push(refOf(await place.git.salvage({ agent, generation, workspace: place.workspace })))
      }
      expect(refs).toEqual([
        'refs/cloister/pan-1/1-1',
        'refs/cloister/pan-1/1-2',
        'refs/cloister/pan-1/2-1',
        'refs/cloister/pan-18/1-1',
        'refs/cloister/pan-1/1-3',
      ])
      const texts = await Promise.all(refs.map((ref) => place.saved(ref, 'a.txt')))
      expect(texts).toEqual(refs.map((_, at) => `version ${at}`))
    })

    test('what has not changed since a snapshot is not saved again, what has is', async () => {
      const salvage = (since?: string) =>
        place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace, since })
      await place.edit('a.txt', 'one')
      const first = refOf(await salvage())
      expect(refOf(await salvage(first))).toBe(first)
      await place.edit('a.txt', 'two')
      const second = refOf(await salvage(first))
      expect([second, await place.saved(second, 'a.txt')]).toEqual(['refs/cloister/pan-1/1-2', 'two'])
      expect(refOf(await salvage(second))).toBe(second)
    })

    test('where another repository than its own shows itself, there is none', async () => {
      await place.edit('a.txt', 'changed')
      const { git, workspace } = place
      const { repository: own } = await git.find(workspace)
      const outside = (await git.find(place.outside)).repository
      expect([own === 'none', outside, await git.isGone(workspace)]).toEqual([false, 'none', false])
      const given = { agent: 'pan-1', generation: 1, workspace }
      expect([await git.lookIn(workspace, 'none'), await git.salvage({ ...given, own: 'none' })]).toEqual([
        undefined,
        'no_repository',
      ])
      expect([(await git.lookIn(workspace, own))?.stamp, refOf(await git.salvage({ ...given, own }))]).toEqual([
        await stamp(),
        'refs/cloister/pan-1/1-1',
      ])
    })

    test('salvages at the same time get refs of their own', async () => {
      await place.edit('a.txt', 'changed')
      const saved = await Promise.all(
        [1, 2, 3].map(() => place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace })),
      )
      expect(new Set(saved.map(refOf))).toEqual(new Set([1, 2, 3].map((n) => `refs/cloister/pan-1/1-${n}`)))
    })

    test('describes branch, newest commit and dirty files; nothing outside a repository', async () => {
      expect(await place.git.describe(place.outside)).toBe(undefined)
      await place.edit('kept.txt', 'first')
      await place.commit()
      await place.edit('kept.txt', 'changed')
      await place.edit('new.txt', 'new')
      expect(await place.git.describe(place.workspace)).toEqual({
        branch: 'main',
        head: {
          hash: expect.stringMatching(/^[0-9a-f]{40,64}$/) as string,
          subject: expect.any(String) as string,
          committedWallAt: expect.any(Number) as number,
        },
        dirty: [
          { path: 'kept.txt', state: 'modified', staged: false },
          { path: 'new.txt', state: 'untracked', staged: false },
        ],
        dirtyTotal: 2,
        upstream: undefined,
      })
    })

    test("lists an agent's own snapshots, and none outside a repository", async () => {
      await place.edit('a.txt', 'one')
      await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace })
      await place.git.salvage({ agent: 'pan-2', generation: 1, workspace: place.workspace })
      await place.edit('b.txt', 'two')
      await place.git.salvage({ agent: 'pan-1', generation: 2, workspace: place.workspace })
      const shown = (await place.git.salvages('pan-1', place.workspace)).map(({ ref, agent, generation, files }) => ({
        ...{ ref, agent, generation, files },
      }))
      expect(shown).toEqual([
        { ref: 'refs/cloister/pan-1/1-1', agent: 'pan-1', generation: 1, files: 1 },
        { ref: 'refs/cloister/pan-1/2-1', agent: 'pan-1', generation: 2, files: 2 },
      ])
      expect(await place.git.salvages('pan-1', place.outside)).toEqual([])
    })

    test('a restore brings back what was saved, refuses to lose work, and by force saves it first', async () => {
      await place.edit('a.txt', 'saved')
      await place.edit('b.txt', 'saved')
      const ref = refOf(await place.git.salvage({ agent: 'pan-1', generation: 1, workspace: place.workspace }))
      await place.edit('a.txt', 'later')
      const restore = async (more: object) => {
        const { written, same, refused, savedFirst } = await place.git.restore({
          agent: 'pan-1',
          workspace: place.workspace,
          ref,
          ...more,
        })
        return { written, same, refused: refused.map(({ path }) => path), savedFirst }
      }
      expect(await restore({})).toEqual({ written: [], same: ['b.txt'], refused: ['a.txt'], savedFirst: undefined })
      expect(await restore({ paths: ['b.txt'] })).toEqual({
        ...{ written: [], same: ['b.txt'], refused: [], savedFirst: undefined },
      })
      const forced = await restore({ force: true })
      expect({ ...forced, lost: await place.saved(forced.savedFirst ?? '', 'a.txt') }).toEqual({
        ...{ written: ['a.txt'], same: ['b.txt'], refused: [], lost: 'later' },
        savedFirst: expect.stringMatching(/^refs\/cloister\/pan-1\/1-\d+$/) as string,
      })
      const found = await place.git.salvages('pan-1', place.workspace)
      expect(found.map((one) => [one.ref === ref, one.replaced])).toEqual([
        [true, undefined],
        [false, true],
      ])
      expect(await restore({})).toEqual({ written: [], same: ['a.txt', 'b.txt'], refused: [], savedFirst: undefined })
      await expect(place.git.restore({ agent: 'pan-1', workspace: place.workspace, ref: `${ref}9` })).rejects.toThrow(
        'no snapshot',
      )
    })
  })
}
