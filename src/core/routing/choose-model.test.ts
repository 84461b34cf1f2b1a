import { expect, test } from 'vitest'
import { configSchema } from '../../contract/config/schema.ts'
import { chooseModel, type Selection } from './choose-model.ts'

const { complexity_detection: detection, complexity_routing: routing } = configSchema.parse({}).model_selection
const selection: Selection = { keywords: detection.keywords, otherwise: detection.otherwise, routing }

test.each([
  ['Fix a typo in the docs', 'haiku', '«typo» stands in its title, so it is simple, which haiku does.'],
  ['REFACTOR: the journal', 'sonnet', '«refactor» stands in its title, so it is complex, which sonnet does.'],
  ['Typography of the page', 'sonnet', 'nothing in its title says otherwise, so it is medium, which sonnet does.'],
  ['', 'sonnet', 'nothing in its title says otherwise, so it is medium, which sonnet does.'],
  ['toString', 'sonnet', 'nothing in its title says otherwise, so it is medium, which sonnet does.'],
])('«%s»', (title, model, why) => {
  expect(chooseModel(title, selection)).toEqual({ model, why })
})

test('a route may name a runtime', () => {
  const elsewhere = {
    ...selection,
    routing: { ...routing, medium: { model: 'steady', runtime: 'understudy' } },
  }
  expect(chooseModel('A feature', elsewhere)).toMatchObject({ model: 'steady', runtime: 'understudy' })
})
