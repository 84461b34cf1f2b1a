/** How the scripts of the corpus are used, and where they write. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeOfPage } from './judgement.ts'

const root = join(import.meta.dirname, '../..')

function script(name: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(root, `scripts/${name}.ts`), ...args], { encoding: 'utf8' })
}

test.each(['corpus', 'judgement'])('%s --help', (name) => {
  expect(script(name, '--help')).toMatch(`Usage: npm run -s ${name}`)
})

test.each([
  [{}, 'page.md'],
  [{ with: 'wrong' }, undefined],
  [{ with: 'wrong', out: 'mine.md' }, 'mine.md'],
])('with %j the page goes to %s', (asked, place) => {
  expect(placeOfPage('page.md', asked)).toBe(place)
})
