/** The settings of an empty file, written out by hand: a changed default must be changed here on purpose. */
import { expect, test } from 'vitest'
import { leafKeys } from '../../src/contract/config/keys.ts'
import { parseConfig } from '../../src/contract/config/parse.ts'
import { dotted } from '../../src/contract/config/path.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'

const specialist = { enabled: true, auto_wake: true, runtime: null, idle_minutes: null }

const DEFAULTS = {
  startup: { auto_start: true },
  thresholds: { stale: 5, warning: 15, stuck: 30 },
  auto_actions: {
    poke_on_warning: true,
    poke_message: null,
    interrupt_on_stuck: true,
    kill_on_stuck: false,
    restart_on_kill: false,
    restart_on_crash: true,
    nudge_assigned: true,
  },
  monitoring: { check_interval: 30, heartbeat_sources: ['jsonl_mtime', 'tmux_activity', 'git_activity'] },
  dashboard: { host: '127.0.0.1', port: 3011 },
  notifications: { slack_webhook: null, email: null },
  specialists: {
    'merge-agent': { ...specialist, model: 'sonnet' },
    'review-agent': { ...specialist, model: 'sonnet' },
    'test-agent': { ...specialist, model: 'haiku' },
    'planning-agent': { ...specialist, model: 'opus' },
  },
  model_selection: {
    default_model: 'sonnet',
    tiers: { opus: 'claude-opus-5-5', sonnet: 'claude-sonnet-5', haiku: 'claude-haiku-4-5', cheap: 'haiku' },
    complexity_routing: { trivial: 'haiku', simple: 'haiku', medium: 'sonnet', complex: 'sonnet', expert: 'opus' },
    complexity_detection: {
      medium_above_files: 10,
      complex_above_files: 20,
      otherwise: 'medium',
      tags: {
        trivial: 'trivial',
        docs: 'trivial',
        tests: 'simple',
        feature: 'medium',
        architecture: 'expert',
        security: 'expert',
      },
      keywords: {
        typo: 'simple',
        rename: 'simple',
        refactor: 'complex',
        architecture: 'complex',
        redesign: 'complex',
        migrate: 'complex',
      },
    },
    escalation: { auto_escalate: true, max_escalations: 2 },
    cost_limits: {
      per_agent_usd: 10,
      per_issue_usd: 25,
      daily_total_usd: 100,
      on_exceed: { per_agent: 'alert', per_issue: 'alert', daily_total: 'stop' },
    },
  },
  handoffs: {
    auto_triggers: {
      planning_complete: {
        enabled: true,
        detection: [{ beads_task_closed: 'plan' }, { prd_file_created: true }, { exit_plan_mode: true }],
        detection_mode: 'any',
        from_model: 'opus',
        to_model: 'sonnet',
      },
      implementation_complete: { enabled: true, beads_task_closed: 'implement', to_specialist: 'test-agent' },
      tests_pass: { enabled: true, to_model: 'sonnet' },
      stuck_escalation: {
        enabled: true,
        to_specialist_first: true,
        thresholds: { haiku_to_sonnet_minutes: 10, sonnet_to_opus_minutes: 20, opus_to_human_minutes: 30 },
      },
      test_failure: { enabled: true, trigger_on: 'any_failure', from_model: 'haiku', to_model: 'sonnet' },
      next_task_complexity: { enabled: true },
      cost_downgrade: { enabled: false, threshold_usd: 5 },
      review_approved: { enabled: false, to_model: 'haiku' },
      merge_conflict: { enabled: true, to_specialist: 'merge-agent' },
      ci_failed: { enabled: true, to_specialist: 'merge-agent' },
      security_concern: { enabled: true, to_model: 'opus' },
    },
    require_approval: ['cross_runtime'],
    limits: { per_issue_per_hour: 3 },
    timeouts: { state_update_seconds: 60, idle_seconds: 30 },
  },
  runtimes: {
    default: 'claude-code',
    model_routing: {
      opus: 'claude-code',
      sonnet: 'claude-code',
      haiku: 'claude-code',
      'deepseek-v3': 'opencode',
      'qwen3-coder': 'opencode',
      'glm-4': 'opencode',
      'kimi-k2': 'opencode',
      'gpt-4': 'codex',
      o1: 'codex',
      'o3-mini': 'codex',
    },
    'claude-code': {
      permission_mode: 'acceptEdits',
      environment: [
        'SSH_AUTH_SOCK',
        'HTTP_PROXY',
        'HTTPS_PROXY',
        'ALL_PROXY',
        'NO_PROXY',
        'http_proxy',
        'https_proxy',
        'all_proxy',
        'no_proxy',
        'NODE_EXTRA_CA_CERTS',
        'SSL_CERT_FILE',
        'SSL_CERT_DIR',
        'ANTHROPIC_*',
        'CLAUDE_CONFIG_DIR',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_*',
        'CLAUDE_CODE_SKIP_*',
        'CLAUDE_CODE_CLIENT_*',
        'CLAUDE_CODE_DISABLE_*',
        'CLAUDE_CODE_SANDBOXED',
        'IS_SANDBOX',
        'AWS_*',
        'GOOGLE_*',
        'CLOUD_ML_REGION',
        'VERTEX_REGION_*',
        'CLOUDSDK_CONFIG',
      ],
    },
  },
  cost_tracking: { display_enabled: true, log_to_jsonl: true },
  context_cycle: {
    enabled: true,
    threshold_percent: 85,
    handoff_timeout_minutes: 5,
    retries: 1,
    verify_seconds: 60,
    warn_per_hour: 2,
  },
  lifecycle: {
    auto_suspend: true,
    auto_resume: true,
    specialist_idle_minutes: 5,
    work_agent_idle_minutes: 10,
    keep_awake: [],
    max_resume_usd: null,
  },
  runs: {
    max_runs: 10,
    seconds_between: 2,
    cost_ceiling_usd: 5,
    check_in_every_runs: null,
    turns_per_agent: 6,
    consensus_percent: 80,
    require_approval: ['delete_files', 'change_orchestrator', 'install_dependencies'],
  },
}

test.each([undefined, null, {}, { thresholds: null, handoffs: { auto_triggers: null } }])(
  'an empty file (%o) has all defaults',
  (input) => {
    expect(parseConfig(input).config).toEqual(DEFAULTS)
  },
)

test('defaults of one parse are not shared with the next', () => {
  parseConfig({}).config?.monitoring.heartbeat_sources.pop()
  expect(parseConfig({}).config).toEqual(DEFAULTS)
})

test('exactly these keys are in effect', () => {
  const keys = leafKeys().filter((key) => key.inEffect)
  expect(keys.map((key) => dotted(key.path))).toEqual([
    'startup.auto_start',
    'thresholds.stale',
    'thresholds.warning',
    'thresholds.stuck',
    'auto_actions.poke_on_warning',
    'auto_actions.poke_message',
    'auto_actions.interrupt_on_stuck',
    'auto_actions.kill_on_stuck',
    'auto_actions.restart_on_kill',
    'auto_actions.restart_on_crash',
    'auto_actions.nudge_assigned',
    'monitoring.check_interval',
    'monitoring.heartbeat_sources',
    'dashboard.host',
    'dashboard.port',
    'specialists.merge-agent.idle_minutes',
    'specialists.review-agent.idle_minutes',
    'specialists.test-agent.idle_minutes',
    'specialists.planning-agent.idle_minutes',
    'specialists."<name>".idle_minutes',
    'model_selection.default_model',
    'model_selection.complexity_routing.trivial',
    'model_selection.complexity_routing.simple',
    'model_selection.complexity_routing.medium',
    'model_selection.complexity_routing.complex',
    'model_selection.complexity_routing.expert',
    'model_selection.complexity_detection.otherwise',
    'model_selection.complexity_detection.keywords.typo',
    'model_selection.complexity_detection.keywords.rename',
    'model_selection.complexity_detection.keywords.refactor',
    'model_selection.complexity_detection.keywords.architecture',
    'model_selection.complexity_detection.keywords.redesign',
    'model_selection.complexity_detection.keywords.migrate',
    'model_selection.complexity_detection.keywords."<name>"',
    'runtimes.default',
    'runtimes.claude-code.permission_mode',
    'runtimes.claude-code.environment',
    'lifecycle.auto_suspend',
    'lifecycle.auto_resume',
    'lifecycle.specialist_idle_minutes',
    'lifecycle.work_agent_idle_minutes',
    'lifecycle.keep_awake',
    'lifecycle.max_resume_usd',
  ])
})

test('every key has a description', () => {
  expect(leafKeys().filter((key) => key.description === '')).toEqual([])
})

test.each([
  [
    {},
    {
      autoStart: true,
      thresholds: { staleMs: 300_000, warningMs: 900_000, stuckMs: 1_800_000 },
      pokeOnWarning: true,
      pokeText: null,
      interruptOnStuck: true,
      killOnStuck: false,
      restartOnKill: false,
      restartOnCrash: true,
      nudgeAssigned: true,
      lifecycle: {
        autoSuspend: true,
        autoResume: true,
        specialistIdleMs: 300_000,
        workIdleMs: 600_000,
        idleMs: {},
        keepAwake: [],
        maxResumeUsd: null,
      },
      lookEveryMs: 30_000,
      witnessesOff: [],
    },
  ],
  [
    {
      startup: { auto_start: false },
      thresholds: { stale: 0.5, warning: 1, stuck: 2 },
      auto_actions: {
        poke_on_warning: false,
        poke_message: 'Well? {seen}',
        interrupt_on_stuck: false,
        kill_on_stuck: true,
        restart_on_kill: true,
        restart_on_crash: false,
        nudge_assigned: false,
      },
      lifecycle: {
        auto_suspend: false,
        auto_resume: false,
        specialist_idle_minutes: 1,
        work_agent_idle_minutes: 2,
        keep_awake: ['agent-pan-18'],
        max_resume_usd: 0.5,
      },
      specialists: { 'test-agent': { idle_minutes: 3 } },
      monitoring: { check_interval: 5, heartbeat_sources: ['tmux_activity'] },
    },
    {
      autoStart: false,
      thresholds: { staleMs: 30_000, warningMs: 60_000, stuckMs: 120_000 },
      pokeOnWarning: false,
      pokeText: 'Well? {seen}',
      interruptOnStuck: false,
      killOnStuck: true,
      restartOnKill: true,
      restartOnCrash: false,
      nudgeAssigned: false,
      lifecycle: {
        autoSuspend: false,
        autoResume: false,
        specialistIdleMs: 60_000,
        workIdleMs: 120_000,
        idleMs: { 'test-agent': 180_000 },
        keepAwake: ['agent-pan-18'],
        maxResumeUsd: 0.5,
      },
      lookEveryMs: 5000,
      witnessesOff: ['transcript', 'git'],
    },
  ],
])('%o is translated once', (input, settings) => {
  const { config } = parseConfig(input)
  expect(config && toSettings(config)).toEqual(settings)
})
