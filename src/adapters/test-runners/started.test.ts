import { expect, test } from 'vitest'
import { simpleCommands } from './shell-words.ts'
import { startedBy } from './started.ts'

const runs = (command: string, shell?: 'powershell') =>
  startedBy(command, shell).flatMap(({ calls }) =>
    calls === undefined ? [] : [calls.runner ?? (calls.isNamed ? 'test' : 'task')],
  )

test.each([
  ['mise exec -- pytest -q', 'pytest'],
  ['mise x node@22 -- npx vitest run', 'vitest'],
  ['doppler run -- go test ./...', 'go'],
  ['doppler run -p shop -c dev -- npm run test:unit', 'test'],
  ['doppler run --command "cd app && pytest"', 'pytest'],
  ['wsl go test ./...', 'go'],
  ['wsl -d Ubuntu-24.04 --cd /src -- go test ./...', 'go'],
  ['wsl.exe -e bash -lc "cd /src && go test ./..."', 'go'],
  ['rtk test cargo test', 'cargo'],
  ['rtk cargo test --workspace', 'cargo'],
  ['rtk err npm test', 'test'],
  ['rtk test', 'test'],
  ['npx nx test app', 'test'],
  ['nx run app:test', 'test'],
  ['nx run-many -t lint,test', 'test'],
  ['nx affected --target=test --base=main', 'test'],
  ['just test', 'test'],
  ['just -f other.just test-unit', 'test'],
  ['make test', 'test'],
  ['make -j 4 -C app CI=1 check', 'test'],
  ['npm run test:unit -- --watch=false', 'test'],
  ['npm --prefix web run e2e', 'test'],
  ['pnpm -r --filter "./packages/**" test', 'test'],
  ['pnpm --filter web exec vitest run', 'vitest'],
  ['yarn workspace web test', 'test'],
  ['yarn vitest run', 'vitest'],
  ['yarn run jest --ci', 'jest'],
  ['bun run test', 'test'],
  ['bun run --bun vitest', 'vitest'],
  ['bunx vitest run', 'vitest'],
  ['bun x jest', 'jest'],
  ['deno task test', 'test'],
  ['node --run test', 'test'],
  ['mise run test', 'test'],
  ['mise run test:unit -- -v', 'test'],
  ['mise r test', 'test'],
  ['mise test', 'test'],
  ['mise run ci', 'task'],
  ['npm run verify', 'task'],
  ['poetry run pytest', 'pytest'],
  ['poetry run -- python -m pytest', 'pytest'],
  ['uv run --with pytest-cov pytest -q', 'pytest'],
  ['uv run --directory api python -m unittest', 'unittest'],
  ['uvx --from tox tox', 'tox'],
  ['bundle exec rspec', 'rspec'],
  ['bundle exec rails test', 'minitest'],
  ['docker compose exec web npm test', 'test'],
  ['docker compose -f dev.yml exec -T web bundle exec rspec', 'rspec'],
  ['docker compose run --rm -e CI=1 web sh -c "cd api && pytest -q"', 'pytest'],
  ['docker-compose run web phpunit', 'phpunit'],
  ['docker run --rm -v "$PWD:/app" -w /app golang:1.24 go test ./...', 'go'],
  ['kubectl -n dev exec -it pod/web -- pytest', 'pytest'],
  ['env A=b C=d go test', 'go'],
  ['env -u HOME -i PATH=/bin cargo test', 'cargo'],
  ['A=b C="d e" npx jest', 'jest'],
  ['timeout 60 pytest', 'pytest'],
  ['timeout -k 5 -s KILL 10m npm test', 'test'],
  ['nice -n 10 go test', 'go'],
  ['time -p make test', 'test'],
  ['xvfb-run -a --server-args="-screen 0 1x1x24" npx cypress run', 'cypress'],
  ['sudo -u postgres -H pytest', 'pytest'],
  ['ssh host npm test', 'test'],
  ["ssh -p 2222 me@host 'cd app && npm test'", 'test'],
  ["bash -lc 'cd app && npx vitest run'", 'vitest'],
  [`sh -c "bash -ec 'go test ./...'"`, 'go'],
  ['eval "npm test"', 'test'],
  ['cd app && npm test', 'test'],
  ['(cd app; pytest -q)', 'pytest'],
  ['pwsh -NoProfile -c "dotnet test"', 'dotnet'],
  ["powershell.exe -Command 'cd app; npm test'", 'test'],
  ['cmd.exe /c npm test', 'test'],
  ['nix develop -c cargo nextest run', 'cargo'],
  ["nix-shell --run 'stack test'", 'test'],
  ['direnv exec . mix test', 'mix'],
  ['aws-vault exec dev -- npm test', 'test'],
  ['conda run -n shop pytest', 'pytest'],
  ['git ls-files | xargs pytest', 'pytest'],
  ['bash scripts/run-tests.sh', 'test'],
  ['./test --changed', 'test'],
  ['python tests/test_cart.py', 'task'],
  [
    `sudo -u ci timeout 600 ssh build "docker compose exec -T web bash -lc 'cd /app && env CI=1 nice -n 5 mise exec -- doppler run -- npx vitest run'"`,
    'vitest',
  ],
])('%s', (command, runner) => {
  expect(runs(command)).toEqual([runner])
})

test.each([
  [String.raw`.\gradlew.bat test`, 'gradle'],
  [String.raw`& "C:\Program Files\nodejs\npm.cmd" test`, 'test'],
  ["$env:CI = '1'; npm test", 'test'],
  ['Set-Location app; dotnet test --nologo 2>&1 | Select-Object -Last 5', 'dotnet'],
  ['try { pytest } finally { Pop-Location }', 'pytest'],
  ['npx vitest `\n  run', 'vitest'],
])('of PowerShell: %s', (command, runner) => {
  expect(runs(command, 'powershell')).toEqual([runner])
})

test.each([
  'sudo apt-get install pytest',
  'sudo pip install tox',
  'rtk grep pytest .',
  'rtk git status',
  'rtk read test.py',
  'timeout 5 cat jest',
  'ssh host ls test',
  'docker run test',
  'docker compose up test',
  'docker build -t jest .',
  'kubectl run test --image=busybox',
  'gh run view --log 123',
  'gh workflow run test.yml',
  'git checkout -- jest',
  'git stash push -m "npm test"',
  'test -f package.json',
  '[ -d test ] && ls',
  '/usr/bin/test -f x',
  'mise install',
  'mise use node@22',
  'make -n test',
  'npx tsc -p test',
  'npx eslint test',
  'go run ./cmd/test test',
  'cargo run -- test',
  'uv pip install pytest',
  'tox -e lint',
  'nx build app',
  'xargs rm test',
  'cat test.sh',
  'chmod +x ./test.sh',
  'echo "mise run test"',
])('starts no tests: %s', (command) => {
  expect(runs(command)).toEqual([])
})

test('what stands in a text that a shell is given has its place in the whole', () => {
  expect(startedBy("bash -c 'a && npm test' | tail -1").map(({ words, joint }) => [words[0], joint])).toEqual([
    ['a', '&&'],
    ['npm', '|'],
    ['tail', ''],
  ])
})

test('texts in texts end somewhere', () => {
  let command = 'npm test'
  for (let k = 0; k < 12; k += 1) command = `bash -c ${JSON.stringify(command)}`
  expect(runs(command)).toEqual([])
  expect(runs(`${'sudo '.repeat(1_000)}npm test`)).toEqual([])
})

test('words as a shell takes them', () => {
  expect(simpleCommands(`A=1 'b c' "d\\"e" f\\ g >out 2>&1 && h | i; (j &) ; k # l`)).toEqual([
    { words: ['A=1', 'b c', 'd"e', 'f g'], joint: '&&', toFile: true },
    { words: ['h'], joint: '|' },
    { words: ['i'], joint: ';' },
    { words: ['j'], joint: '&' },
    { words: ['k'], joint: '' },
  ])
  expect(simpleCommands('a <<< word b; c $(d; e) `f; g` h')).toEqual([
    { words: ['a', 'b'], joint: ';' },
    { words: ['c', '$(d; e)', 'f; g', 'h'], joint: '' },
  ])
})
