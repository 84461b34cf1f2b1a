/** Keys of the permanent specialists; further names may be added and get the same keys. */
import * as z from 'zod'
import { ID_PATTERN } from '../ids.ts'
import { editDistance } from './did-you-mean.ts'
import { group, inEffect, section } from './key.ts'
import { minutes, model, runtimeName } from './values.ts'

const builtIn = {
  'merge-agent': specialist('Resolves conflicts, merges, handles failed CI.', 'sonnet'),
  'review-agent': specialist('Reviews code and its safety.', 'sonnet'),
  'test-agent': specialist('Runs test suites and reports failures.', 'haiku'),
  'planning-agent': specialist('Plans and decides on architecture.', 'opus'),
}

export const SPECIALISTS: readonly string[] = Object.keys(builtIn)

export const specialists = group(
  'Agents that are called for one kind of work. Today each begins anew in the worktree of the agent whose work it gets; ' +
    'only one that still rests there goes on with its session. No memory of its own is kept yet.',
  z
    .strictObject(builtIn)
    .catchall(specialist('A specialist of your own.', 'sonnet'))
    .check((ctx) => {
      for (const name of Object.keys(ctx.value)) {
        const wrong = wrongName(name)
        if (wrong !== undefined) ctx.issues.push({ code: 'custom', input: ctx.value, path: [name], ...wrong })
      }
    }),
)

/** An own name that nearly is a built-in one is a slip: it would leave the built-in specialist unchanged in silence. */
function wrongName(name: string): { message: string; params?: { suggestion: string } } | undefined {
  if (SPECIALISTS.includes(name)) return undefined
  if (!ID_PATTERN.test(name)) return { message: 'is not a valid name: use lower-case letters, digits and "-"' }
  const bare = name.replace(/^specialist-/, '')
  const near = SPECIALISTS.find((known) => editDistance(bare, known) <= 2)
  return near === undefined ? undefined : { message: 'is not a known specialist', params: { suggestion: near } }
}

function specialist(description: string, defaultModel: string) {
  return section(description, {
    enabled: inEffect('Whether it takes work; false refuses work.', z.boolean().default(true)),
    auto_wake: inEffect(
      'Whether its trigger wakes it; false: the hand-off to it waits for a yes.',
      z.boolean().default(true),
    ),
    model: inEffect('Tier or model id.', model.default(defaultModel)),
    runtime: inEffect(
      'Runtime it runs on, of which only claude-code is there yet; null follows runtimes.model_routing.',
      runtimeName.nullable().default(null),
    ),
    idle_minutes: inEffect(
      'Minutes idle until it is suspended; null follows lifecycle.specialist_idle_minutes.',
      minutes.nullable().default(null),
    ),
  })
}
