/** Keys of choosing a model: tiers, complexity, escalation and money. */
import * as z from 'zod'
import { group, inEffect, notYet, section } from './key.ts'
import { complexity, count, model, route, usd, type Complexity } from './values.ts'

/** The settings' own; a program that knows these tiers itself is given their names. */
export const USUAL_TIERS = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5',
  haiku: 'claude-haiku-4-5',
  cheap: 'haiku',
} as const

const tiers = section(
  'Names for models. A full id is recognised as its tier. A tier left as it is here is started by its name, which the ' +
    'program maps itself; one that you change is started by your id. Read when the daemon starts.',
  {
    opus: inEffect('Planning, architecture, hard debugging.', model.default(USUAL_TIERS.opus)),
    sonnet: inEffect('Most development work.', model.default(USUAL_TIERS.sonnet)),
    haiku: inEffect('Tests, simple fixes, formatting.', model.default(USUAL_TIERS.haiku)),
    cheap: inEffect(
      'Work for the least money: a tier or a model of another runtime.',
      model.default(USUAL_TIERS.cheap),
    ),
  },
)

const complexityRouting = section('Which model a complexity gets: a tier, a model id, or {model, runtime}.', {
  trivial: inEffect('Typos, versions, comments.', route.default('haiku')),
  simple: inEffect('Running tests, formatting, a simple refactor.', route.default('haiku')),
  medium: inEffect('A feature, a bug, writing tests.', route.default('sonnet')),
  complex: inEffect('A refactor over many files, a new component.', route.default('sonnet')),
  expert: inEffect('System design, hard debugging, security.', route.default('opus')),
})

function tagMeans(tag: string, value: Complexity) {
  return inEffect(`Complexity of a task with «${tag}».`, complexity.default(value))
}

function wordMeans(word: string, value: Complexity) {
  return inEffect(`Complexity of a task with «${word}».`, complexity.default(value))
}

const complexityDetection = section('How the complexity of a task is found when nobody stated it.', {
  medium_above_files: inEffect('More files than this: at least medium.', count.default(10)),
  complex_above_files: inEffect('More files than this: at least complex.', count.default(20)),
  otherwise: inEffect('When no signal says anything.', complexity.default('medium')),
  tags: group(
    'Complexity by tag. Tags count before files and keywords.',
    z
      .strictObject({
        trivial: tagMeans('trivial', 'trivial'),
        docs: tagMeans('docs', 'trivial'),
        tests: tagMeans('tests', 'simple'),
        feature: tagMeans('feature', 'medium'),
        architecture: tagMeans('architecture', 'expert'),
        security: tagMeans('security', 'expert'),
      })
      .catchall(inEffect('Complexity of a task with this tag.', complexity)),
  ),
  keywords: group(
    'Complexity by a word in the title.',
    z
      .strictObject({
        typo: wordMeans('typo', 'simple'),
        rename: wordMeans('rename', 'simple'),
        refactor: wordMeans('refactor', 'complex'),
        architecture: wordMeans('architecture', 'complex'),
        redesign: wordMeans('redesign', 'complex'),
        migrate: wordMeans('migrate', 'complex'),
      })
      .catchall(inEffect('Complexity of a task with this word in its title.', complexity)),
  ),
})

const onExceed = z.enum(['alert', 'pause', 'stop'])

export const modelSelection = section('Which model does what, and for how much money.', {
  default_model: inEffect('Model when nothing else decides.', model.default('sonnet')),
  tiers,
  complexity_routing: complexityRouting,
  complexity_detection: complexityDetection,
  escalation: section('Handing stuck work to a dearer model.', {
    auto_escalate: inEffect('Escalate by itself; false makes suggestions only.', z.boolean().default(true)),
    max_escalations: inEffect('Escalations per task at most.', count.default(2)),
  }),
  cost_limits: section('Money limits in US dollars; null is no limit.', {
    per_agent_usd: notYet('Limit for one agent.', usd.nullable().default(10)),
    per_issue_usd: notYet('Limit for one issue.', usd.nullable().default(25)),
    daily_total_usd: notYet('Limit for one day, all agents together.', usd.nullable().default(100)),
    on_exceed: section('What happens at a limit. A stop saves the work first.', {
      per_agent: notYet('At the limit for one agent.', onExceed.default('alert')),
      per_issue: notYet('At the limit for one issue.', onExceed.default('alert')),
      daily_total: notYet('At the limit for one day; a stop stays until a person resumes.', onExceed.default('stop')),
    }),
  }),
})
