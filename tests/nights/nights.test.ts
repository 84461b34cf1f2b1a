import { expect, test } from 'vitest'
import { diff } from './diff.ts'
import { play, split } from './play.ts'
import { nightNames, readNight } from './run.ts'

test.each(nightNames())('%s', async (name) => {
  const { script, transcript } = split(readNight(name))
  const played = (await play(script)).trim()
  expect(diff(transcript, played), 'read the difference; npm run nights -- --update accepts it').toBe('')
})

test('the diff of two transcripts shows what went and what came', () => {
  expect(diff('a\nb\nc', 'a\nx\nc\nd')).toBe('  - b\n  + x\n  + d')
  expect(diff('same', 'same')).toBe('')
})
