import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Complexity } from '../../contract/config/values.ts'
import { SIGNALS, type Signal } from '../../contract/tasks.ts'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import { complexityOf, type Work } from './complexity.ts'

const { detection } = SETTINGS.routing
const epic: Pick<Work, 'tags' | 'complexity'> = { complexity: { value: 'complex', from: 'metadata' } }

test.each<[string, Partial<Work>, Complexity, Signal, string]>([
  [
    'metadata counts before all else',
    { complexity: { value: 'expert', from: 'metadata' }, tags: ['complexity:simple', 'docs'], files: 30 },
    'expert',
    'explicit',
    'its metadata «complexity» says expert',
  ],
  [
    'a field is as good',
    { complexity: { value: 'trivial', from: 'field' }, title: 'Redesign' },
    'trivial',
    'explicit',
    'its field «complexity» says trivial',
  ],
  [
    'so is a label',
    { tags: ['docs', 'complexity:expert'] },
    'expert',
    'explicit',
    'its label «complexity:expert» says expert',
  ],
  [
    'and an older label',
    { tags: ['Difficulty:Simple'] },
    'simple',
    'explicit',
    'its label «Difficulty:Simple» says simple',
  ],
  [
    'of two labels the harder counts',
    { tags: ['complexity:simple', 'complexity:complex'] },
    'complex',
    'explicit',
    'its label «complexity:complex» says complex, the hardest of its labels',
  ],
  [
    'a label of no known level says nothing',
    { tags: ['complexity:huge'] },
    'medium',
    'otherwise',
    'nothing about it says otherwise',
  ],
  [
    'a label that was handed down is its parent’s word',
    { tags: ['complexity:expert'], ancestors: [{ tags: ['complexity:expert'] }] },
    'expert',
    'parent',
    'of its parent its label «complexity:expert» says expert',
  ],
  [
    'of a label of its own and one that was handed down, its own counts',
    { tags: ['complexity:expert', 'complexity:simple'], ancestors: [{ tags: ['complexity:expert'] }] },
    'simple',
    'explicit',
    'its label «complexity:simple» says simple',
  ],
  [
    'the parent counts before tags',
    { tags: ['docs'], ancestors: [epic] },
    'complex',
    'parent',
    'of its parent its metadata «complexity» says complex',
  ],
  [
    'the nearest that says something counts',
    { ancestors: [{ tags: [] }, { complexity: { value: 'simple', from: 'field' } }, epic] },
    'simple',
    'parent',
    'of its parent its field «complexity» says simple',
  ],
  ['tags count before files', { tags: ['docs'], files: 50 }, 'trivial', 'tags', 'it is tagged «docs»'],
  ['of two tags the harder counts', { tags: ['docs', 'Security'] }, 'expert', 'tags', 'it is tagged «Security»'],
  ['as a tag it is expert', { tags: ['architecture'] }, 'expert', 'tags', 'it is tagged «architecture»'],
  ['as a word complex', { title: 'The architecture' }, 'complex', 'keywords', '«architecture» stands in its title'],
  ['10 files say nothing', { files: 10 }, 'medium', 'otherwise', 'nothing about it says otherwise'],
  ['11 files', { files: 11, title: 'Fix a typo' }, 'medium', 'files', 'it is about 11 files, more than 10'],
  ['20 files', { files: 20 }, 'medium', 'files', 'it is about 20 files, more than 10'],
  ['21 files', { files: 21 }, 'complex', 'files', 'it is about 21 files, more than 20'],
  ['files say «at least»', { files: 11, title: 'Refactor' }, 'complex', 'keywords', '«refactor» stands in its title'],
  ['a word', { title: 'Fix a typo in the docs' }, 'simple', 'keywords', '«typo» stands in its title'],
  ['of two words the harder', { title: 'Typo in MIGRATE' }, 'complex', 'keywords', '«migrate» stands in its title'],
  ['a part of a word is none', { title: 'Typography' }, 'medium', 'otherwise', 'nothing about it says otherwise'],
  [
    'nor is a name of the language',
    { title: 'toString constructor' },
    'medium',
    'otherwise',
    'nothing about it says otherwise',
  ],
])('%s', (_, work, complexity, decidedBy, says) => {
  const rated = complexityOf({ title: '', ...work }, detection)
  expect(rated).toMatchObject({ complexity, decidedBy })
  expect(rated.signals.map(({ signal }) => signal)).toEqual(SIGNALS)
  expect(rated.signals.find(({ signal }) => signal === decidedBy)?.says).toBe(says)
})

test('the settings say what counts', () => {
  const own = {
    mediumAboveFiles: 1,
    complexAboveFiles: 2,
    otherwise: 'simple' as const,
    tags: { urgent: 'expert' as const },
    keywords: {},
  }
  const levels = [{ files: 2 }, { files: 3 }, { tags: ['urgent'] }, {}].map(
    (work) => complexityOf({ title: 'Refactor', ...work }, own).complexity,
  )
  expect(levels).toEqual(['medium', 'complex', 'expert', 'simple'])
})

test('whatever it is given, the signal that decided said what was decided', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  const labels = fc.array(fc.oneof(text, fc.constantFrom('docs', 'complexity:expert', '__proto__')), { maxLength: 8 })
  fc.assert(
    fc.property(text, labels, fc.nat(), (title, tags, files) => {
      const { complexity, decidedBy, signals } = complexityOf({ title, tags, files }, detection)
      expect(signals.find(({ signal }) => signal === decidedBy)?.complexity).toBe(complexity)
    }),
  )
})
