import fc from 'fast-check'
import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Task } from '../contract/tasks.ts'
import type { WorkReport } from '../contract/work-signals.ts'
import { HOUR, MINUTE } from './durations.ts'
import { fingerprint } from './fingerprint.ts'
import { occasionsOf, triggerFacts, type Moment } from './occasions.ts'
import { keptTasks } from './tasks/own-tasks.ts'

const MOMENT: Moment = { now: 100 * MINUTE, settings: SETTINGS }
const FAILED = { runner: 'vitest', result: 'failed', why: 'it says that 1 failed' } as const
const task = (id: string, title: string, state: Task['state'], more: Partial<Task> = {}): Task => ({
  ...{ id, title, state, tags: [], blockedBy: [] },
  ...more,
})
const report = (about: WorkReport['about'], passed: boolean, more: Partial<WorkReport> = {}) => ({
  signals: { reports: [{ id: 'r-1', from: 'review-agent', about, passed, ...more }] },
})
const trivial = { complexity: { value: 'trivial', from: 'field' } } as const
const health = { cause: 'hung', forMs: 40 * MINUTE, isQuiet: true, sinceAt: 7, says: 'hung: nothing moves' } as const

function said(given: Partial<AgentRecord>, moment: Partial<Moment> = {}): string[] {
  return [...occasionsOf(agentRecord(given), { ...MOMENT, ...moment })].map(({ wish }) => {
    const { trigger, to, method, evidence = [], task: about } = wish
    const whom = method ?? to.specialist ?? to.model ?? 'a person'
    return `${trigger} → ${whom}${about === undefined ? '' : ` for ${about}`} [${evidence.join('; ')}]`
  })
}

test.each<[string, Partial<AgentRecord>, string[], Partial<Moment>?]>([
  ['nothing is known', {}, []],
  [
    'tests failed',
    { model: 'haiku', signals: { tests: [FAILED] } },
    ['test_failure → sonnet [vitest failed: it says that 1 failed]'],
  ],
  [
    'plan mode left',
    { model: 'opus', signals: { planLeft: true } },
    ['planning_complete → sonnet [plan mode left: ExitPlanMode accepted]'],
  ],
  [
    'the plan file',
    { model: 'opus', signals: { planFile: 'docs/prds/active/pan-18-plan.md' } },
    ['planning_complete → sonnet [plan file complete: docs/prds/active/pan-18-plan.md]'],
  ],
  [
    'implement tasks that it closed',
    {
      tasks: keptTasks('beads', [task('t-1', 'Implement it', 'closed')]),
      signals: { closed: [{ id: 't-1', title: 'Implement it' }] },
    },
    ['implementation_complete → test-agent [task closed: t-1 «Implement it»]'],
  ],
  [
    'implement tasks that somebody closed before',
    { tasks: keptTasks('beads', [task('t-1', 'Implement it', 'closed')]) },
    [],
  ],
  [
    'a trivial task comes next',
    {
      tasks: keptTasks('beads', [task('t-1', 'One', 'closed'), task('t-2', 'Two', 'open', trivial)]),
      signals: { closed: [{ id: 't-1', title: 'One' }] },
    },
    ['task_complete → haiku for t-2 [task closed: t-1; tasks done: 1 of 2; next task: t-2 is trivial]'],
  ],
  [
    'it is in the middle of a task',
    {
      tasks: keptTasks('beads', [
        task('t-1', 'One', 'closed'),
        task('t-2', 'Two', 'open', trivial),
        task('t-3', 'Three', 'in_progress'),
      ]),
      signals: { closed: [{ id: 't-1', title: 'One' }] },
    },
    [],
  ],
  ['the tests pass', report('tests', true), ['tests_pass → sonnet [report: r-1 by review-agent]']],
  ['security', report('review', false, { security: true }), ['security_concern → opus [report: r-1 by review-agent]']],
  ['CI failed', report('ci', false, { says: 'lint' }), ['ci_failed → merge-agent [CI: lint (r-1)]']],
  ['CI passed', report('ci', true), []],
  ['a conflict', { signals: { conflict: ['a.ts'] } }, ['merge_conflict → merge-agent [conflict: a.ts]']],
  [
    'a full context',
    { gauges: { context: { tokens: 153_000, window: 200_000, source: 'transcript' } } },
    ['context_limit → context_cycle [context: 85 % of the usable window]'],
  ],
  ['nearly', { gauges: { context: { tokens: 152_999, window: 200_000, source: 'transcript' } } }, []],
  ['a window that nobody knows', { gauges: { context: { tokens: 900_000, source: 'transcript' } } }, []],
  [
    'stuck on tests: first the specialist, then the dearer model',
    { signals: { tests: [FAILED] } },
    [
      'stuck_escalation → test-agent [verdict: hung: nothing moves; stuck for: 40 min; vitest failed: it says that 1 failed]',
      'stuck_escalation → opus [verdict: hung: nothing moves; stuck for: 40 min]',
    ],
    { health },
  ],
  [
    'stuck opus',
    { model: 'opus' },
    ['stuck_escalation → a person [verdict: hung: nothing moves; stuck for: 40 min]'],
    { health },
  ],
  ['a specialist keeps its work', { kind: 'specialist', model: 'opus', signals: { planLeft: true } }, []],
  [
    'these hands were refused',
    {
      model: 'opus',
      signals: { planLeft: true },
      handoffs: [handoffRecord({ state: 'refused', to: { model: 'sonnet', runtime: 'virtual' } })],
    },
    [],
  ],
])('%s', (_, agent, expected, moment) => {
  expect(said(agent, moment)).toEqual(expected)
})

test('what was settled is no occasion any more', () => {
  const agent = agentRecord({ model: 'haiku', signals: { tests: [FAILED] } })
  const [first] = occasionsOf(agent, MOMENT)
  expect(first?.wish.key).toBe(fingerprint('test_failure:1'))
  expect([...occasionsOf({ ...agent, occasions: [first?.wish.key ?? ''] }, MOMENT)]).toEqual([])
})

test('the runtime that a task asks for is passed on, but not to one that is only simulated', () => {
  const tasks = keptTasks('beads', [task('t-1', 'One', 'closed'), task('t-2', 'Two', 'open', { suggestedModel: 'o1' })])
  const agent = agentRecord({ tasks, signals: { closed: [{ id: 't-1', title: 'One' }] } })
  expect(triggerFacts(agent, MOMENT).nextTask).toMatchObject({ id: 't-2', model: 'o1' })
  expect(triggerFacts(agent, MOMENT).nextTask).not.toHaveProperty('runtime')
  // Codex is not there yet.
  const real = triggerFacts({ ...agent, simulated: false }, MOMENT).nextTask
  expect(real).toMatchObject({ model: 'sonnet', runtime: 'claude-code' })
})

const DEEDS = [
  'agent-1 tests vitest failing',
  'agent-1 tests pytest passing',
  'agent-1 leaves plan mode',
  'agent-1 works',
  'agent-1 hangs',
  'agent-1 has cost 9',
  'plan agent-1',
  'conflict agent-1 a.ts',
  'conflict agent-1',
  'report agent-1 review failed by review-agent security',
  'report agent-1 review passed by review-agent',
  'report agent-1 tests passed by test-agent',
  'report agent-1 ci failed by build',
  'task agent-1 open trivial Implement a part',
  'task agent-1 open expert Plan the rest',
  'close agent-1 t-1',
  'close agent-1 t-2',
  'refuse agent-1',
  'approve agent-1',
  'wait 1m',
  'wait 12m',
] as const

test('whatever is seen, nobody is asked twice for the same occasion, and no more than three times an hour', async () => {
  const deeds = fc.array(fc.constantFrom(...DEEDS), { minLength: 5, maxLength: 25 })
  const model = fc.constantFrom('haiku', 'sonnet', 'opus')
  await fc.assert(
    fc.asyncProperty(deeds, model, fc.boolean(), async (lines, first, isAsked) => {
      const house = new House()
      for (const name of ['costDowngrade', 'reviewApproved']) await perform(house, `set trigger ${name} on`)
      if (isAsked) await perform(house, 'set require_approval downgrade_from_opus escalate_to_opus')
      await house.boot()
      for (const line of [`spawn agent-1 ${first}`, 'wait 1m', ...lines]) await perform(house, line)
      house.loop.stop()
      const proposed = house.events.flatMap((each) => (each.type === 'handoff.proposed' ? [each.handoff] : []))
      const keys = proposed.map(({ key }) => key)
      expect(keys).toEqual([...new Set(keys)])
      expect(proposed.every(({ evidence = [] }) => evidence.length > 0)).toBe(true)
      const { handoff, handoffs = [] } = house.loop.world.agents.get('agent-1') ?? agentRecord()
      const begun = [...handoffs, ...(handoff === undefined ? [] : [handoff])].filter(({ captured }) => captured)
      for (const { startedAt } of begun) {
        const within = begun.filter((each) => each.startedAt >= startedAt && each.startedAt < startedAt + HOUR)
        expect(within.length).toBeLessThanOrEqual(SETTINGS.handoffs.perIssuePerHour)
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)
