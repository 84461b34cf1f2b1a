/** Tests failed in the hands of a cheap model: then the task is not as simple as it looked. */
import { compareTiers, fact, isSameModel, type Rule } from './trigger.ts'

export const testFailure: Rule = ({ agent, testRuns = [] }, rules) => {
  const { enabled, on, from, to } = rules.settings.testFailure
  if (!enabled || !isSameModel(agent.model, from, rules)) return undefined
  if ((compareTiers(to, agent.model, rules) ?? 1) <= 0) return undefined
  // What did not run says nothing, neither for nor against.
  const told = testRuns.filter(({ result }) => result !== 'not_run')
  const needed = on === 'any_failure' ? 1 : 2
  const last = told.slice(-needed)
  if (last.length < needed || last.some(({ result }) => result !== 'failed')) return undefined
  const times = needed === 1 ? 'Its tests failed' : 'Its tests failed twice in a row'
  return {
    trigger: 'test_failure',
    to: { model: to },
    reason: `${times}, which is too much for ${from}; ${to} goes on.`,
    evidence: last.map(({ runner, why }) => fact(`${runner} failed`, why)),
    key: `test_failure:${agent.generation}`,
  }
}
