import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemLog } from './problem-log.ts'

let said: string[]

beforeEach(() => {
  vi.useFakeTimers()
  said = []
})
afterEach(() => {
  vi.useRealTimers()
})

const log = () => problemLog((sentence) => void said.push(sentence))

test('the same problem is said at once, and then once a second how often it came again', () => {
  const problem = log()
  for (let n = 0; n < 1_000; n += 1) problem('The disk is full.\n    at somewhere')
  expect(said).toEqual(['The disk is full.\n    at somewhere'])
  vi.advanceTimersByTime(1_000)
  expect(said.slice(1)).toEqual(['999 more times: The disk is full.'])
  problem('The disk is full.\n    at somewhere')
  vi.advanceTimersByTime(5_000)
  expect(said.slice(2)).toEqual(['The disk is full.\n    at somewhere'])
})

test('of very many different ones twenty a second are said', () => {
  const problem = log()
  for (let n = 0; n < 1_000; n += 1) problem(`Problem ${n}`)
  vi.advanceTimersByTime(1_000)
  expect([said.length, said.at(-1)]).toEqual([21, '980 more problems within a second are left out.'])
})

test('an error is said with where it came from', () => {
  const error = new Error('no')
  log()(error)
  expect(said).toEqual([error.stack])
})
