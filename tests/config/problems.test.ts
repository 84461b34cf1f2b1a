/** What people are told about a wrong file: place, key, sentence, and what was probably meant. */
import { expect, test } from 'vitest'
import { checkText } from '../../src/adapters/config-file/check-text.ts'
import { problemLines } from '../../src/adapters/config-file/load-settings.ts'
import { closest, editDistance } from '../../src/contract/config/did-you-mean.ts'

function told(text: string): string[] {
  return problemLines({ file: 'c', problems: checkText(text).problems })
}

test.each([
  ['thresholds:\n  stael: 5\n', ['c:2:3  thresholds.stael  unknown key (did you mean stale?)']],
  ['treshold:\n  stale: 5\n', ['c:1:1  treshold  unknown key (did you mean thresholds?)']],
  ['stuck: 30\n', ['c:1:1  stuck  unknown key (did you mean thresholds.stuck?)']],
  ['zebra: 1\n', ['c:1:1  zebra  unknown key']],
  ['thresholds:\n  stale: soon\n', ['c:2:10  thresholds.stale  expected a number, got "soon"']],
  ['thresholds:\n  stale: "5"\n', ['c:2:10  thresholds.stale  expected a number, got "5" (did you mean 5?)']],
  ['thresholds:\n  stale: 5m\n', ['c:2:10  thresholds.stale  expected a number, got "5m" (did you mean 5?)']],
  ['thresholds:\n  stale: -1\n', ['c:2:10  thresholds.stale  expected more than 0, got -1']],
  ['thresholds:\n  stale:\n', ['c:2:3  thresholds.stale  expected a number, got nothing']],
  ['thresholds: 5\n', ['c:1:13  thresholds  expected a group of keys, got 5']],
  ['thresholds: [1]\n', ['c:1:1  thresholds  expected a group of keys, got a list']],
  [
    'startup:\n  auto_start: yes\n',
    ['c:2:15  startup.auto_start  expected true or false, got "yes" (did you mean true?)'],
  ],
  ['runs: {max_runs: 1.5}\n', ['c:1:18  runs.max_runs  expected a whole number, got 1.5']],
  [
    'monitoring:\n  heartbeat_sources:\n    - jsonl_mtime\n    - git_activty\n',
    [
      'c:4:7  monitoring.heartbeat_sources.1  expected one of jsonl_mtime, tmux_activity, git_activity, got "git_activty" ' +
        '(did you mean git_activity?)',
    ],
  ],
  [
    'thresholds:\n  warning: 15\n  stale: 20\n',
    ['c:2:12  thresholds.warning  must be more than stale, but warning is 15 and stale is 20 minutes'],
  ],
  [
    'thresholds:\n  stale: 20\n',
    [
      'c:1:1  thresholds.warning  must be more than stale, but warning is 15 and stale is 20 minutes ' +
        '(thresholds.warning is not set and has its default)',
    ],
  ],
  [
    'thresholds: {stale: 1, stale_minutes: 2}\n',
    ['c:1:24  thresholds.stale_minutes  is another spelling of thresholds.stale, which is also set; keep one of them'],
  ],
  [
    'specialists:\n  merge-agnet: {}\n',
    ['c:2:3  specialists.merge-agnet  is not a known specialist (did you mean merge-agent?)'],
  ],
  [
    'specialists:\n  specialist-merge-agent: {}\n',
    ['c:2:3  specialists.specialist-merge-agent  is not a known specialist (did you mean merge-agent?)'],
  ],
  [
    'specialists:\n  My Agent: {}\n',
    ['c:2:3  specialists."My Agent"  is not a valid name: use lower-case letters, digits and "-"'],
  ],
  [
    'model_selection:\n  default_model: sonet\n',
    ['c:2:18  model_selection.default_model  is neither a tier nor a model id (did you mean sonnet?)'],
  ],
  [
    'model_selection:\n  specialists:\n    test-agent: haikuu\n',
    ['c:3:17  model_selection.specialists.test-agent  is neither a tier nor a model id (did you mean haiku?)'],
  ],
  ['runtimes:\n  specialists: 5\n', ['c:2:16  runtimes.specialists  expected a group of keys']],
  [
    'runtimes:\n  specialists:\n    test-agent: {modle: opus}\n',
    ['c:3:18  runtimes.specialists.test-agent.modle  unknown key (did you mean model?)'],
  ],
  [
    'model_selection:\n  complexity_routing:\n    trivial: {model: x, runtim: codex}\n',
    [
      'c:3:5  model_selection.complexity_routing.trivial.runtime  is missing',
      'c:3:25  model_selection.complexity_routing.trivial.runtim  unknown key (did you mean runtime?)',
    ],
  ],
  [
    'handoffs:\n  auto_triggers:\n    ci_failed:\n      to_specialist: merge-agant\n',
    [
      'c:4:22  handoffs.auto_triggers.ci_failed.to_specialist  names "merge-agant", which is not under specialists ' +
        '(did you mean merge-agent?)',
    ],
  ],
  [
    'handoffs:\n  auto_triggers:\n    planning_complete:\n      detection:\n        - prd_file_created: true\n          exit_plan_mode: true\n',
    ['c:5:11  handoffs.auto_triggers.planning_complete.detection.0  must have exactly one signal in each list entry'],
  ],
  [
    'notifications:\n  slack_webhook: hooks.slack\n',
    ['c:2:18  notifications.slack_webhook  expected an http(s) address, got "hooks.slack"'],
  ],
  ['thresholds:\n  stale: 5\n  stale: 6\n', ['c:3:3  thresholds.stale  is set twice; keep one of them']],
  ['? [a, b]\n: 1\n', ['c:1:3  has a key that is not a plain name']],
  ['thresholds: *t\n', ['c:1:13  thresholds  names the anchor «t», which is not set before it']],
  ['runs: &r\n  max_runs: *r\n', ['c:2:13  runs.max_runs  names the anchor «r», which contains it']],
  ['a: 1\n---\nb: 2\n', ['c:2:1  holds more than one document; keep one («---» begins another)']],
  ['thresholds:\n\tstale: 5\n', ['c:2:1  is not valid YAML: Tabs are not allowed as indentation']],
  ['"a\\e[2Jb": "\\x9b"\n', ['c:1:1  "a\\u001b[2Jb"  unknown key']],
  ['startup: {auto_start: "\\x9b31m"}\n', ['c:1:23  startup.auto_start  expected true or false, got "\\u{9b}31m"']],
  ['- 1\n', ['c:1:1  expected a group of keys, got a list']],
  ['just text\n', ['c:1:1  expected a group of keys, got "just text"']],
])('%j', (text, lines) => {
  expect(told(text)).toEqual(lines)
})

test('all problems are told at once, in the order of the file', () => {
  expect(told('\uFEFFstartup:\r\n  auto_start: on\r\nthresholds:\r\n  stale: x\r\n  stale: y\r\nzebra: 1\r\n')).toEqual(
    [
      'c:2:15  startup.auto_start  expected true or false, got "on" (did you mean true?)',
      'c:4:10  thresholds.stale  expected a number, got "x"',
      'c:5:3  thresholds.stale  is set twice; keep one of them',
      'c:6:1  zebra  unknown key',
    ],
  )
})

test.each([
  ['', {}],
  ['# only a comment\n', {}],
  ['\uFEFFthresholds:\r\n  stale: 4\r\n', { thresholds: { stale: 4, warning: 15, stuck: 30 } }],
  ['thresholds:\n  # stale: 4\n', {}],
  ['thresholds: &t {stale: 4}\n', { thresholds: { stale: 4, warning: 15, stuck: 30 } }],
  ['thresholds:\n  stale: &n 4\nruns:\n  max_runs: *n\n', { thresholds: { stale: 4, warning: 15, stuck: 30 } }],
])('%j has no problem', (text, part) => {
  const { config, problems } = checkText(text)
  expect(problems).toEqual([])
  expect(config).toMatchObject(part)
})

test('of very many problems the first hundred are told', () => {
  const text = Array.from({ length: 500 }, (_, index) => `key${index}: 1`).join('\n')
  const { problems } = checkText(text)
  expect(problems).toHaveLength(100)
})

/** Each of these took the package minutes, or would expand without end. */
test.each([
  ['very many keys', Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n')],
  ['nested complex keys', '? '.repeat(5000)],
  ['nested lists', '['.repeat(50_000)],
  ['nested groups', '{a: '.repeat(20_000)],
  [
    'an alias bomb',
    `a: &a [x, x]\n${'bcdefghijklmnopqrstuvwxyz'.replaceAll(/./g, (c) => `${c}: &${c} [*${before(c)}, *${before(c)}]\n`)}`,
  ],
  ['very many aliases', `a: &a 1\nb: [${'*a, '.repeat(20_000)}]`],
  [
    'very many specialists',
    `model_selection:\n  specialists:\n${Array.from({ length: 30_000 }, (_, i) => `    a${i}: haiku`).join('\n')}`,
  ],
])('%s end in problems', (_, text) => {
  const { problems } = checkText(text)
  expect(problems.length).toBeGreaterThan(0)
})

function before(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 1)
}

test.each([
  ['', 'abc', 3],
  ['stael', 'stale', 1],
  ['kitten', 'sitting', 3],
  ['same', 'same', 0],
])('%s and %s are %i changes apart', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance)
})

test.each([
  ['stal', 'stale'],
  ['STALE', 'stale'],
  ['zebra', undefined],
  ['x'.repeat(1_000_000), undefined],
])('%.10s means %s', (word, meant) => {
  expect(closest(word, ['stale', 'warning', 'stuck'])).toBe(meant)
})
