/**
 * An agent is stuck: hung, in a loop, or silent though nothing keeps it. What it is stuck on goes to the specialist for
 * that before a dearer model gets all of it; where nobody dearer is left, a person is asked. Silence alone is never it.
 */
import { duration } from '../../durations.ts'
import { stuckStep } from '../../policies/escalation.ts'
import { fact, type Rule, type Trigger, type TriggerFacts, type TriggerRules } from './trigger.ts'

export const stuckEscalation: Rule = (facts, rules) => {
  const { agent, health } = facts
  const { settings } = rules
  if (!settings.stuck.enabled || health === undefined || !isStuck(health)) return undefined
  const step = stuckStep(rules.tierOf(agent.model), settings.stuck)
  if (health.isHelpless !== true && health.forMs < step.afterMs) return undefined
  const found = stuckOn(facts, rules)
  const reason = `${agent.model} is stuck for ${duration(health.forMs)}`
  const base = {
    trigger: 'stuck_escalation' as const,
    evidence: [
      fact('verdict', health.says ?? health.cause),
      fact('stuck for', duration(health.forMs)),
      ...(found?.evidence ?? []),
    ],
  }
  if (found !== undefined) {
    return {
      ...base,
      to: { specialist: found.specialist },
      reason: `${reason} on ${found.on}, which is ${found.specialist}'s.`,
      key: found.key,
    }
  }
  const key = `stuck_escalation:${agent.generation}:${health.sinceAt ?? ''}`
  if (step.to === undefined) {
    return { ...base, to: { person: true }, reason: `${reason}, and no dearer model is left.`, key }
  }
  return {
    ...base,
    to: { model: step.to },
    reason: `${reason}, so ${step.to} goes on.`,
    key,
  }
}

function isStuck({ cause, isQuiet }: NonNullable<TriggerFacts['health']>): boolean {
  return cause === 'hung' || cause === 'looping' || (isQuiet && cause === 'thinking')
}

interface StuckOn {
  specialist: string
  on: string
  evidence: Trigger['evidence']
  key: string
}

/** Undefined when it is on nothing of theirs, or they had it before. */
function stuckOn(facts: TriggerFacts, { settings }: TriggerRules): StuckOn | undefined {
  const { agent, settled, health } = facts
  if (!settings.stuck.specialistFirst || agent.specialist !== undefined) return undefined
  const found = [conflict(facts), tests(facts), review(facts)].filter((each) => each !== undefined)
  return found
    .map((each) => ({
      ...each,
      key: `stuck_escalation:${agent.generation}:${health?.sinceAt ?? ''}:${each.specialist}`,
    }))
    .find(({ specialist, key }) => !settings.specialistsOff.includes(specialist) && !settled.has(key))
}

type On = Omit<StuckOn, 'key'> | undefined

function conflict({ conflict: found }: TriggerFacts): On {
  if (found === undefined || found.files.length === 0) return undefined
  const evidence = [fact('conflicts', found.files.slice(0, 10).join(', '))]
  return { specialist: 'merge-agent', on: 'a conflict', evidence }
}

function tests({ testRuns = [] }: TriggerFacts): On {
  const last = testRuns.findLast(({ result }) => result !== 'not_run')
  if (last?.result !== 'failed') return undefined
  return { specialist: 'test-agent', on: 'its tests', evidence: [fact(`${last.runner} failed`, last.why)] }
}

function review({ reports = [] }: TriggerFacts): On {
  const last = reports.findLast(({ about }) => about === 'review')
  if (last === undefined || last.passed) return undefined
  const evidence = [fact('review not passed', `${last.id} by ${last.from}`)]
  return { specialist: 'review-agent', on: 'what the review asks for', evidence }
}
