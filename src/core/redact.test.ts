import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, REDACTED } from './redact.ts'

const S = REDACTED

test.each<[string, string]>([
  ['Bash: export ANTHROPIC_API_KEY=sk-ant-api03-AbC_d-9f8e7d6c5b4a', `Bash: export ANTHROPIC_API_KEY=${S}`],
  ['key sk-proj-abcdefghijklmnop and sk-abcdefghijkl.', `key ${S} and ${S}.`],
  ['ghp_0123456789abcdefABCDEF gho_abcdef123 github_pat_11ABC_def456', `${S} ${S} ${S}`],
  ['glpat-abcdefghij npm_abcdefghij hf_abcdefgh', `${S} ${S} ${S}`],
  ['AKIAIOSFODNN7EXAMPLE and ASIAIOSFODNN7EXAMPLE', `${S} and ${S}`],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY', `AWS_SECRET_ACCESS_KEY=${S}`],
  ['xoxb-1234567890-abcdef xapp-1-A0123-456', `${S} ${S}`],
  ['AIzaSyA-abcdefghijklmnop', S],
  ['sk_live_abcdefgh12345', S],
  ['curl -H "Authorization: Bearer abc.def-123456" x', `curl -H "Authorization: Bearer ${S}" x`],
  ['Authorization: Basic dXNlcjpwYXNz', `Authorization: Basic ${S}`],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_1', S],
  ['git clone https://me:hunter2@example.com/x.git', `git clone https://${S}@example.com/x.git`],
  ['postgres://app:p%40ss@db:5432/x', `postgres://${S}@db:5432/x`],
  ['password=hunter22 next', `password=${S} next`],
  ['{"password": "hunter22", "user": "me"}', `{"password": "${S}", "user": "me"}`],
  ['DB_PASSWD: s3cret!', `DB_PASSWD: ${S}`],
  ['?token=abcdef&x=1', `?token=${S}&x=1`],
  ['tool --password hunter2 --verbose', `tool --password ${S} --verbose`],
  ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- rest', `${S} rest`],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb', S],
  // Cut off in the middle, it is still a secret.
  ['Bash: curl -H "x-api-key: sk-ant-api03', `Bash: curl -H "x-api-key: ${S}`],
])('%j', (text, expected) => {
  expect(redact(text)).toBe(expected)
})

test.each([
  'Read: src/core/tokens.ts',
  'Bash: npm test -- --token-limit',
  'max_tokens=4096',
  'The bearer of bad news',
  'Basic understanding of secrets',
  'Edit: the password field',
  'https://example.com:8080/path@2x.png',
  'git@github.com:me/repo.git',
  'a task-force of risk-averse desks',
])('%j is no secret', (text) => {
  expect(redact(text)).toBe(text)
})

test('what is clean stays clean', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      expect(redact(redact(text))).toBe(redact(text))
    }),
  )
})

/** Texts on which a pattern that goes back and forth would take minutes. */
test.each([
  'eyJ-'.repeat(50_000),
  'eyJabcdefgh'.repeat(20_000),
  '://a:b'.repeat(50_000),
  `://${'a'.repeat(200_000)}`,
  'sk-'.repeat(50_000),
  `password${' '.repeat(200_000)}`,
  'password='.repeat(30_000),
  'Bearer '.repeat(30_000),
  '-----BEGIN PRIVATE KEY-----'.repeat(10_000),
  'a'.repeat(300_000),
])('200 KB of the worst are read in one go', (text) => {
  expect(redact(text).length).toBeLessThanOrEqual(3 * text.length)
})
