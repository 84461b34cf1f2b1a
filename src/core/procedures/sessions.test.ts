/** The machines of an agent's conversation, drawn: each is exactly its table, and its ends are ends. */
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../contract/effects.ts'
import type { Row } from '../machine.ts'
import { CLEAR, clearInput } from './clear.ts'
import { COME_TO_REST, restInput } from './come-to-rest.ts'
import { DELIVER, deliverInput, MAX_TRIES } from './deliver.ts'
import { RESUME, resumeInput } from './resume.ts'
import { SUSPEND } from './suspend.ts'

/** What is not drawn stays where it is and does nothing. */
const TABLES: Record<string, [Record<string, Record<string, Row<string, string>>>, string]> = {
  deliver: [
    DELIVER,
    `
doing       typed      confirming   await
doing       accepted   heard        finish
doing       held       queued       wait
doing       absent     queued       wait
doing       spent      undelivered  give_up
doing       found      heard        finish
doing       unsure     confirming   await
doing       unfit      undelivered  give_up
doing       fenced     undelivered  give_up
doing       heard      heard        finish
doing       timed_out  confirming   await
confirming  heard      heard        finish
confirming  found      heard        finish
confirming  timed_out  checking     check
checking    typed      confirming   await
checking    absent     queued       retry
checking    spent      undelivered  give_up
checking    found      heard        finish
checking    unsure     undelivered  give_up
checking    fenced     undelivered  give_up
checking    heard      heard        finish
checking    timed_out  undelivered  give_up`,
  ],
  resume: [
    RESUME,
    `
doing    started    proving  prove
doing    fresh      proving  prove
doing    refused    failed   report
doing    unsure     proving  prove
doing    fenced     failed   report
doing    timed_out  proving  prove
proving  reported   resumed  finish
proving  died       lost     begin_anew
proving  timed_out  resumed  finish`,
  ],
  suspend: [
    SUSPEND,
    `
salvaging  done       ending      end
salvaging  not_done   refused     refuse
salvaging  unknown    salvaging   retry
salvaging  fenced     refused     refuse
salvaging  timed_out  refused     refuse
salvaging  awake      refused     refuse
ending     done       saving      save
ending     over       suspended   finish
ending     survivors  incomplete  report
ending     not_done   ending      retry
ending     unknown    ending      retry
ending     fenced     refused     refuse
ending     timed_out  incomplete  report
saving     done       suspended   finish
saving     not_done   suspended   finish_unsaved
saving     unknown    saving      retry
saving     fenced     suspended   finish_unsaved
saving     timed_out  suspended   finish_unsaved`,
  ],
  'come to rest': [
    COME_TO_REST,
    `
doing       done       confirming  await
doing       rests      rested      finish
doing       unsure     confirming  await
doing       refused    failed      give_up
doing       fenced     failed      give_up
doing       timed_out  confirming  await
confirming  rests      rested      finish
confirming  timed_out  checking    check
checking    rests      rested      finish
checking    works      confirming  await
checking    works_on   doing       press
checking    unsure     confirming  await
checking    spent      failed      give_up
checking    refused    failed      give_up
checking    fenced     failed      give_up
checking    timed_out  confirming  await`,
  ],
  clear: [
    CLEAR,
    `
doing       typed      confirming  await
doing       unsure     confirming  await
doing       refused    failed      give_up
doing       fenced     failed      give_up
doing       cleared    cleared     finish
doing       timed_out  confirming  await
confirming  cleared    cleared     finish
confirming  timed_out  failed      give_up`,
  ],
}

test.each(Object.entries(TABLES))('%s', (_, [table, text]) => {
  const drawn = text
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))
  const moving = Object.entries(table).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) =>
      row.to === state && row.do === 'none' ? [] : `${state} ${input} ${row.to} ${row.do}`,
    ),
  )
  expect(moving.toSorted()).toEqual(drawn.toSorted())
})

test('a message is typed again only out of «absent»', () => {
  const retries = Object.entries(DELIVER).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) => (row.do === 'retry' ? `${state} ${input}` : [])),
  )
  expect(retries).toEqual(['checking absent'])
})

test('nobody is put to sleep whose work was not saved', () => {
  const ends = Object.entries(SUSPEND).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) => (row.do === 'end' ? `${state} ${input}` : [])),
  )
  expect(ends).toEqual(['salvaging done'])
})

describe('what an outcome is to a machine', () => {
  test.each<['doing' | 'checking', Outcome, { attempts: number; insisted?: true }, string]>([
    ['doing', { result: 'done', unconfirmed: true }, { attempts: 0 }, 'typed'],
    ['doing', { result: 'done' }, { attempts: 0 }, 'accepted'],
    ['doing', { result: 'not_done', held: true }, { attempts: 0 }, 'held'],
    ['doing', { result: 'not_done' }, { attempts: 0 }, 'absent'],
    ['doing', { result: 'unknown' }, { attempts: 0 }, 'unsure'],
    ['doing', { result: 'fenced' }, { attempts: 0 }, 'fenced'],
    ['checking', { result: 'done', found: 'queue' }, { attempts: 1 }, 'found'],
    ['checking', { result: 'done', unconfirmed: true }, { attempts: 1 }, 'typed'],
    ['checking', { result: 'not_done' }, { attempts: 1 }, 'absent'],
    ['checking', { result: 'not_done' }, { attempts: MAX_TRIES }, 'spent'],
    ['checking', { result: 'unknown' }, { attempts: 1 }, 'unsure'],
    ['checking', { result: 'unknown' }, { attempts: 1, insisted: true }, 'absent'],
  ])('a message, %s, %j, %j: %s', (step, outcome, row, expected) => {
    expect(deliverInput(step, outcome, row)).toBe(expected)
  })

  test.each<[Outcome, string]>([
    [{ result: 'done' }, 'started'],
    [{ result: 'done', fresh: 'deleted' }, 'fresh'],
    [{ result: 'not_done' }, 'refused'],
    [{ result: 'unknown' }, 'unsure'],
    [{ result: 'fenced' }, 'fenced'],
  ])('a resume, %j: %s', (outcome, expected) => {
    expect(resumeInput(outcome)).toBe(expected)
  })

  test.each<['doing' | 'checking', Outcome['result'], boolean, string]>([
    ['doing', 'done', false, 'done'],
    ['doing', 'not_done', false, 'refused'],
    ['doing', 'unknown', false, 'unsure'],
    ['checking', 'done', true, 'rests'],
    ['checking', 'not_done', false, 'works'],
    ['checking', 'unknown', false, 'unsure'],
    ['checking', 'not_done', true, 'spent'],
    ['checking', 'fenced', true, 'fenced'],
  ])('an interrupt, %s, %s, the last time %s: %s', (step, result, isLast, expected) => {
    expect(restInput(step, { result }, isLast)).toBe(expected)
  })

  test.each<[Outcome['result'], string]>([
    ['done', 'typed'],
    ['not_done', 'refused'],
    ['unknown', 'unsure'],
    ['fenced', 'fenced'],
  ])('a clearing, %s: %s', (result, expected) => {
    expect(clearInput({ result })).toBe(expected)
  })
})
