/** Other spellings, who wins, and the environment. */
import { expect, test } from 'vitest'
import { applyEnvironment } from '../../src/contract/config/environment.ts'
import { parseConfig, placeOfKey } from '../../src/contract/config/parse.ts'
import { dotted, getIn, parseDotted } from '../../src/contract/config/path.ts'
import type { Config } from '../../src/contract/config/schema.ts'

const STUCK = 'handoffs.auto_triggers.stuck_escalation.thresholds'

test.each([
  [
    { thresholds: { stale_minutes: 3, warning_minutes: 4, stuck_minutes: 6 } },
    'thresholds',
    { stale: 3, warning: 4, stuck: 6 },
  ],
  [{ thresholds: { stale: 3, stale_minutes: 3 } }, 'thresholds.stale', 3],
  [{ model_selection: { specialists: { 'test-agent': 'opus' } } }, 'specialists.test-agent.model', 'opus'],
  [
    { specialists: { 'test-agent': { model: 'sonnet' } }, model_selection: { specialists: { 'test-agent': 'opus' } } },
    'specialists.test-agent.model',
    'opus',
  ],
  [
    {
      specialists: { 'test-agent': { model: 'sonnet', enabled: false } },
      runtimes: { specialists: { 'test-agent': { model: 'deepseek-v3', runtime: 'opencode' } } },
      model_selection: { specialists: { 'test-agent': 'opus' } },
    },
    'specialists.test-agent',
    { enabled: false, auto_wake: true, model: 'deepseek-v3', runtime: 'opencode', idle_minutes: null },
  ],
  [
    { specialists: { 'docs-agent': null } },
    'specialists.docs-agent',
    { enabled: true, auto_wake: true, model: 'sonnet', runtime: null, idle_minutes: null },
  ],
  [
    {
      model_selection: { complexity_routing: { trivial: 'sonnet', expert: 'sonnet' } },
      handoffs: { complexity_routing: { trivial: { model: 'deepseek-v3', runtime: 'opencode' } } },
    },
    'model_selection.complexity_routing',
    {
      trivial: { model: 'deepseek-v3', runtime: 'opencode' },
      simple: 'haiku',
      medium: 'sonnet',
      complex: 'sonnet',
      expert: 'sonnet',
    },
  ],
  [
    { model_selection: { escalation: { haiku_stuck_minutes: 7, sonnet_stuck_minutes: 9, auto_escalate: false } } },
    STUCK,
    { haiku_to_sonnet_minutes: 7, sonnet_to_opus_minutes: 9, opus_to_human_minutes: 30 },
  ],
  [
    {
      model_selection: { escalation: { haiku_stuck_minutes: 7 } },
      handoffs: { auto_triggers: { stuck_escalation: { thresholds: { haiku_to_sonnet_minutes: 8 } } } },
    },
    `${STUCK}.haiku_to_sonnet_minutes`,
    8,
  ],
  [{ runtimes: { model_routing: { 'gpt-5.5': 'codex' } } }, 'runtimes.model_routing."gpt-5.5"', 'codex'],
  [{ runtimes: { model_routing: { 'gpt-5.5': 'codex' } } }, 'runtimes.model_routing.opus', 'claude-code'],
])('%j gives %s', (input, key, value) => {
  const { config, problems } = parseConfig(input)
  expect(problems).toEqual([])
  expect(getIn(config, parseDotted(key) ?? [])).toEqual(value)
})

test('a value that another place overrides is named', () => {
  const parsed = parseConfig({
    model_selection: { specialists: { 'test-agent': 'opus' }, escalation: { haiku_stuck_minutes: 7 } },
    runtimes: { specialists: { 'test-agent': { model: 'sonnet' } } },
    handoffs: { auto_triggers: { stuck_escalation: { thresholds: { haiku_to_sonnet_minutes: 8 } } } },
  })
  expect(parsed.shadowed.map(({ path, by }) => `${dotted(path)} by ${dotted(by)}`)).toEqual([
    'model_selection.specialists.test-agent by runtimes.specialists.test-agent.model',
    `model_selection.escalation.haiku_stuck_minutes by ${STUCK}.haiku_to_sonnet_minutes`,
  ])
})

test.each([
  [{}, 'thresholds.stale', 'thresholds.stale'],
  [{}, 'thresholds.stale_minutes', 'thresholds.stale'],
  [{ thresholds: { stale_minutes: 3 } }, 'thresholds.stale', 'thresholds.stale_minutes'],
  [
    { runtimes: { specialists: { 'test-agent': { model: 'opus' } } } },
    'specialists.test-agent.model',
    'runtimes.specialists.test-agent.model',
  ],
])('in %j the key %s is edited at %s', (input, key, place) => {
  expect(dotted(placeOfKey(parseConfig(input), parseDotted(key) ?? []))).toBe(place)
})

const defaults = parseConfig({}).config as Config

test.each([
  [{}, {}, []],
  [{ CLOISTER_AUTO_START: '' }, {}, []],
  [{ CLOISTER_AUTO_START: 'false' }, { startup: { auto_start: false } }, ['startup.auto_start']],
  [{ CLOISTER_AUTO_START: ' 0 ' }, { startup: { auto_start: false } }, ['startup.auto_start']],
  [{ CLOISTER_STUCK_THRESHOLD: '45' }, { thresholds: { ...defaults.thresholds, stuck: 45 } }, ['thresholds.stuck']],
  [
    { CLOISTER_AUTO_KILL: 'TRUE' },
    { auto_actions: { ...defaults.auto_actions, kill_on_stuck: true } },
    ['auto_actions.kill_on_stuck'],
  ],
])('%j overrides %j', (env, part, keys) => {
  const result = applyEnvironment(defaults, env)
  expect({ ...result, keys: result.keys.map(dotted) }).toEqual({ config: { ...defaults, ...part }, problems: [], keys })
})

test.each([
  ['CLOISTER_AUTO_START', 'maybe', 'CLOISTER_AUTO_START=maybe is not used: expected true or false'],
  ['CLOISTER_AUTO_KILL', '2', 'CLOISTER_AUTO_KILL=2 is not used: expected true or false'],
  ['CLOISTER_STUCK_THRESHOLD', 'soon', 'CLOISTER_STUCK_THRESHOLD=soon is not used: expected a number, such as 45'],
  [
    'CLOISTER_STUCK_THRESHOLD',
    '10',
    'CLOISTER_STUCK_THRESHOLD=10 is not used: thresholds.stuck must be more than warning, but stuck is 10 and warning is ' +
      '15 minutes. Change the variable or the keys in cloister.yaml',
  ],
])('%s=%s is reported and changes nothing', (name, value, sentence) => {
  expect(applyEnvironment(defaults, { [name]: value })).toEqual({
    config: defaults,
    problems: [{ name, sentence }],
    keys: [],
  })
})
