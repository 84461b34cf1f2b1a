/** Keys of the agent programs: which model runs where, and how they are started. */
import * as z from 'zod'
import { group, inEffect, notYet, section } from './key.ts'
import { runtimeName } from './values.ts'

function runsOn(runtime: z.infer<typeof runtimeName>) {
  return notYet('Runtime of this model.', runtimeName.default(runtime))
}

export const runtimes = section('The agent programs.', {
  default: inEffect('Runtime of a model that model_routing does not name.', runtimeName.default('claude-code')),
  model_routing: group(
    'Which runtime a tier or model runs on. Your entries are added to these.',
    z
      .strictObject({
        opus: runsOn('claude-code'),
        sonnet: runsOn('claude-code'),
        haiku: runsOn('claude-code'),
        'deepseek-v3': runsOn('opencode'),
        'qwen3-coder': runsOn('opencode'),
        'glm-4': runsOn('opencode'),
        'kimi-k2': runsOn('opencode'),
        'gpt-4': runsOn('codex'),
        o1: runsOn('codex'),
        'o3-mini': runsOn('codex'),
      })
      .catchall(notYet('Runtime of this model.', runtimeName)),
  ),
  'claude-code': section('Claude Code.', {
    permission_mode: inEffect(
      'Permission mode at start. bypassPermissions lets agents do anything without asking.',
      z.enum(['acceptEdits', 'manual', 'plan', 'dontAsk', 'auto', 'bypassPermissions']).default('acceptEdits'),
    ),
  }),
})
