/** The generated pages: complete, valid by their own rules, and known to be stale when they are. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkText } from '../../src/adapters/config-file/check-text.ts'
import { leafKeys } from '../../src/contract/config/keys.ts'
import { parseConfig } from '../../src/contract/config/parse.ts'
import { event } from '../../src/contract/events.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/docs.ts')
const root = mkdtempSync(join(tmpdir(), 'cloister-docs-'))
const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

function docs(...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args, root], { encoding: 'utf8' })
  return { status, stderr }
}

beforeAll(() => {
  expect(docs()).toEqual({ status: 0, stderr: '' })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('the example in the page is valid and holds all defaults', () => {
  const example = /```yaml\n([^]*?)\n```/.exec(page('config.md'))?.[1] ?? ''
  const checked = checkText(example)
  expect(checked.problems).toEqual([])
  expect(checked.config).toEqual(parseConfig({}).config)
  expect(checked.set).toHaveLength(leafKeys().filter((key) => !key.path.includes('<name>')).length)
})

test('every event has its part', () => {
  const heads = page('events.md').match(/(?<=^### ).*$/gm)
  expect(heads?.toSorted()).toEqual(event.options.map((one) => one.shape.type.value).toSorted())
})

test.each(['api.md', 'config.md', 'events.md'])('a stale %s is named', (name) => {
  expect(docs('--check')).toEqual({ status: 0, stderr: '' })
  const fresh = page(name)
  writeFileSync(join(root, 'docs', name), `${fresh}x`)
  expect(docs('--check')).toEqual({
    status: 1,
    stderr: `docs/${name} does not match its source: run \`npm run docs\` and commit the result.\n`,
  })
  writeFileSync(join(root, 'docs', name), fresh)
})
