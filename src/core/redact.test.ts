import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, REDACTED, redactTo } from './redact.ts'

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
  ['AIzaSyAabcdefghijklmnop', S],
  ['AKIAIOSFODNN7EXAMPLE', S],
  ['ASIAIOSFODNN7EXAMPLE', S],
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
  ['postgres://u:p/w@h:5432/x', `postgres://${S}@h:5432/x`],
  ['postgres://u:p@ss/w@rd@h/x?y=1', `postgres://${S}@h/x?y=1`],
  ['redis://:hunter2@h a mongodb://a:b1@x,c://d:e2@y', `redis://${S}@h a mongodb://${S}@x,c://${S}@y`],
  ['see http://x/y,https://me:hunter2@h', `see http://x/y,https://${S}@h`],
  ["password = 'two words' rest", `password = '${S}' rest`],
  ['password="it\\"s two" rest', `password="${S}" rest`],
  ['{"secret":"a b c","user":"me"}', `{"secret":"${S}","user":"me"}`],
  ['"{\\"password\\": \\"two words\\", \\"user\\": \\"me\\"}"', `"{\\"password\\": \\"${S}\\", \\"user\\": \\"me\\"}"`],
  ["password = 'two wor", `password = '${S}`],
  ['tool --password x', `tool --password ${S}`],
  ["tool --password 'two words' -v", `tool --password '${S}' -v`],
  ['tool --client-secret "two words" -v', `tool --client-secret "${S}" -v`],
  ['curl -u me:hunter2 https://x', `curl -u me:${S} https://x`],
  ['curl -sSu me:hunter2 https://x', `curl -sSu me:${S} https://x`],
  ["curl 'https://x?a=1&b=2' --user 'me:two words' -v", `curl 'https://x?a=1&b=2' --user 'me:${S}' -v`],
  ['curl -s \\\n  -u "me:x" \\\n  https://x', `curl -s \\\n  -u "me:${S}" \\\n  https://x`],
  ['/usr/bin/curl --proxy-user=me:pw x', `/usr/bin/curl --proxy-user=me:${S} x`],
  ['mysql -uroot -pSecret db', `mysql -uroot -p${S} db`],
  ["docker compose exec db mysqldump -p'two words' db", `docker compose exec db mysqldump -p'${S}' db`],
  ['docker login -u me -p x registry.example', `docker login -u me -p ${S} registry.example`],
  ['podman --log-level debug login -p=x1', `podman --log-level debug login -p=${S}`],
  ['sshpass -p hunter2 ssh me@h', `sshpass -p ${S} ssh me@h`],
  ['redis-cli -h x -a hunter2 ping', `redis-cli -h x -a ${S} ping`],
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
  'http://localhost:3000/@vite/client',
  'http://localhost:$PORT/@fs/x.ts',
  'ssh://git@example.com:22/me/x@y',
  'npm i @scope/pkg@1.2.3 --registry https://example.com/npm/@scope',
  'docker run --user 1000:1000 -u node:node -p 8080:80 -v $PWD:/app --name mysql -p3306:3306 mysql:8',
  'docker run -v "$PWD:/work" x; PWD=/home/me make',
  'mkdir -p src/core && mysql -P 3306 -h db -p app < dump.sql',
  'curl -s https://example.com:8080/a | sort -u a:b',
  'curl -sSf -X PUT -o out:put https://example.com -H "Accept: text/html"',
  "grep -rn 'password=' src/config.ts",
  'rg "token:" src',
  "const key = ['secret=', 'x']",
  'docker compose -p cloister up -d',
  'the access-token was refreshed',
  'ssh -p 2222 me@host',
  'git log --author me:you -p src',
  'npm run login-page -- -p 3000',
  'pg_dump -U app -p 5432 app',
  'git push -u origin feature/token-refresh',
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

test.each<[string, string, number, string]>([
  ['what is cut off was clean before', `${'x'.repeat(91)} password=hunter2222`, 100, `${'x'.repeat(91)} password`],
  [
    'a password is known by what comes after the cut',
    `git clone https://me:${'h'.repeat(300)}@x`,
    20,
    'git clone https://«s',
  ],
  ['a long text keeps its beginning', 'a'.repeat(300_000), 5, 'aaaaa'],
  [
    'half a secret at the end of what is read is dropped',
    `password="${'x'.repeat(65_510)}" token=hunter2222`,
    100,
    'password="«secret»"',
  ],
])('%s', (_, text, longest, expected) => {
  expect(redactTo(text, longest)).toBe(expected)
})

/** Texts on which a pattern that goes back and forth would take minutes. */
test.each([
  'eyJ-',
  'eyJabcdefgh',
  '://a:b',
  '://a:b@',
  '://',
  'sk-',
  'password',
  'password ',
  'password=',
  'password="',
  'password=\'"',
  'password=\\"',
  'password="\\',
  '--password ',
  '--a-token',
  '-password "',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  'curl ',
  'curl "',
  'curl "\'',
  "curl ';",
  'curl -u ',
  'curl -u a:',
  ' -u',
  'curl \\\n',
  'mysql -p"',
  'docker ',
  'docker a login ',
  'docker a b ',
  'docker login -p',
  'login',
  'a',
  '-',
  ' ',
  '"',
  '\\',
])('1 MB of the worst, %j, is read in one go', (worst) => {
  for (const first of ['', 'password', 'curl', 'curl -u ', '://', 'docker', '--']) {
    const text = first + worst.repeat(1_000_000 / worst.length)
    expect(redact(text).length).toBeLessThanOrEqual(3 * text.length)
  }
})
