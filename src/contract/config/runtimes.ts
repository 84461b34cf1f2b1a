/** Keys of the agent programs: which model runs where, and how they are started. */
import * as z from 'zod'
import { group, inEffect, notYet, section } from './key.ts'
import { isToCome, runtimeName } from './values.ts'

function runsOn(runtime: z.infer<typeof runtimeName>) {
  return isToCome(runtime)
    ? notYet(`Runtime of this model; ${runtime} is not there yet.`, runtimeName.default(runtime))
    : inEffect('Runtime of this model.', runtimeName.default(runtime))
}

/** Ways to log in, through a cloud or a proxy. */
const ENVIRONMENT = [
  'SSH_AUTH_SOCK',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['ANTHROPIC_*', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN'],
  // Not all of CLAUDE_CODE_*: in it the client tells its children who they are, and the daemon may be one of them.
  ...['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'CLAUDE_CODE_CLIENT_*', 'CLAUDE_CODE_DISABLE_*'],
  ...['CLAUDE_CODE_SANDBOXED', 'IS_SANDBOX'],
  ...['AWS_*', 'GOOGLE_*', 'CLOUD_ML_REGION', 'VERTEX_REGION_*', 'CLOUDSDK_CONFIG'],
]

export const runtimes = section('The agent programs.', {
  default: inEffect(
    'Runtime of a model that model_routing does not name. Of these only claude-code is there yet.',
    runtimeName.default('claude-code'),
  ),
  model_routing: group(
    'Which runtime a tier or model runs on. Your entries are added to these. What is routed to a runtime that is not ' +
      'there yet (codex, opencode) is started in claude-code, by a model of that complexity; `pan route` says so.',
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
      .catchall(inEffect('Runtime of this model. Of these only claude-code is there yet.', runtimeName)),
  ),
  'claude-code': section('Claude Code.', {
    permission_mode: inEffect(
      'Permission mode at start. bypassPermissions lets agents do anything without asking.',
      z.enum(['acceptEdits', 'manual', 'plan', 'dontAsk', 'auto', 'bypassPermissions']).default('acceptEdits'),
    ),
    task_lists: inEffect(
      "Agents keep Claude Code's own list of tasks under the name of their issue, so that it outlives a session. " +
        'Read when the daemon starts.',
      z.boolean().default(true),
    ),
    environment: inEffect(
      'Your environment variables that agents get besides PATH, HOME and the like; * stands for any ending. ' +
        'Your list replaces this one. Read when the daemon starts.',
      z
        .array(
          z
            .string()
            .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/, 'is not the name of a variable, with or without * at its end'),
        )
        .max(200)
        .default(ENVIRONMENT),
    ),
  }),
})
