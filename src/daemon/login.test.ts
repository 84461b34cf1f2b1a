/** Codes and logins on a clock of their own. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrowserLogins } from './login.ts'
import { digestOf } from './token.ts'

const DAY = 24 * 60 * 60_000

let home: string
let now: number

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-login-'))
  now = 1_800_000_000_000
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function logins(url: string | undefined = 'http://127.0.0.1:3011'): BrowserLogins {
  return new BrowserLogins({ home, now: () => now, url: () => url })
}

function codeOf(given: BrowserLogins): string {
  return given.invite()?.url.split('#login=')[1] ?? ''
}

function tokenOf(given: BrowserLogins): string {
  const login = given.redeem(codeOf(given))
  if (typeof login === 'string') throw new Error(login)
  return login.token
}

test('a code works once, within a minute, and gives a token for thirty days', () => {
  const all = logins()
  const code = codeOf(all)
  const login = all.redeem(code)
  expect(login).toEqual({ token: expect.stringMatching(/^[0-9a-f]{64}$/) as string, expiresAt: now + 30 * DAY })
  expect(all.redeem(code)).toBe('wrong')
  const late = codeOf(all)
  now += 60_000
  expect(all.redeem(late)).toBe('wrong')
  expect(all.redeem('')).toBe('wrong')
})

test('without a page there is nothing to invite to', () => {
  expect(new BrowserLogins({ home, now: () => now, url: () => undefined }).invite()).toBeUndefined()
})

test('a login outlives the daemon and ends after thirty days; only its digest is kept, for the owner alone', () => {
  const token = tokenOf(logins())
  const file = join(home, 'logins.json')
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').includes(token)]).toEqual([0o600, false])
  expect(logins().find(digestOf(token))).toMatch(/^[0-9a-f]{64}$/)
  expect(logins().find(digestOf(`${token}0`))).toBeUndefined()
  now += 30 * DAY
  expect(logins().find(digestOf(token))).toBeUndefined()
})

test('logins end one by one or all at once, for good', () => {
  const all = logins()
  const [first, second, third] = [tokenOf(all), tokenOf(all), tokenOf(all)]
  all.end(all.find(digestOf(first)) ?? '')
  expect([first, second, third].map((token) => all.find(digestOf(token)) !== undefined)).toEqual([false, true, true])
  const pending = codeOf(all)
  expect(all.endAll()).toBe(2)
  expect([first, second, third].map((token) => logins().find(digestOf(token)))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(all.redeem(pending)).toBe('wrong')
})

test('tries are counted: ten at once, then one a second', () => {
  const all = logins()
  const tries = () => Array.from({ length: 12 }, () => all.redeem('wrong'))
  expect(tries().filter((result) => result === 'wrong')).toHaveLength(10)
  expect(all.redeem(codeOf(all))).toBe('too_many')
  now += 3_000
  expect(tries().filter((result) => result === 'wrong')).toHaveLength(3)
})

test('a file that others could have changed, or that cannot be read, signs everybody out', () => {
  const token = tokenOf(logins())
  const file = join(home, 'logins.json')
  chmodSync(file, 0o660)
  expect(logins().find(digestOf(token))).toBeUndefined()
  chmodSync(file, 0o600)
  expect(logins().find(digestOf(token))).toBeDefined()
  writeFileSync(file, '[{"digest":"x"}]')
  expect(logins().find(digestOf(token))).toBeUndefined()
})
