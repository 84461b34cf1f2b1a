/** What every `TaskSource` promises: beads, Claude Code's own lists, and the one in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Task } from '../../src/contract/tasks.ts'
import type { TaskList, TaskPlace, TaskSource } from '../../src/core/tasks-port.ts'

export interface NewTask {
  /** Tasks that must be closed first. */
  after?: readonly string[]
  complexity?: string
  model?: string
  tags?: readonly string[]
}

/** An empty list, and the ways in which people and agents change it. */
export interface TasksPlace {
  source: TaskSource
  place: TaskPlace
  /** Where there is no list. */
  elsewhere: TaskPlace
  add: (title: string, given?: NewTask) => Promise<string>
  begin: (id: string) => Promise<void>
  close: (id: string) => Promise<void>
  remove: () => Promise<void>
}

export function tasksSuite(name: string, makePlace: () => Promise<TasksPlace>): void {
  describe(`tasks: ${name}`, () => {
    let place: TasksPlace

    beforeEach(async () => {
      place = await makePlace()
    })

    afterEach(() => place.remove())

    const list = async (): Promise<TaskList> => {
      const found = await place.source.find(place.place)
      if ('missing' in found) throw new Error(found.missing)
      return found
    }
    const read = async () => (await list()).read()
    const states = async () => Object.fromEntries((await read()).map(({ id, state }) => [id, state]))

    test('without a list it says what is missing', async () => {
      const found = await place.source.find(place.elsewhere)
      expect(found).toEqual({ missing: expect.any(String) as string })
    })

    test('an empty list is a list; the same list has the same key', async () => {
      expect(await read()).toEqual([])
      expect((await list()).key).toBe((await list()).key)
    })

    test('a task is open until it is begun, and closed at the end', async () => {
      const id = await place.add('Plan the monitor')
      expect(await states()).toEqual({ [id]: 'open' })
      await place.begin(id)
      expect(await states()).toEqual({ [id]: 'in_progress' })
      await place.close(id)
      expect(await states()).toEqual({ [id]: 'closed' })
    })

    test('what waits for another task is blocked until that one is closed', async () => {
      const plan = await place.add('Plan')
      const build = await place.add('Build', { after: [plan] })
      const test = await place.add('Test', { after: [build] })
      expect(await states()).toEqual({ [plan]: 'open', [build]: 'blocked', [test]: 'blocked' })
      const waiting = (await read()).map(({ id, blockedBy }) => [id, blockedBy] as const)
      expect(Object.fromEntries(waiting)).toEqual({ [plan]: [], [build]: [plan], [test]: [build] })
      await place.close(plan)
      expect(await states()).toEqual({ [plan]: 'closed', [build]: 'open', [test]: 'blocked' })
      expect((await read()).find(({ id }) => id === build)?.blockedBy).toEqual([])
    })

    test('tells what whoever wrote it stated', async () => {
      const id = await place.add('Secure the door', { complexity: 'expert', model: 'opus', tags: ['security'] })
      const [task] = await read()
      const told: Partial<Task> = {
        id,
        title: 'Secure the door',
        tags: ['security'],
        complexity: { value: 'expert', from: 'metadata' },
        suggestedModel: 'opus',
      }
      expect(task).toMatchObject(told)
    })

    test('a title is one line, however it was written', async () => {
      await place.add(`  Two\nlines \u001b[31mand colours  `)
      await place.add('long '.repeat(90).trim())
      const titles = (await read()).map(({ title }) => title)
      expect(titles[0]).toMatch(/^Two lines .*and colours$/)
      expect(titles[0]).not.toMatch(/\p{Cc}/u)
      expect(titles[1]?.length).toBeLessThanOrEqual(200)
    })

    test('a look changes nothing', async () => {
      const plan = await place.add('Plan')
      await place.add('Build', { after: [plan] })
      expect(await read()).toEqual(await read())
    })
  })
}
