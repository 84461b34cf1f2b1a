import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestRun } from '../../contract/test-run.ts'
import { recogniseTestRun } from './recognise-test-run.ts'

const VITEST =
  ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 10 passed | 2 skipped (13)\n   Start at  10:00:00\n'
const JEST =
  'Test Suites: 1 passed, 1 total\nTests:       2 skipped, 10 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n'
const GO_FAIL =
  '--- FAIL: TestLogin (0.00s)\n    --- FAIL: TestLogin/empty (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/a\t0.012s\nok  \texample.com/b\t0.3s\nFAIL\n'

type Row = [command: string, output: string, exitCode: number | undefined, run: Partial<TestRun>]

const counts = (passed: number, failed: number, skipped = 0) => ({ passed, failed, skipped })

test.each<Row>([
  [
    'npx vitest run',
    VITEST,
    1,
    { runner: 'vitest', result: 'failed', counts: counts(10, 1, 2), why: 'it says that 1 failed' },
  ],
  ['npx vitest run src/a.test.ts 2>&1 | tail -20', VITEST, 0, { runner: 'vitest', result: 'failed' }],
  [
    './node_modules/.bin/vitest run',
    VITEST.replaceAll('1 failed | ', ''),
    0,
    { result: 'passed', counts: counts(10, 0, 2) },
  ],
  [
    'vitest run',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m',
    0,
    { result: 'passed', counts: counts(3, 0) },
  ],
  [
    'vitest run | tail',
    ' Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n',
    0,
    { result: 'failed', counts: counts(3, 1) },
  ],
  ['vitest run', '      Tests  3 passed (3)\n     Errors  1 error\n', 1, { result: 'failed', counts: counts(3, 1) }],
  ['CI=1 timeout 60 npx --yes jest --ci', JEST, 0, { runner: 'jest', result: 'passed', counts: counts(10, 0, 2) }],
  ['npx jest --coverage', JEST, 1, { result: 'failed', why: 'its tests passed, but it ended with exit code 1' }],
  ['node node_modules/jest/bin/jest.js', JEST, 0, { runner: 'jest', result: 'passed' }],
  [
    'npx mocha',
    '  a\n    ✓ works\n\n  12 passing (30ms)\n  2 pending\n  1 failing\n\n  1) a\n',
    1,
    { runner: 'mocha', result: 'failed', counts: counts(12, 1, 2) },
  ],
  [
    'node --test',
    '# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n',
    1,
    { runner: 'node', result: 'failed', counts: counts(3, 1) },
  ],
  [
    'node --test src/',
    'ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n',
    0,
    { result: 'passed', counts: counts(2, 0, 1) },
  ],
  [
    'npx playwright test',
    '  1 failed\n    [chromium] › a.spec.ts:3:1 › logs in\n  2 flaky\n  9 passed (12.3s)\n',
    1,
    { runner: 'playwright', result: 'failed', counts: counts(11, 1) },
  ],
  [
    'bun test',
    ' 10 pass\n 1 fail\n 2 skip\nRan 13 tests across 2 files. [1.00s]\n',
    1,
    { runner: 'bun', result: 'failed', counts: counts(10, 1, 2) },
  ],
  [
    'pytest -q',
    '.F\n1 failed, 3 passed, 1 warning in 0.12s\n',
    1,
    { runner: 'pytest', result: 'failed', counts: counts(3, 1) },
  ],
  [
    'poetry run python -m pytest',
    '==== 4 passed, 1 skipped, 1 xfailed in 65.32s (0:01:05) ====\n',
    0,
    { result: 'passed', counts: counts(4, 0, 2) },
  ],
  ['.venv/bin/pytest', '=== 2 passed, 1 error in 0.50s ===\n', 1, { result: 'failed', counts: counts(2, 1) }],
  [
    'python3 -m unittest',
    '.F\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n',
    1,
    { runner: 'unittest', result: 'failed', counts: counts(1, 1) },
  ],
  [
    'python manage.py test',
    'Ran 5 tests in 0.1s\n\nOK (skipped=1)\n',
    0,
    { runner: 'unittest', result: 'passed', counts: counts(4, 0, 1) },
  ],
  [
    'cargo +nightly test --workspace',
    'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n',
    101,
    { runner: 'cargo', result: 'failed', counts: counts(4, 2, 1) },
  ],
  [
    'cargo nextest run',
    '     Summary [   0.5s] 10 tests run: 10 passed, 2 skipped\n',
    0,
    { runner: 'cargo', result: 'passed', counts: counts(10, 0, 2) },
  ],
  ['go test ./...', GO_FAIL, 1, { runner: 'go', result: 'failed', counts: counts(1, 2) }],
  [
    'go test -v ./a',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.01s\n',
    0,
    { result: 'passed', counts: counts(1, 0) },
  ],
  [
    'go test ./...',
    '?   \texample.com/c\t[no test files]\nok  \texample.com/a\t(cached)\n',
    0,
    { result: 'passed', counts: counts(1, 0) },
  ],
  [
    'mvn -q verify',
    '[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n[ERROR] Tests run: 10, Failures: 1, Errors: 1, Skipped: 2\n',
    1,
    { runner: 'maven', result: 'failed', counts: counts(6, 2, 2) },
  ],
  [
    './gradlew :app:test',
    '10 tests completed, 1 failed, 2 skipped\n\n> Task :app:test FAILED\nBUILD FAILED in 3s\n',
    1,
    { runner: 'gradle', result: 'failed', counts: counts(7, 1, 2) },
  ],
  [
    './gradlew test',
    '> Task :test\n\nBUILD SUCCESSFUL in 3s\n',
    0,
    { runner: 'gradle', result: 'passed', why: 'it ended with exit code 0' },
  ],
  [
    'bundle exec rspec',
    '10 examples, 1 failure, 2 pending\n',
    1,
    { runner: 'rspec', result: 'failed', counts: counts(7, 1, 2) },
  ],
  [
    'vendor/bin/phpunit',
    'OK (10 tests, 20 assertions)\n',
    0,
    { runner: 'phpunit', result: 'passed', counts: counts(10, 0) },
  ],
  [
    'phpunit',
    'FAILURES!\nTests: 10, Assertions: 20, Failures: 1, Errors: 1, Skipped: 1.\n',
    1,
    { result: 'failed', counts: counts(7, 2, 1) },
  ],
  [
    'dotnet test',
    'Failed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10, Duration: 12 ms\n',
    1,
    { runner: 'dotnet', result: 'failed', counts: counts(9, 1) },
  ],
  [
    'dotnet test',
    'Test summary: total: 10, failed: 0, succeeded: 9, skipped: 1, duration: 1s\n',
    0,
    { result: 'passed', counts: counts(9, 0, 1) },
  ],
  ['npm test', `\n> app@1.0.0 test\n> vitest run\n\n${VITEST}`, 1, { runner: 'vitest', result: 'failed' }],
  ['yarn test', `$ jest --ci\n${JEST}`, 0, { runner: 'jest', result: 'passed' }],
  ['cd app && npm run test:unit -- --silent', JEST, 0, { runner: 'jest', result: 'passed', counts: counts(10, 0, 2) }],
  ['npm t', 'all good', 0, { runner: 'script', result: 'passed', why: 'it ended with exit code 0' }],
  ['cd app && npm test', 'boom', 3, { runner: 'script', result: 'failed', why: 'it ended with exit code 3' }],
  ['pnpm --filter web test', VITEST, 1, { runner: 'vitest', result: 'failed' }],
  ['npm run build', VITEST, 1, { runner: 'vitest', result: 'failed' }],
  ['yarn workspace @x/y test', VITEST, 1, { result: 'failed' }],
  ['pnpm vitest run', VITEST, 1, { runner: 'vitest', result: 'failed' }],
  ['make check', 'ok', 0, { runner: 'script', result: 'passed' }],
  ['npm run build && npm test && echo fine', 'fine', 0, { runner: 'script', result: 'passed' }],
  [
    'vitest run && cargo test',
    `      Tests  3 passed (3)\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured;\n`,
    101,
    { runner: 'cargo', result: 'failed', counts: counts(4, 1) },
  ],
])('%s', (command, output, exitCode, run) => {
  expect(recogniseTestRun({ command, output, ...(exitCode === undefined ? {} : { exitCode }) })).toMatchObject(run)
})

test.each<[string, string, number, string]>([
  ['vitest run nothing', 'No test files found, exiting with code 1\n', 1, 'it says that it ran no test'],
  ['vitest run --passWithNoTests', 'No test files found, exiting with code 0\n', 0, 'it says that it ran no test'],
  ['vitest run', ' Test Files  1 failed (1)\n      Tests  no tests\n', 1, 'it says that it ran no test'],
  [
    'vitest run',
    'failed to load config from vite.config.ts\n⎯⎯ Startup Error ⎯⎯',
    1,
    'it did not get as far as its tests',
  ],
  ['vitest run', 'Killed', 137, 'it ended with exit code 137 before it told of any test'],
  ['vitest run -t nothing', '      Tests  12 skipped (12)\n', 0, 'it says that it ran no test'],
  [
    'jest',
    'Test suite failed to run\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n',
    1,
    'it did not get as far as its tests',
  ],
  ['mocha', '  0 passing (1ms)\n', 0, 'it says that it ran no test'],
  ['node --test', '# tests 0\n# pass 0\n# fail 0\n', 0, 'it says that it ran no test'],
  ['pytest', 'collected 0 items\n\n=== no tests ran in 0.01s ===\n', 5, 'it says that it ran no test'],
  [
    'pytest',
    'ERROR collecting a.py\nE   ModuleNotFoundError: No module named x\n!!! Interrupted: 1 error during collection !!!\n=== 1 error in 0.09s ===\n',
    2,
    'it did not get as far as its tests',
  ],
  [
    'cargo test',
    'error[E0308]: mismatched types\nerror: could not compile `app` (lib test) due to 1 previous error\n',
    101,
    'it did not get as far as its tests',
  ],
  [
    'cargo test nothing',
    'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n',
    0,
    'it says that it ran no test',
  ],
  [
    'go test ./...',
    '# example.com/a\na.go:3: undefined: x\nFAIL\texample.com/a [build failed]\nFAIL\n',
    1,
    'it did not get as far as its tests',
  ],
  ['go test ./...', '?   \texample.com/c\t[no test files]\n', 0, 'it says that it ran no test'],
  ['mvn test', '[ERROR] COMPILATION ERROR :\n[INFO] BUILD FAILURE\n', 1, 'it did not get as far as its tests'],
  ['./gradlew test', '> Task :compileJava FAILED\nBUILD FAILED\n', 1, 'it did not get as far as its tests'],
  ['./gradlew test', '> Task :test UP-TO-DATE\nBUILD SUCCESSFUL\n', 0, 'it says that it ran no test'],
  ['rspec', '0 examples, 0 failures, 1 error occurred outside of examples\n', 1, 'it did not get as far as its tests'],
  ['dotnet test', 'a.cs(3,4): error CS1002: ; expected\nBuild FAILED.\n', 1, 'it did not get as far as its tests'],
  ['npm test', 'npm error Missing script: "test"\n', 1, 'it did not get as far as its tests'],
  [
    'npm test',
    '> x@1 test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified\n',
    1,
    'it says that it ran no test',
  ],
  [
    'npm test',
    '> x@1 test\n> tsc && vitest run\n\nsrc/a.ts(1,2): error TS2345: Argument\n',
    2,
    'it did not get as far as its tests',
  ],
  ['npm test', 'sh: 1: vitest: command not found\n', 127, 'it did not get as far as its tests'],
  ['npm test', '', 130, 'it ended with exit code 130 before it told of any test'],
])('no test was run by %s', (command, output, exitCode, why) => {
  expect(recogniseTestRun({ command, output, exitCode })).toMatchObject({ result: 'not_run', why })
})

test.each([
  ['grep -rn FAIL test-results.log', 'FAIL src/a.test.ts', 0],
  ['cat vitest.log', VITEST, 0],
  ['tail -n 50 /tmp/npm-test.log', JEST, 0],
  ['rg "cargo test" .github', 'test result: FAILED. 0 passed; 1 failed; 0 ignored;', 0],
  ['echo "npm test"', 'npm test', 0],
  ['git commit -m "make it work; npm test passes && vitest run"', '1 file changed', 0],
  ['cat <<EOF > run.sh\nnpm test\nEOF', '', 0],
  ["cat <<'END'\nvitest run\nEND\nls", VITEST, 0],
  ['# npm test\nls test', 'a.test.ts', 0],
  ['npm install test', '', 0],
  ['npm install -D vitest jest', 'added 2 packages', 0],
  ['npm run build', 'x', 1],
  ['npm view jest version', '30.0.0', 0],
  ['which pytest', '/usr/bin/pytest', 0],
  ['pip install pytest', 'Successfully installed', 0],
  ['vitest --version', 'vitest/5', 0],
  ['vitest list', 'a > b', 0],
  ['jest --listTests', '/a.test.js', 0],
  ['pytest --collect-only', '3 tests collected in 0.1s', 0],
  ['cargo test --no-run', 'Finished', 0],
  ['cargo build', 'error: could not compile', 101],
  ['go build ./test', '', 0],
  ['mvn package -DskipTests', 'Tests run: 0', 0],
  ['./gradlew build -x test', 'BUILD SUCCESSFUL', 0],
  ['npx playwright install', '', 0],
  ['dotnet build', '', 1],
  ['node scripts/deploy.js', '# pass 3\n# fail 1', 1],
  ['sed -i s/a/b/ test/a.test.ts', '', 0],
  ['docker build -t test .', '', 1],
  ['', VITEST, 1],
  // Whose exit code it is cannot be told, and the runner said nothing.
  ['npm test | head -1', 'x', 0],
  ['npm test || true', 'x', 0],
  ['npm test; echo done', 'done', 0],
  ['npm test &', '', 0],
  ['npm run build && npm test', 'x', 1],
  ['! npm test', 'x', 1],
  ['if npm test; then echo y; fi', 'y', 0],
])('no test run: %s', (command, output, exitCode) => {
  expect(recogniseTestRun({ command, output, exitCode })).toBeUndefined()
})

test.each([
  [
    'a passed test that is called so',
    ' ✓ a.test.ts > login failed: 3 failed attempts\n ✓ FAIL is shown\n      Tests  2 passed (2)\n',
  ],
  [
    'a line that the program under test prints',
    'stdout | a.test.ts\nTests: 3 failed, 3 total\n1 failing\n      Tests  2 passed (2)\n',
  ],
  ['a summary that a test prints before', '      Tests  1 failed (1)\n ✓ reporter\n      Tests  2 passed (2)\n'],
])('%s is no failure', (_, output) => {
  expect(recogniseTestRun({ command: 'npx vitest run', output, exitCode: 0 })).toEqual({
    runner: 'vitest',
    result: 'passed',
    counts: counts(2, 0),
    why: 'it says that 2 passed',
  })
})

test('a pipe with pipefail keeps the exit code', () => {
  const command = 'set -o pipefail; npm test | tee log'
  expect(recogniseTestRun({ command, output: 'x', exitCode: 1 })).toMatchObject({ result: 'failed' })
})

test('whatever was run and printed, it is read within its limits', () => {
  const command = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'npm',
          'test',
          'npx',
          'vitest',
          '&&',
          '|',
          ';',
          '"',
          "'",
          '$(',
          '<<X',
          '\n',
          '(',
          'cargo',
          'go',
          '\\',
          'A=1',
        ),
      )
      .map((words) => words.join(' ')),
  )
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...VITEST.split('\n'), ...JEST.split('\n'), ...GO_FAIL.split('\n'), '9'.repeat(50), '> vitest run'),
  )
  fc.assert(
    fc.property(
      command,
      fc.array(line, { maxLength: 40 }),
      fc.option(fc.integer(), { nil: undefined }),
      (text, lines, exitCode) => {
        const run = recogniseTestRun({
          command: text,
          output: lines.join('\n'),
          ...(exitCode === undefined ? {} : { exitCode }),
        })
        expect(run === undefined || run.why.length < 200).toBe(true)
        expect(Object.values(run?.counts ?? {}).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true)
      },
    ),
  )
})

test.each([
  ['an open quote, again and again', `npx vitest ${`"'`.repeat(50_000)}`],
  ['substitutions', `npx vitest ${'$('.repeat(50_000)}`],
  ['backslashes', `npx vitest ${'\\'.repeat(99_999)}`],
])('a huge command is read in time: %s', (_, command) => {
  recogniseTestRun({ command, output: '', exitCode: 0 })
})

test.each([' ', '1 passed, ', '\t', '=', '> ', '--- FAIL: ', '\u001b[1', 'Tests  '])(
  'a huge output of «%s» is read in time',
  (piece) => {
    const output = piece.repeat(2_000_000 / piece.length)
    for (const command of ['npm test', 'go test', 'pytest', 'vitest'])
      recogniseTestRun({ command, output, exitCode: 1 })
  },
)
