import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { task as taskSchema, type Task } from '../../contract/tasks.ts'
import { readTasks } from './read-tasks.ts'

const file = (text: string) => ({ text, changedWallAt: 1000 })
const fixture = (name: string) => file(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'))

test('reads what the client wrote; what is done blocks nothing, though it stays in the list of blockers', () => {
  expect(readTasks([fixture('1'), fixture('2')])).toEqual<Task[]>([
    {
      id: '1',
      title: 'Plan heartbeat',
      state: 'closed',
      tags: [],
      blockedBy: [],
      assignee: 'planner',
      complexity: { value: 'expert', from: 'metadata' },
      changedWallAt: 1000,
    },
    { id: '2', title: 'Implement', state: 'open', tags: [], blockedBy: [], changedWallAt: 1000 },
  ])
})

test('what was deleted blocks nothing; what is half written is left out', () => {
  const waits = file('{"id":"2","subject":"Build","status":"pending","blockedBy":["1","3"]}')
  const open = file('{"id":"3","subject":"Plan","status":"in_progress","blockedBy":[]}')
  const half = file('{"id":"4","subj')
  expect(readTasks([waits, open, half]).map(({ id, state, blockedBy }) => [id, state, blockedBy])).toEqual([
    ['2', 'blocked', ['3']],
    ['3', 'in_progress', []],
  ])
})

test('whatever stands in the files, tasks have their shape', () => {
  const keys = ['id', 'subject', 'status', 'blockedBy', 'metadata', 'owner', 'description', '__proto__']
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 500 }))
  const row = fc.dictionary(fc.constantFrom(...keys), value).map((fields) => JSON.stringify(fields))
  fc.assert(
    fc.property(fc.array(fc.oneof(row, fc.string({ unit: 'binary' }), fc.json()), { maxLength: 5 }), (texts) => {
      for (const each of readTasks(texts.map(file))) expect(taskSchema.safeParse(each)).toMatchObject({ success: true })
    }),
  )
})
