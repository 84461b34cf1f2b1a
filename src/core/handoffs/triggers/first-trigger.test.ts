import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configSchema } from '../../../contract/config/schema.ts'
import { toHandoffSettings } from '../../../contract/config/to-handoff-settings.ts'
import type { HandoffTask } from '../../../contract/handoff-context.ts'
import type { HandoffSettings } from '../../../contract/handoff-settings.ts'
import { cause, type CauseKind } from '../../../contract/verdict.ts'
import { MINUTE } from '../../durations.ts'
import { firstTrigger } from './first-trigger.ts'
import { isWholePlan, planFilePath } from './planning-complete.ts'
import { tasksWith } from './task-words.ts'
import type { Tier } from '../../routing/tiers.ts'
import type { Trigger, TriggerFacts, TriggerRules } from './trigger.ts'

const SETTINGS = toHandoffSettings(configSchema.parse({}))
const TIERS: readonly Tier[] = ['opus', 'sonnet', 'haiku', 'cheap']
const tierOf = (model: string) => TIERS.find((tier) => model === tier || model.startsWith(`claude-${tier}`))
const rules = (settings: Partial<HandoffSettings> = {}): TriggerRules => ({
  settings: { ...SETTINGS, ...settings },
  tierOf,
})

const agentOf = (model: string, specialist?: string) => ({
  id: 'agent-pan-18',
  generation: 3,
  model,
  ...(specialist === undefined ? {} : { specialist }),
})
const facts = (model: string, more: Partial<TriggerFacts> = {}): TriggerFacts => ({
  agent: agentOf(model),
  closed: (more.tasks ?? []).filter(({ state }) => state === 'closed').map(({ id }) => id),
  settled: new Set(),
  ...more,
})
const task = (id: string, title: string, state: HandoffTask['state']): HandoffTask => ({ id, title, state })
const hung = (minutes: number, cause: CauseKind = 'hung', isQuiet = true) => ({
  health: { cause, forMs: minutes * MINUTE, isQuiet },
})
const failed = { runner: 'vitest', result: 'failed', why: 'it says that 1 failed' } as const
const passed = { runner: 'vitest', result: 'passed', why: 'it says that 9 passed' } as const
const notRun = { runner: 'vitest', result: 'not_run', why: 'it says that it ran no test' } as const
const report = (from: string, about: 'tests' | 'review' | 'merge', ok: boolean, security?: true) => ({
  reports: [{ id: 'f-1', from, about, passed: ok, ...(security === undefined ? {} : { security }) }],
})

test('the defaults of the settings', () => {
  expect(SETTINGS).toEqual({
    planningComplete: {
      enabled: true,
      taskWords: ['plan'],
      planFile: true,
      exitPlanMode: true,
      mode: 'any',
      from: 'opus',
      to: 'sonnet',
    },
    implementationComplete: { enabled: true, taskWord: 'implement', specialist: 'test-agent' },
    testsPass: { enabled: true, to: 'sonnet' },
    stuck: { enabled: true, specialistFirst: true, haikuMs: 600_000, sonnetMs: 1_200_000, opusMs: 1_800_000 },
    testFailure: { enabled: true, on: 'any_failure', from: 'haiku', to: 'sonnet' },
    nextTask: { enabled: true },
    costDowngrade: { enabled: false, thresholdUsd: 5 },
    reviewApproved: { enabled: false, to: 'haiku' },
    mergeConflict: { enabled: true, specialist: 'merge-agent' },
    ciFailed: { enabled: true, specialist: 'merge-agent' },
    securityConcern: { enabled: true, to: 'opus' },
    requireApproval: ['cross_runtime'],
    perIssuePerHour: 3,
    maxEscalations: 2,
    autoEscalate: true,
    restMs: 30_000,
    saveMs: 60_000,
    cycle: { enabled: true, threshold: 0.85, writeMs: 300_000, retries: 1, verifyMs: 60_000, warnPerHour: 2 },
    specialistsOff: [],
  })
})

test.each<[string, TriggerFacts, Trigger]>([
  [
    'planning: its task is closed',
    facts('claude-opus-5-5', {
      tasks: [task('p-1', 'Plan the monitor', 'closed'), task('p-2', 'Implement it', 'open')],
    }),
    {
      trigger: 'planning_complete',
      to: { model: 'sonnet' },
      reason: 'The plan is done (plan task closed), so sonnet can build it.',
      evidence: [{ what: 'plan task closed', value: 'p-1 «Plan the monitor»' }],
      key: 'planning_complete:p-1 «Plan the monitor»',
    },
  ],
  [
    'planning: no task, and the file is complete',
    facts('opus', { plan: { file: { path: 'docs/prds/active/pan-18-plan.md', isComplete: true } } }),
    {
      trigger: 'planning_complete',
      to: { model: 'sonnet' },
      reason: 'The plan is done (plan file complete), so sonnet can build it.',
      evidence: [{ what: 'plan file complete', value: 'docs/prds/active/pan-18-plan.md' }],
      key: 'planning_complete:docs/prds/active/pan-18-plan.md',
    },
  ],
  [
    'planning: no task, and plan mode was left',
    facts('opus', { plan: { exitPlanMode: true } }),
    {
      trigger: 'planning_complete',
      to: { model: 'sonnet' },
      reason: 'The plan is done (plan mode left), so sonnet can build it.',
      evidence: [{ what: 'plan mode left', value: 'ExitPlanMode accepted' }],
      key: 'planning_complete:ExitPlanMode accepted',
    },
  ],
  [
    'implementation: all its tasks are closed',
    facts('sonnet', {
      tasks: [
        task('p-2', 'Implement a', 'closed'),
        task('p-3', 'Implementation of b', 'closed'),
        task('p-4', 'Docs', 'open'),
      ],
    }),
    {
      trigger: 'implementation_complete',
      to: { specialist: 'test-agent' },
      reason: 'All 2 implement tasks are closed, so test-agent tests it.',
      evidence: [
        { what: 'task closed', value: 'p-2 «Implement a»' },
        { what: 'task closed', value: 'p-3 «Implementation of b»' },
      ],
      key: 'implementation_complete:p-2,p-3',
    },
  ],
  [
    'tests passed: back',
    facts('sonnet', report('test-agent', 'tests', true)),
    {
      trigger: 'tests_pass',
      to: { model: 'sonnet' },
      reason: 'test-agent reports that the tests pass, so sonnet goes on.',
      evidence: [{ what: 'report', value: 'f-1 by test-agent' }],
      key: 'tests_pass:f-1',
    },
  ],
  [
    'tests failed, the first time',
    facts('claude-haiku-4-5', { testRuns: [passed, failed, notRun] }),
    {
      trigger: 'test_failure',
      to: { model: 'sonnet' },
      reason: 'Its tests failed, which is too much for haiku; sonnet goes on.',
      evidence: [{ what: 'vitest failed', value: 'it says that 1 failed' }],
      key: 'test_failure:3',
    },
  ],
  [
    'haiku stuck for 10 min',
    facts('claude-haiku-4-5', hung(10)),
    {
      trigger: 'stuck_escalation',
      to: { model: 'sonnet' },
      reason: 'claude-haiku-4-5 is stuck for 10 min, so sonnet goes on.',
      evidence: [
        { what: 'verdict', value: 'hung' },
        { what: 'stuck for', value: '10 min' },
      ],
      key: 'stuck_escalation:3:',
    },
  ],
  [
    'sonnet for 7 min, when nothing that was tried helped',
    facts('sonnet', { health: { cause: 'hung', forMs: 420_000, isQuiet: true, isHelpless: true } }),
    {
      trigger: 'stuck_escalation',
      to: { model: 'opus' },
      reason: 'sonnet is stuck for 7 min, so opus goes on.',
      evidence: [
        { what: 'verdict', value: 'hung' },
        { what: 'stuck for', value: '7 min' },
      ],
      key: 'stuck_escalation:3:',
    },
  ],
  [
    'sonnet in a loop for 20 min',
    facts('sonnet', hung(20, 'looping', false)),
    {
      trigger: 'stuck_escalation',
      to: { model: 'opus' },
      reason: 'sonnet is stuck for 20 min, so opus goes on.',
      evidence: [
        { what: 'verdict', value: 'looping' },
        { what: 'stuck for', value: '20 min' },
      ],
      key: 'stuck_escalation:3:',
    },
  ],
  [
    'opus silent for 30 min',
    facts('opus', hung(30, 'thinking')),
    {
      trigger: 'stuck_escalation',
      to: { person: true },
      reason: 'opus is stuck for 30 min, and no dearer model is left.',
      evidence: [
        { what: 'verdict', value: 'thinking' },
        { what: 'stuck for', value: '30 min' },
      ],
      key: 'stuck_escalation:3:',
    },
  ],
  [
    'stuck on tests: the specialist before a dearer model',
    facts('sonnet', { ...hung(21), testRuns: [failed] }),
    {
      trigger: 'stuck_escalation',
      to: { specialist: 'test-agent' },
      reason: "sonnet is stuck for 21 min on its tests, which is test-agent's.",
      evidence: [
        { what: 'verdict', value: 'hung' },
        { what: 'stuck for', value: '21 min' },
        { what: 'vitest failed', value: 'it says that 1 failed' },
      ],
      key: 'stuck_escalation:3::test-agent',
    },
  ],
  [
    'stuck on review feedback',
    facts('opus', { ...hung(31), ...report('review-agent', 'review', false) }),
    {
      trigger: 'stuck_escalation',
      to: { specialist: 'review-agent' },
      reason: "opus is stuck for 31 min on what the review asks for, which is review-agent's.",
      evidence: [
        { what: 'verdict', value: 'hung' },
        { what: 'stuck for', value: '31 min' },
        { what: 'review not passed', value: 'f-1 by review-agent' },
      ],
      key: 'stuck_escalation:3::review-agent',
    },
  ],
  [
    'stuck on a conflict',
    facts('haiku', { ...hung(12), conflict: { files: ['a.ts'] }, testRuns: [failed] }),
    {
      trigger: 'stuck_escalation',
      to: { specialist: 'merge-agent' },
      reason: "haiku is stuck for 12 min on a conflict, which is merge-agent's.",
      evidence: [
        { what: 'verdict', value: 'hung' },
        { what: 'stuck for', value: '12 min' },
        { what: 'conflicts', value: 'a.ts' },
      ],
      key: 'stuck_escalation:3::merge-agent',
    },
  ],
  [
    'a merge conflict',
    facts('sonnet', { conflict: { files: ['b.ts', 'a.ts'] } }),
    {
      trigger: 'merge_conflict',
      to: { specialist: 'merge-agent' },
      reason: 'Its branch conflicts in 2 files, so merge-agent gets it.',
      evidence: [
        { what: 'conflict', value: 'b.ts' },
        { what: 'conflict', value: 'a.ts' },
      ],
      key: 'merge_conflict:a.ts,b.ts',
    },
  ],
  [
    'CI failed',
    facts('sonnet', { ci: { failed: 'run 4711' } }),
    {
      trigger: 'ci_failed',
      to: { specialist: 'merge-agent' },
      reason: 'CI failed, so merge-agent gets it.',
      evidence: [{ what: 'CI', value: 'run 4711' }],
      key: 'ci_failed:run 4711',
    },
  ],
  [
    'a security concern',
    facts('sonnet', report('review-agent', 'review', false, true)),
    {
      trigger: 'security_concern',
      to: { model: 'opus' },
      reason: 'The review-agent flagged a security concern, so opus goes on.',
      evidence: [{ what: 'report', value: 'f-1 by review-agent' }],
      key: 'security_concern:f-1',
    },
  ],
  [
    'the next task is trivial',
    facts('sonnet', {
      tasks: [task('p-1', 'Do', 'closed'), task('p-9', 'Fix «typo»\n', 'open')],
      nextTask: { id: 'p-9', title: 'Fix «typo»\n', complexity: 'trivial', model: 'haiku' },
    }),
    {
      trigger: 'task_complete',
      to: { model: 'haiku' },
      reason: 'The next task «Fix typo» is trivial, which haiku does.',
      evidence: [
        { what: 'task closed', value: 'p-1' },
        { what: 'tasks done', value: '1 of 2' },
        { what: 'next task', value: 'p-9 is trivial' },
      ],
      key: 'task_complete:p-9:haiku',
    },
  ],
  [
    'the next task belongs to another runtime',
    facts('sonnet', {
      tasks: [task('p-1', 'Do', 'closed')],
      nextTask: { id: 'p-9', title: 'Docs', complexity: 'simple', model: 'deepseek-v3', runtime: 'opencode' },
    }),
    {
      trigger: 'task_complete',
      to: { model: 'deepseek-v3', runtime: 'opencode' },
      reason: 'The next task «Docs» is simple, which deepseek-v3 does.',
      evidence: [
        { what: 'task closed', value: 'p-1' },
        { what: 'tasks done', value: '1 of 1' },
        { what: 'next task', value: 'p-9 is simple' },
      ],
      key: 'task_complete:p-9:deepseek-v3',
    },
  ],
  [
    'context at exactly the threshold',
    facts('sonnet', { context: { fill: 0.85, threshold: 0.85 } }),
    {
      trigger: 'context_limit',
      to: { fresh: true },
      reason: 'Its context is 85 % full, and from 85 % on it begins a fresh one.',
      evidence: [{ what: 'context', value: '85 % of the usable window' }],
      key: 'context_limit:3',
    },
  ],
])('%s', (_, given, trigger) => {
  expect(firstTrigger(given, rules())).toEqual(trigger)
  expect(firstTrigger({ ...given, settled: new Set([trigger.key]) }, rules())?.key).not.toBe(trigger.key)
})

const on = { enabled: true }
test.each<[string, TriggerFacts, Partial<HandoffSettings>, Partial<Trigger>]>([
  [
    'review approved',
    facts('sonnet', report('review-agent', 'review', true)),
    { reviewApproved: { ...on, to: 'haiku' } },
    {
      trigger: 'review_approved',
      to: { model: 'haiku' },
      reason: 'The review is passed, so haiku cleans up before it is merged.',
    },
  ],
  [
    'cost',
    facts('opus', { costUsd: 5 }),
    { costDowngrade: { ...on, thresholdUsd: 5 } },
    {
      trigger: 'cost_downgrade',
      to: { model: 'sonnet' },
      reason: 'It cost 5.00 USD, and from 5.00 USD on sonnet goes on.',
    },
  ],
  [
    'cost, of sonnet',
    facts('sonnet', { costUsd: 9.5 }),
    { costDowngrade: { ...on, thresholdUsd: 5 } },
    { to: { model: 'haiku' } },
  ],
  [
    'two failures in a row',
    facts('haiku', { testRuns: [failed, notRun, failed] }),
    { testFailure: { ...SETTINGS.testFailure, on: '2_consecutive' } },
    {
      trigger: 'test_failure',
      reason: 'Its tests failed twice in a row, which is too much for haiku; sonnet goes on.',
    },
  ],
  [
    'no specialist first',
    facts('sonnet', { ...hung(21), testRuns: [failed] }),
    { stuck: { ...SETTINGS.stuck, specialistFirst: false } },
    { to: { model: 'opus' } },
  ],
  [
    'the specialist is off',
    facts('sonnet', { ...hung(21), testRuns: [failed] }),
    { specialistsOff: ['test-agent'] },
    { to: { model: 'opus' } },
  ],
  [
    'every signal of planning',
    facts('opus', {
      tasks: [task('p', 'Plan', 'closed')],
      plan: { file: { path: 'f', isComplete: true }, exitPlanMode: true },
    }),
    { planningComplete: { ...SETTINGS.planningComplete, mode: 'all' } },
    {
      trigger: 'planning_complete',
      reason: 'The plan is done (plan task closed, plan file complete, plan mode left), so sonnet can build it.',
    },
  ],
])('by setting: %s', (_, given, settings, trigger) => {
  expect(firstTrigger(given, rules(settings))).toMatchObject(trigger)
})

test('the specialist had it before: then the dearer model', () => {
  const given = facts('sonnet', {
    ...hung(25),
    testRuns: [failed],
    settled: new Set(['stuck_escalation:3::test-agent']),
  })
  expect(firstTrigger(given, rules())).toMatchObject({ to: { model: 'opus' } })
})

test.each<[string, TriggerFacts, Partial<HandoffSettings>?]>([
  ['nothing is known', facts('sonnet')],
  [
    'the plan task is open, though a file is there',
    facts('opus', {
      tasks: [task('p', 'Plan it', 'in_progress')],
      plan: { file: { path: 'f', isComplete: true }, exitPlanMode: true },
    }),
  ],
  [
    'one of two plan tasks is open',
    facts('opus', { tasks: [task('p', 'Plan a', 'closed'), task('q', 'Plan b', 'open')] }),
  ],
  ['the plan file is half', facts('opus', { plan: { file: { path: 'f', isComplete: false } } })],
  [
    'all signals are needed and one is missing',
    facts('opus', { tasks: [task('p', 'Plan', 'closed')], plan: { exitPlanMode: true } }),
    { planningComplete: { ...SETTINGS.planningComplete, mode: 'all' } },
  ],
  ['planned by another tier', facts('sonnet', { plan: { exitPlanMode: true } })],
  ['an airplane is no plan', facts('opus', { tasks: [task('p', 'Paint the airplane', 'closed')] })],
  [
    'one implement task is open',
    facts('sonnet', { tasks: [task('p', 'Implement a', 'closed'), task('q', 'Implement b', 'blocked')] }),
  ],
  ['no implement task at all', facts('sonnet', { tasks: [task('p', 'Docs', 'closed')] })],
  [
    'the test-agent is off',
    facts('sonnet', { tasks: [task('p', 'Implement a', 'closed')] }),
    { specialistsOff: ['test-agent'] },
  ],
  ['the last tests passed', facts('haiku', { testRuns: [failed, passed] })],
  ['nothing ran', facts('haiku', { testRuns: [notRun, notRun] })],
  [
    'one failure of two',
    facts('haiku', { testRuns: [failed, passed, failed] }),
    { testFailure: { ...SETTINGS.testFailure, on: '2_consecutive' } },
  ],
  [
    'a failure between passes',
    facts('haiku', { testRuns: [failed] }),
    { testFailure: { ...SETTINGS.testFailure, on: '2_consecutive' } },
  ],
  ['tests fail for sonnet', facts('sonnet', { testRuns: [failed] })],
  ['tests fail for a model of no tier', facts('deepseek-v3', { testRuns: [failed] })],
  ['haiku just below 10 min', facts('haiku', { health: { cause: 'hung', forMs: 10 * MINUTE - 1, isQuiet: true } })],
  ['sonnet below 20 min', facts('sonnet', hung(19))],
  ['opus below 30 min', facts('opus', hung(29))],
  ['no tier, below 30 min', facts('deepseek-v3', hung(29))],
  ['silent with an open tool', facts('haiku', hung(60, 'working_tool', false))],
  ['silent, and its children work', facts('haiku', hung(60, 'thinking', false))],
  ['it waits for a person', facts('haiku', hung(600, 'waiting_permission'))],
  ['it is limited', facts('haiku', hung(600, 'rate_limited'))],
  ['it is dead, which is another matter', facts('haiku', hung(600, 'dead'))],
  ['nobody can tell', facts('haiku', hung(600, 'unknown'))],
  ['security, by somebody else', facts('sonnet', report('test-agent', 'review', false, true))],
  ['security, and it is opus already', facts('opus', report('review-agent', 'review', false, true))],
  ['review approved, which is off', facts('sonnet', report('review-agent', 'review', true))],
  [
    'approved with a concern',
    facts('opus', report('review-agent', 'review', true, true)),
    { reviewApproved: { ...on, to: 'haiku' } },
  ],
  ['tests failed by report', facts('sonnet', report('test-agent', 'tests', false))],
  ['dear, which is off', facts('opus', { costUsd: 50 })],
  ['dear, and nothing is cheaper', facts('haiku', { costUsd: 50 }), { costDowngrade: { ...on, thresholdUsd: 5 } }],
  ['not dear enough', facts('opus', { costUsd: 4.99 }), { costDowngrade: { ...on, thresholdUsd: 5 } }],
  [
    'in the middle of a task',
    facts('sonnet', {
      tasks: [task('p', 'a', 'closed'), task('q', 'b', 'in_progress')],
      nextTask: { id: 'r', title: 'c', complexity: 'trivial', model: 'haiku' },
    }),
  ],
  [
    'no task was done yet',
    facts('sonnet', {
      tasks: [task('r', 'c', 'open')],
      nextTask: { id: 'r', title: 'c', complexity: 'trivial', model: 'haiku' },
    }),
  ],
  [
    'the next task is for the same model',
    facts('claude-sonnet-5', {
      tasks: [task('p', 'a', 'closed')],
      nextTask: { id: 'r', title: 'c', complexity: 'medium', model: 'sonnet' },
    }),
  ],
  ['context just below', facts('sonnet', { context: { fill: 0.8499, threshold: 0.85 } })],
  [
    'cycles are off',
    facts('sonnet', { context: { fill: 0.99, threshold: 0.85 } }),
    { cycle: { ...SETTINGS.cycle, enabled: false } },
  ],
  ['no files conflict', facts('sonnet', { conflict: { files: [] } })],
])('nothing: %s', (_, given, settings = {}) => {
  expect(firstTrigger(given, rules(settings))).toBeUndefined()
})

test('every trigger can be switched off', () => {
  const off = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, value]) => [
      key,
      typeof value === 'object' && 'enabled' in value ? { ...value, enabled: false } : value,
    ]),
  )
  const all: Partial<TriggerFacts> = {
    ...hung(600),
    tasks: [task('p', 'Plan', 'closed'), task('q', 'Implement', 'closed')],
    nextTask: { id: 'r', title: 'c', complexity: 'trivial', model: 'haiku' },
    testRuns: [failed, failed],
    reports: [
      { id: 'a', from: 'test-agent', about: 'tests', passed: true },
      { id: 'b', from: 'review-agent', about: 'review', passed: true, security: true },
    ],
    conflict: { files: ['a'] },
    ci: { failed: 'x' },
    context: { fill: 1, threshold: 0.85 },
    costUsd: 100,
  }
  for (const model of ['opus', 'sonnet', 'haiku']) expect(firstTrigger(facts(model, all), rules(off))).toBeUndefined()
})

test.each([
  ['plan', 'Planning the monitor', true],
  ['plan', 'plan: monitor', true],
  ['plan', 'Replan it', false],
  ['plan', 'Planet of apes', false],
  ['implement', 'Implementation', true],
  ['implement', 'Reimplement', false],
  ['write code', 'Please WRITE CODE now', true],
  ['(', 'a ( b', false],
])('«%s» in «%s»: %s', (word, title, is) => {
  expect(tasksWith(word, [task('a', title, 'open')]).length > 0).toBe(is)
})

test.each([
  ['# Plan\n\n## Steps\n1. Do a\n2. Do b\n', true],
  ['# Plan\n\n## Steps\n1. Do a\n2. Do b\n\n## Tests\n', false],
  ['# Plan\n\n## Steps\n1. Do a\n2. Do b:\n', false],
  ['# Plan\n## Steps\n- a\n- b\n```ts\nconst x', false],
  ['# Plan\nsoon', false],
  ['', false],
])('whether «%s» is a whole plan', (text, is) => {
  expect(isWholePlan(text)).toBe(is)
})

test('where a plan lies', () => {
  expect([planFilePath('pan-18'), planFilePath('../x')]).toEqual(['docs/prds/active/pan-18-plan.md', undefined])
})

test('whatever is known, a trigger has its reason, its evidence and a bounded key, and unknown raises nobody', () => {
  const tasks = fc.array(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 20 }),
      title: fc.string({ unit: 'binary' }),
      state: fc.constantFrom('open', 'in_progress', 'blocked', 'closed') as fc.Arbitrary<HandoffTask['state']>,
    }),
    { maxLength: 8 },
  )
  const some = fc.record(
    {
      tasks,
      testRuns: fc.array(fc.constantFrom(failed, passed, notRun)),
      health: fc.record({
        cause: fc.constantFrom(...cause.options.map(({ shape }) => shape.kind.value)),
        forMs: fc.nat(1e8),
        isQuiet: fc.boolean(),
      }),
      conflict: fc.record({ files: fc.array(fc.string()) }),
      context: fc.record({ fill: fc.double({ noNaN: true }), threshold: fc.constant(0.85) }),
      costUsd: fc.double({ min: 0, max: 1e6, noNaN: true }),
      plan: fc.record({ exitPlanMode: fc.boolean() }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(some, fc.constantFrom('opus', 'sonnet', 'haiku', 'other'), (given, model) => {
      const found = firstTrigger(facts(model, given), rules())
      if (found === undefined) return
      expect(found.reason).toMatch(/\S\.$/)
      expect(found.evidence.length).toBeGreaterThan(0)
      expect(found.key.length).toBeLessThanOrEqual(320)
      if (found.trigger === 'stuck_escalation') expect(['hung', 'looping', 'thinking']).toContain(given.health?.cause)
    }),
  )
})
