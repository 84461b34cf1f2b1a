import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentRecord } from '../../../tests/samples/agents.ts'
import { CONTEXT_PARTS, handoffContext, type HandoffTask } from '../../contract/handoff-context.ts'
import { makeContext, type Findings } from './make-context.ts'
import { successorPrompt } from './prompt.ts'

const long = fc
  .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(1, 40, 3_000))
  .map(([text, times]) => text.repeat(times).slice(0, 60_000))
const why = { why: 'nobody knows' }
const found = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    value.map((each) => ({ found: each })),
    fc.constant(why),
  )

const findings: fc.Arbitrary<Findings> = fc.record(
  {
    stateFile: found(fc.record({ path: fc.constant('.planning/STATE.md'), text: long, cut: fc.boolean() })),
    claudeMd: found(fc.record({ text: long, cut: fc.boolean() })),
    git: found(
      fc.record({
        branch: fc.option(long, { nil: undefined }),
        head: fc.option(fc.record({ hash: fc.constant('abc1234'), subject: long, committedWallAt: fc.nat() }), {
          nil: undefined,
        }),
        dirty: fc.array(fc.record({ path: long, state: fc.constant('added' as const), staged: fc.boolean() })),
        dirtyTotal: fc.nat(),
        upstream: fc.constant(undefined),
      }),
    ),
    tasks: found(
      fc.array(
        fc.record({
          id: fc.string({ unit: 'binary', minLength: 1 }),
          title: long,
          state: fc.constantFrom<HandoffTask['state']>('open', 'in_progress', 'blocked', 'closed'),
        }),
      ),
    ),
    lastWords: found(fc.array(long)),
    use: found(
      fc.record({
        tokens: fc.constant({ input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1 }),
        usd: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      }),
    ),
    document: long,
  },
  { requiredKeys: ['stateFile', 'claudeMd', 'git', 'tasks', 'lastWords', 'use'] },
)

const PARTS_OF = { tasks: 'remainingTasks' } as const

test('whatever was found, it can be kept, and each part is there or says why not', () => {
  fc.assert(
    fc.property(findings, (given) => {
      const context = makeContext(agentRecord(), given, { wallAt: 0, handoffCount: 0 })
      expect(handoffContext.parse(context)).toEqual(context)
      const missing = context.missing.map(({ part }) => part)
      for (const part of CONTEXT_PARTS) {
        expect(context[part === 'tasks' ? PARTS_OF.tasks : part] === undefined, part).toBe(missing.includes(part))
      }
      expect(successorPrompt(context, { nonce: 'k7q2m9x4', reason: 'x' }).length).toBeLessThan(40_000)
    }),
    { numRuns: 60 },
  )
})
