import { expect, test } from 'vitest'
import type { Doing } from '../../contract/evidence.ts'
import { failureOf } from './stop-failure.ts'

const AT = Date.parse('2026-02-03T14:10:00.000Z')
const SIX = Date.parse('2026-02-03T17:00:00.000Z')

test.each<[string, { error?: string; status?: number }, string, Doing]>([
  [
    'a limit by its name alone, in another zone',
    { error: 'rate_limit' },
    "You've hit your limit · resets 6pm (Europe/Paris)",
    { kind: 'limited', untilWallAt: SIX },
  ],
  [
    'a limit by its words alone',
    {},
    "You've hit your session limit · resets 6pm (Europe/Paris)",
    { kind: 'limited', untilWallAt: SIX },
  ],
  ['a limit of an early client', {}, 'Claude AI usage limit reached|1770138000', { kind: 'limited', untilWallAt: SIX }],
  ['a limit without its end', { status: 429 }, 'API Error: Request rejected (429)', { kind: 'limited' }],
  ['a spend limit', { error: 'rate_limit' }, "You've hit your monthly spend limit", { kind: 'limited', spent: true }],
  ['no credits', {}, "You're out of usage credits. See Usage in Settings", { kind: 'limited', spent: true }],
  [
    'nobody signed in',
    { error: 'unknown' },
    'Not logged in · Please run /login',
    { kind: 'auth_needed', what: 'Not logged in · Please run /login' },
  ],
  ['a refused key', { status: 401 }, 'API Error: 401', { kind: 'auth_needed', what: 'API Error: 401' }],
  [
    'an outage by its name',
    { error: 'server_error' },
    'API Error: 529 Overloaded',
    { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true },
  ],
  ...['API Error: 500', 'API Error: Repeated 529 Overloaded errors', 'ConnectionRefused', 'FailedToOpenSocket'].map(
    (what): [string, { error: string }, string, Doing] => [
      `an outage by its words: ${what}`,
      { error: 'unknown' },
      what,
      { kind: 'api_error', what, ended: true },
    ],
  ),
  [
    'a request that is at fault itself',
    { error: 'unknown' },
    'API Error: 400 max_tokens: 500 is too many',
    { kind: 'api_error', what: 'API Error: 400 max_tokens: 500 is too many' },
  ],
  ...[
    'API Error: 400 see the docs on usage limit',
    'API Error: 404 run /login',
    'Context limit reached · /compact or /clear to continue',
    'The rate limit middleware is done',
  ].map((what): [string, { error: string }, string, Doing] => [
    `words that are of something else: ${what}`,
    { error: 'unknown' },
    what,
    { kind: 'api_error', what },
  ]),
  [
    'a prompt that is too long',
    { error: 'invalid_request' },
    'Prompt is too long',
    { kind: 'api_error', what: 'Prompt is too long' },
  ],
])('%s', (_, given, message, doing) => {
  const { error, status } = given
  expect(failureOf({ error, status, message, told: { wallAt: AT, zone: 'UTC' } })).toEqual(doing)
})
