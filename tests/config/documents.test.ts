/** Every cloister.yaml that the project's documents show is accepted as it stands there. */
import { expect, test } from 'vitest'
import { checkText } from '../../src/adapters/config-file/check-text.ts'
import { getIn } from '../../src/contract/config/path.ts'

const DEFAULT_FILE = `
startup:
  auto_start: true          # Start Cloister when dashboard starts
thresholds:
  stale: 5                  # 🟡 Yellow - monitoring
  warning: 15               # 🟠 Orange - poke available
  stuck: 30                 # 🔴 Red - intervention needed
auto_actions:
  poke_on_warning: true     # Auto-send "are you stuck?" at warning
  kill_on_stuck: false      # Auto-kill at stuck (DANGEROUS - off by default)
  restart_on_kill: false    # Auto-restart after kill
monitoring:
  check_interval: 60        # Seconds between health checks
  heartbeat_sources:        # How to detect agent activity
    - jsonl_mtime           # Claude Code session file modification
    - tmux_activity         # Terminal output
    - git_activity          # Commits/file changes
notifications:
  slack_webhook: null
  email: null
specialists:
  merge-agent:
    enabled: true
    auto_wake: true         # Wake when PR approved
  review-agent:
    enabled: true
    auto_wake: true         # Wake when PR opened
  test-agent:
    enabled: false          # Not yet implemented
`

const THRESHOLDS = `
thresholds:
  stale_minutes: 5
  warning_minutes: 15
  stuck_minutes: 30
auto_actions:
  poke_on_warning: true
  kill_on_stuck: false  # Manual by default for safety
startup:
  auto_start: true  # Start Cloister when Panopticon starts
`

const MODEL_SELECTION = `
model_selection:
  default_model: sonnet
  complexity_routing: { trivial: haiku, simple: haiku, medium: sonnet, complex: sonnet, expert: opus }
  specialists:
    merge-agent: sonnet
    review-agent: sonnet
    test-agent: haiku
    planning-agent: opus
  escalation:
    haiku_stuck_minutes: 10
    sonnet_stuck_minutes: 20
    auto_escalate: true
    max_escalations: 2  # Don't escalate more than twice per task
  cost_limits:
    per_agent_usd: 10.00      # Alert if agent exceeds
    per_issue_usd: 25.00      # Alert if issue exceeds
    daily_total_usd: 100.00   # Emergency stop if exceeded
`

const HANDOFFS = `
handoffs:
  auto_triggers:
    planning_complete:
      enabled: true
      detection:
        - beads_task_closed: "plan"
        - prd_file_created: true
      from_model: opus
      to_model: sonnet
    implementation_complete:
      enabled: true
      to_specialist: test-agent
    stuck_escalation:
      enabled: true
      thresholds:
        haiku_to_sonnet_minutes: 10
        sonnet_to_opus_minutes: 20
    test_failure:
      enabled: true
      from_model: haiku
      to_model: sonnet
      trigger_on: any_failure  # vs "2_consecutive"
    cost_downgrade:
      enabled: false  # Manual by default
      threshold_usd: 5.00
  complexity_routing:
    trivial: { model: deepseek-v3, runtime: opencode }
    simple: { model: deepseek-v3, runtime: opencode }
    medium: { model: sonnet, runtime: claude-code }
    complex: { model: sonnet, runtime: claude-code }
    expert: { model: opus, runtime: claude-code }
  require_approval:
    - cross_runtime  # Claude Code ↔ OpenCode
    - escalate_to_opus
    - downgrade_from_opus
cost_tracking:
  display_enabled: true
  log_to_jsonl: true
`

const RUNTIMES = `
runtimes:
  default: claude-code
  model_routing:
    opus: claude-code
    sonnet: claude-code
    haiku: claude-code
    deepseek-v3: opencode
    qwen3-coder: opencode
    glm-4: opencode
    kimi-k2: opencode
    gpt-4: codex
    o1: codex
    o3-mini: codex
  specialists:
    test-agent:
      runtime: opencode
      model: deepseek-v3  # 15x cheaper than Haiku
    planning-agent:
      runtime: claude-code
      model: opus
`

test.each([
  ['the default file', DEFAULT_FILE, 'monitoring.check_interval', 60],
  ['thresholds in minutes', THRESHOLDS, 'thresholds.stuck', 30],
  ['model selection', MODEL_SELECTION, 'specialists.planning-agent.model', 'opus'],
  ['hand-offs', HANDOFFS, 'model_selection.complexity_routing.trivial', { model: 'deepseek-v3', runtime: 'opencode' }],
  ['runtimes', RUNTIMES, 'specialists.test-agent.model', 'deepseek-v3'],
  ['all of them', DEFAULT_FILE + MODEL_SELECTION + HANDOFFS + RUNTIMES, 'specialists.test-agent.runtime', 'opencode'],
])('%s', (_, text, key, value) => {
  const { config, problems } = checkText(text)
  expect(problems).toEqual([])
  expect(getIn(config, key.split('.'))).toEqual(value)
})
