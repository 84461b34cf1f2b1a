/** Keys of watching: when to look, what to believe, when to worry, what to do by itself. */
import * as z from 'zod'
import { group, inEffect, notYet, section } from './key.ts'
import { minutes, seconds } from './values.ts'

export const startup = section('What happens when the daemon starts.', {
  auto_start: inEffect('Start monitoring together with the daemon.', z.boolean().default(true)),
})

const ORDER = [
  ['stale', 'warning'],
  ['warning', 'stuck'],
] as const

export const thresholds = group(
  'Minutes of silence until an agent gets a colour; each must be more than the one before.',
  z
    .strictObject({
      stale: inEffect('Minutes without activity until an agent is stale (yellow).', minutes.default(5)),
      warning: inEffect('Minutes without activity until an agent is in warning (orange).', minutes.default(15)),
      stuck: inEffect('Minutes without activity until an agent is stuck (red).', minutes.default(30)),
    })
    .check((ctx) => {
      for (const [less, more] of ORDER) {
        if (ctx.value[more] > ctx.value[less]) continue
        ctx.issues.push({
          code: 'custom',
          input: ctx.value,
          path: [more],
          message: `must be more than ${less}, but ${more} is ${ctx.value[more]} and ${less} is ${ctx.value[less]} minutes`,
        })
      }
    }),
)

export const autoActions = section('What is done without asking.', {
  poke_on_warning: inEffect('Ask an agent whether it is stuck when it reaches warning.', z.boolean().default(true)),
  poke_message: inEffect(
    'What a poke says instead of the built-in words; {seen} stands for what was seen. Null: the built-in words.',
    z.string().trim().min(1).max(2000).nullable().default(null),
  ),
  interrupt_on_stuck: inEffect(
    'Cut the turn of an agent short that hangs or loops after three pokes, and tell it why.',
    z.boolean().default(true),
  ),
  kill_on_stuck: inEffect(
    'End an agent that still hangs or loops after pokes and interrupt. Its work is saved first.',
    z.boolean().default(false),
  ),
  restart_on_kill: inEffect('Start an agent again after it was ended automatically.', z.boolean().default(false)),
  restart_on_crash: inEffect(
    'Start an agent again whose program failed at work, at most five times in a quarter of an hour (waits not counted) and ten times in a row. One that ends while it rests is not started again unless work waits for it; you are told.',
    z.boolean().default(true),
  ),
  nudge_assigned: inEffect(
    'Remind an agent that rests while work waits for it, or while its issue has tasks that it could do.',
    z.boolean().default(true),
  ),
})

export const HEARTBEAT_SOURCES = ['jsonl_mtime', 'tmux_activity', 'git_activity'] as const

export const monitoring = section('How agents are looked at.', {
  check_interval: inEffect(
    'Seconds between two looks at all agents; deadlines do not wait for it.',
    seconds.default(30),
  ),
  heartbeat_sources: inEffect(
    'Passive witnesses that are asked: the session file, the terminal, the work tree. One left out is switched off, with ' +
      'what only it can see: without git_activity also progress by commits, branches, merge_conflict and prd_file_created. ' +
      '`pan config validate` says it of each.',
    z
      .array(z.enum(HEARTBEAT_SOURCES))
      .max(HEARTBEAT_SOURCES.length)
      .default([...HEARTBEAT_SOURCES]),
  ),
})

export const notifications = section('Who is told when something needs a person.', {
  slack_webhook: notYet(
    'Address of a Slack webhook.',
    z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .nullable()
      .default(null),
  ),
  email: notYet('Address that mail goes to.', z.email().max(320).nullable().default(null)),
})
