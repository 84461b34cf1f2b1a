/** Whether a key is in effect, as the documents and `pan config validate` say it, is what the code does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cautionsOf } from '../../src/contract/config/cautions.ts'
import { ANY_NAME, leafKeys, type Key } from '../../src/contract/config/keys.ts'
import { parseConfig } from '../../src/contract/config/parse.ts'
import { dotted, setIn } from '../../src/contract/config/path.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'
import { valueKind } from '../../src/contract/config/value-kind.ts'

/** Read by the daemon itself, not by what the core decides by: the text that reads each. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  'dashboard.host': 'inForce().dashboard',
  'dashboard.port': 'inForce().dashboard',
  'runtimes.claude-code.permission_mode': 'permission_mode: permissionMode',
  'runtimes.claude-code.task_lists': 'task_lists: taskLists',
  'runtimes.claude-code.environment': 'environment }',
}

const SOURCE = readFileSync('src/daemon/main.ts', 'utf8')

/** Values of which at least one is valid for the key and not its default. */
function others({ value, default: usual }: Key): unknown[] {
  const { kind, options = [] } = valueKind(value)
  const texts = [...options, 'haiku', 'opus', 'review-agent', 'codex']
  const lists = [[], [{ exit_plan_mode: true }], ['agent-1'], [...options.slice(0, 1)], ['escalate_to_opus']]
  const byKind = {
    boolean: [true, false],
    number: [1, 4, 12, 60, 0.5],
    list: lists,
    choice: options,
    text: texts,
    other: texts,
  }
  return byKind[kind].filter((each) => JSON.stringify(each) !== JSON.stringify(usual))
}

function changes(key: Key): boolean {
  const before = toSettings(parseConfig({}).config ?? never())
  // Of several of these the rest has to stay in order.
  const path = key.path.map((part) => (part === ANY_NAME ? 'my-own' : part))
  return others(key).some((value) => {
    const { config } = parseConfig(setIn({}, path, value))
    return config !== undefined && JSON.stringify(toSettings(config)) !== JSON.stringify(before)
  })
}

function never(): never {
  throw new Error('the empty configuration must be valid')
}

test.each(leafKeys().map((key) => [dotted(key.path), key] as const))('%s', (name, key) => {
  const elsewhere = READ_ELSEWHERE[name]
  if (elsewhere !== undefined) {
    expect(key.inEffect).toBe(true)
    expect(SOURCE).toContain(elsewhere)
  } else if (key.inEffect) {
    expect(changes(key), 'it is called in effect, and changes nothing').toBe(true)
  } else if (key.path[1] !== 'model_routing') {
    expect(changes(key), 'it is called not yet in effect, and changes something').toBe(false)
  }
})

describe('what the settings are translated to is read', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('contract/config'))
    .filter((file) => !file.startsWith('contract/settings') && !file.startsWith('contract/handoff-settings'))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .join('\n')
  const settings = toSettings(parseConfig({}).config ?? never())
  const { routing, handoffs, lifecycle, ...rest } = settings
  const names = [rest, lifecycle, handoffs, handoffs.cycle, routing, routing.detection].flatMap((each) =>
    Object.keys(each),
  )
  test.each([...new Set(names)])('%s', (name) => {
    expect(sources).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

test('what else a setting does is said', () => {
  const of = (input: object) => cautionsOf(parseConfig(input).config ?? never())
  expect(of({})).toEqual([])
  const [git, ...none] = of({ monitoring: { heartbeat_sources: ['jsonl_mtime', 'tmux_activity'] } })
  expect(none).toEqual([])
  for (const part of ['commits', 'branch', 'merge_conflict', 'prd_file_created']) expect(git).toContain(part)
  expect(of({ monitoring: { heartbeat_sources: [] } })).toHaveLength(3)
  expect(
    of({
      runtimes: { default: 'codex', model_routing: { 'my-model': 'opencode' } },
      model_selection: { complexity_routing: { simple: 'my-model', expert: { model: 'opus', runtime: 'codex' } } },
      specialists: { 'test-agent': { runtime: 'opencode' } },
    }),
  ).toEqual([
    'runtimes.default names the runtime codex, which is not there yet: claude-code is used instead.',
    'model_selection.complexity_routing.simple names the runtime opencode, which is not there yet: claude-code is used instead.',
    'model_selection.complexity_routing.expert names the runtime codex, which is not there yet: claude-code is used instead.',
    'specialists.test-agent names the runtime opencode, which is not there yet: claude-code is used instead.',
  ])
})
