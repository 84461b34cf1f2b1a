import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installed, makeHookHome, QUIET, runHook, SHELLS, type HookHome } from './hook-runs.ts'

let place: HookHome

beforeEach(() => {
  place = makeHookHome()
})
afterEach(() => {
  chmodSync(join(place.home, 'spool/tmp'), 0o700)
  place.remove()
})

const STATUS = '{"context_window":{"used_percentage":86},"cwd":"/a b/$HOME/`id`/\\\\n%s","name":"«ü»"}'

describe.each(SHELLS.filter(({ under }) => installed(under[0])))('status line under $name', ({ under }) => {
  const line = (given: object = {}) =>
    runHook({ home: place.home, program: 'status-line', input: `${STATUS}\n`, under, ...given })

  test('reports what it is given, and prints nothing where the user has no line of his own', async () => {
    expect(await line()).toEqual(QUIET)
    const { fresh, tmp } = place.files()
    expect({ fresh, tmp }).toEqual({
      fresh: [expect.stringMatching(/^h1\.run-1\.3\.StatusLine\.\d+-\d+-\d+$/)],
      tmp: [],
    })
    expect(place.bodyOf(fresh[0] ?? '').toString()).toBe(`${STATUS}\n`)
  })

  test("prints what the user's own command makes of it", async () => {
    expect(await line({ args: ["cat; printf 'own $line'"] })).toEqual({ ...QUIET, stdout: `${STATUS}\nown $line` })
    expect(place.files().fresh).toHaveLength(1)
  })

  test.each([
    ['outside an agent', {}],
    ['with a tag that is none', { CLOISTER_RUN: '../x', CLOISTER_GENERATION: '3' }],
  ])('%s it reports nothing and shows the line', async (_, env) => {
    expect(await line({ env, args: ['echo own'] })).toEqual({ ...QUIET, stdout: 'own\n' })
    expect(place.files()).toEqual({ fresh: [], tmp: [], orders: [], asks: [] })
  })

  test('without a place to report to it shows the line all the same', async () => {
    const env = { CLOISTER_RUN: 'h1.run-1', CLOISTER_GENERATION: '3', CLOISTER_SPOOL: join(place.home, 'none') }
    expect(await line({ env, args: ['echo own'] })).toEqual({ ...QUIET, stdout: 'own\n' })
  })
})
