import { expect, test } from 'vitest'
import { Cursor } from './cursor.tsx'

test('everybody is told once of each change and of nothing else', () => {
  const cursor = new Cursor()
  const seen: unknown[] = []
  const leave = cursor.subscribe(() => seen.push(cursor.current()))
  cursor.set({ at: 60_000, agent: 'a' })
  cursor.set({ at: 60_000, agent: 'a' })
  cursor.set({ at: 60_000, agent: 'b' })
  cursor.set(undefined)
  leave()
  cursor.set({ at: 0, agent: 'a' })
  expect(seen).toEqual([{ at: 60_000, agent: 'a' }, { at: 60_000, agent: 'b' }, undefined])
})
