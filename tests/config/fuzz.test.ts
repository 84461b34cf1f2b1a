/** Whatever stands in the file: an answer, never an exception; whatever is edited: nothing else changes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { checkText } from '../../src/adapters/config-file/check-text.ts'
import { commentsOf, editText } from '../../src/adapters/config-file/edit-text.ts'
import { readYaml } from '../../src/adapters/config-file/read-yaml.ts'
import { readValue, showValue } from '../../src/adapters/config-file/value-text.ts'
import { applyEnvironment, OVERRIDES } from '../../src/contract/config/environment.ts'
import { parseConfig, placeOfKey } from '../../src/contract/config/parse.ts'
import { dotted, getIn, parseDotted } from '../../src/contract/config/path.ts'
import type { Config } from '../../src/contract/config/schema.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'
import { anyInput, setKey, validInput, yamlish } from './arbitrary-config.ts'

const RUNS = { numRuns: 1000 }

test('any text gives settings or problems, each with a place in the text', () => {
  fc.assert(
    fc.property(fc.oneof(yamlish, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      const { config, problems } = checkText(text)
      const lines = text.replace(/^\uFEFF/, '').split('\n')
      expect(config === undefined).toBe(problems.length > 0)
      for (const { line, column, sentence } of problems) {
        expect(Number.isInteger(line) && line >= 1 && line <= lines.length).toBe(true)
        expect(Number.isInteger(column) && column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1).toBe(true)
        expect(sentence).not.toBe('')
      }
    }),
    { ...RUNS, examples: [['>-\n  ---\nthresholds\r\n\u0000:']] },
  )
})

test('any data gives settings or problems', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { config, problems } = parseConfig(input)
      expect(config === undefined).toBe(problems.length > 0)
      if (config !== undefined) expect(toSettings(config).lookEveryMs).toBeGreaterThan(0)
    }),
    RUNS,
  )
})

test('any text of a variable gives settings', () => {
  const defaults = parseConfig({}).config as Config
  const env = fc.record(
    Object.fromEntries(
      OVERRIDES.map(({ name }) => [name, fc.oneof(fc.string(), fc.constantFrom('true', '0', '44', '1e3'))]),
    ),
  )
  fc.assert(
    fc.property(env, (variables) => {
      const { config, problems, keys } = applyEnvironment(defaults, variables)
      const given = Object.values(variables).filter((text) => text.trim() !== '')
      expect(problems.length + keys.length).toBe(given.length)
      expect(parseConfig(config).config).toEqual(config)
    }),
    RUNS,
  )
})

test('valid settings are the same after being written and read', () => {
  fc.assert(
    fc.property(validInput, (input) => {
      const { config, problems } = parseConfig(input)
      expect(problems).toEqual([])
      expect(checkText(showValue(config)).config).toEqual(config)
    }),
    RUNS,
  )
})

/** Valid settings as text with comments in every place where YAML has one. */
const commented = fc
  .tuple(validInput, fc.infiniteStream(fc.nat(5)), fc.constantFrom('\n', '\r\n'))
  .map(([input, dice, eol]) => {
    const lines = stringify(input, { lineWidth: 0 }).trimEnd().split('\n')
    const next = () => Number(dice.next().value)
    const out = lines.flatMap((line, index) => {
      const indent = /^ */.exec(line)?.[0] ?? ''
      const above = next() === 0 ? [`${indent}# above ${index}`] : []
      const blank = next() === 0 ? [''] : []
      const beside = next() === 0 ? `   # beside ${index}` : ''
      return [...blank, ...above, line + beside]
    })
    return `# first${eol}${out.join(eol)}${eol}# last${eol}`
  })

test('setting any key keeps every comment and all other values', () => {
  fc.assert(
    fc.property(commented, setKey, (before, { path, value }) => {
      const old = readYaml(before)
      const edited = editText(before, placeOfKey(checkText(before), path), value)
      expect(edited).toHaveProperty('text')
      const after = (edited as { text: string }).text
      const fresh = readYaml(after)
      expect(fresh.problems).toEqual([])
      expect(getIn(fresh.value, path)).toEqual(value)
      expect(commentsOf(after)).toEqual(commentsOf(before))
      const back = getIn(old.value, path)
      if (back !== undefined)
        expect(readYaml((editText(after, path, back) as { text: string }).text).value).toEqual(old.value)
    }),
    RUNS,
  )
})

test('a value typed as YAML is the value', () => {
  fc.assert(
    fc.property(setKey, ({ value }) => {
      expect(readValue(stringify(value))).toEqual({ value })
    }),
    RUNS,
  )
})

test('any path is the same after being written with dots and read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: 'binary' }), { minLength: 1 }), (path) => {
      expect(parseDotted(dotted(path))).toEqual(path)
    }),
    RUNS,
  )
})
