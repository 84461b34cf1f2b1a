/**
 * Writes a session: what an agent does becomes the hook reports that Claude Code sends for it and what can be seen from
 * outside, and, apart from them, the labels. Knows nothing of the judge.
 */
import type { Doing } from '../../src/contract/evidence.ts'
import type { CallBounds } from '../../src/contract/open-work.ts'
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import type { Random } from './random.ts'
import type { After, Item, Label, Labelled, Seen, Trouble, Truth } from './timeline.ts'

export interface Call {
  tool?: string
  input?: object
  ms?: number
  cpu?: boolean
  /** What it gives; `error` when it fails. */
  result?: unknown
  error?: string
  /** The subagent that makes it. */
  actor?: string
}

/** Of those that come often one may be missing. */
const OFTEN: readonly string[] = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'StatusLine']

type Open = Label & { steps?: number[] }

export class Scene {
  readonly random: Random
  at = 0
  agent = 0
  costUsd = 0
  hears = false
  /** How long its program lets its calls run; left out, as where nothing is set. */
  bounds: CallBounds | undefined
  readonly #items: Item[] = []
  readonly #labels: Label[] = []
  readonly #open = new Map<number, Open>()
  #after: After | undefined
  #agents = 1
  #calls = 0
  #sessions = 0

  constructor(random: Random) {
    this.random = random
    this.#begin('starting')
  }

  /** With `faults`, some reports get lost and some come twice, as on a full disk or after a crash. */
  finish(name: string, { faults = false } = {}): Labelled {
    for (const agent of this.#open.keys()) this.#close(agent)
    const given = faults ? this.#faulty() : this.#items
    const items = given.toSorted((a, b) => a.at - b.at)
    const told = new Set(given)
    const unheard = new Set(this.#items.flatMap((item) => ('hook' in item && !told.has(item) ? item.agent : [])))
    return {
      session: { name, agents: this.#agents, lengthMs: this.at, hears: this.hears, ...this.#bounded(), items },
      labels: this.#labels.map((label) => (unheard.has(label.agent) ? withoutSteps(label) : label)),
      // A call that was never reported makes the same call look new afterwards.
      ...(this.#after === undefined || unheard.size > 0 ? {} : { after: this.#after }),
    }
  }

  /** Another agent of the same house, which begins now and is written from now on; go back by `turnTo`. */
  another(): void {
    this.agent = this.#agents
    this.#agents += 1
    this.#begin('starting')
  }

  turnTo(agent: number, at: number): void {
    this.agent = agent
    this.at = at
  }

  wait(ms: number): void {
    this.at += Math.round(ms)
  }

  hook(kind: string, body: object = {}): void {
    const session = `00000000-0000-4000-8000-${String(this.agent * 1000 + this.#sessions).padStart(12, '0')}`
    this.#items.push({ at: this.at, agent: this.agent, hook: kind, body: { session_id: session, ...body } })
  }

  see(see: Seen): void {
    this.#items.push({ at: this.at, agent: this.agent, see })
  }

  house(item: { house: 'jump' | 'stall' | 'down'; ms: number } | { house: 'blind' | 'sighted' }): void {
    this.#items.push({ at: this.at, ...item })
  }

  /** What is true from now on. Within a loop or an outage what the agent does at the moment changes nothing in it. */
  truth(truth: Truth, trouble?: Trouble): void {
    const open = this.#open.get(this.agent)
    if (open?.truth === truth && open.trouble === trouble) return
    this.#close(this.agent)
    this.#begin(truth, trouble)
  }

  /** What came of what it was told. */
  after(after: After): void {
    this.#after = after
  }

  loops(): void {
    this.truth('looping', 'loop')
  }

  /** It goes on as a sound one. */
  over(): void {
    this.#close(this.agent)
    this.#begin('thinking')
  }

  starts(): void {
    this.see({ drawn: true, busy: false })
    this.wait(this.random.between(1, 4) * SECOND)
    this.hook('SessionStart', { source: 'startup' })
    this.#does('idle')
    this.wait(SECOND)
    this.told('begin')
  }

  told(prompt: string): void {
    this.hook('UserPromptSubmit', { prompt })
    this.#does('thinking')
    this.see({ ticking: true })
  }

  thinks(ms = this.random.between(2, 12) * SECOND): void {
    this.wait(ms)
  }

  opens({ tool = 'Bash', input = {}, cpu = false, actor }: Call): { id: string; about: object } {
    this.#calls += 1
    const id = `toolu_${this.#calls}`
    const by = actor === undefined ? {} : { agent_id: actor, agent_type: 'general-purpose' }
    const about = { tool_name: tool, tool_input: input, ...by }
    this.hook('PreToolUse', { ...about, tool_use_id: id })
    this.#does('working_tool')
    this.see({ busy: cpu })
    return { id, about }
  }

  calls(call: Call): void {
    const before = this.#open.get(this.agent)?.truth ?? 'thinking'
    const { id, about } = this.opens(call)
    this.wait(call.ms ?? this.random.between(0.3, 6) * SECOND)
    const { error, result = { stdout: 'ok', stderr: '', interrupted: false } } = call
    const took = { duration_ms: Math.round(call.ms ?? 1000 * this.random.between(1, 5)), tool_use_id: id }
    if (error === undefined) this.hook('PostToolUse', { ...about, tool_response: result, ...took })
    else this.hook('PostToolUseFailure', { ...about, error, is_interrupt: false, ...took })
    const by = call.actor === undefined ? {} : { agent_id: call.actor, agent_type: 'general-purpose' }
    this.hook('PostToolBatch', { tool_calls: [], ...by })
    this.see({ busy: false })
    this.step()
    // What a subagent did says nothing of the conversation that it belongs to.
    this.#does(call.actor === undefined ? 'thinking' : before)
    this.spends(this.random.between(0.005, 0.05))
    this.thinks()
  }

  bash(command: string, call: Call = {}): void {
    this.calls({ ...call, tool: 'Bash', input: { command, description: 'x' } })
  }

  edits(file = `src/${this.random.word()}.ts`): void {
    const input = { file_path: `/work/${file}`, old_string: this.random.word(), new_string: this.random.word() }
    this.calls({ tool: 'Edit', input, result: { filePath: input.file_path, userModified: false } })
  }

  reads(file = `src/${this.random.word()}.ts`, content = `${file} ${this.random.word()}`): void {
    this.calls({ tool: 'Read', input: { file_path: `/work/${file}` }, result: { file: { content } } })
  }

  commits(): void {
    const id = this.random.int(1_000_000, 9_999_999).toString(16)
    this.bash(`git commit -m ${this.random.word()}`, { result: { stdout: `[main ${id}] done`, stderr: '' } })
    this.see({ git: id })
  }

  /** Honest work of every kind for about this long. */
  works(ms: number): void {
    const untilAt = this.at + ms
    while (this.at < untilAt) {
      const kind = this.random.next()
      if (kind < 0.3) this.reads()
      else if (kind < 0.6) this.edits()
      else if (kind < 0.7)
        this.bash(`npm test -- ${this.random.word()}`, { ms: this.random.between(5, 90) * SECOND, cpu: true })
      else if (kind < 0.78) this.bash(`npm test`, this.#tests())
      else if (kind < 0.85) this.commits()
      else if (kind < 0.93)
        this.calls({
          tool: 'Grep',
          input: { pattern: this.random.word() },
          result: { filenames: [this.random.word()] },
        })
      else this.thinks(this.random.between(0.3, 3) * MINUTE)
    }
  }

  ends(text = `Done with ${this.random.word()}.`): void {
    this.hook('Stop', {
      stop_hook_active: false,
      last_assistant_message: text,
      background_tasks: [],
      session_crons: [],
    })
    this.#does('idle')
    this.see({ ticking: false, busy: false })
  }

  inBackground(tasks = 1): void {
    const background = Array.from({ length: tasks }, (_, n) => ({ id: `b${n}` }))
    this.hook('Stop', { last_assistant_message: 'It runs.', background_tasks: background, session_crons: [] })
    this.#does('waiting_background')
    this.see({ ticking: false })
  }

  /** Asks a person; nothing moves meanwhile. */
  waits(truth: 'waiting_permission' | 'waiting_user', ms: number): void {
    const questions = [{ question: 'Which one?', header: 'x', options: [{ label: 'a' }, { label: 'b' }] }]
    const call = truth === 'waiting_user' ? { tool: 'AskUserQuestion', input: { questions } } : this.#danger()
    const { id, about } = this.opens(call)
    this.hook('PermissionRequest', { ...about, permission_suggestions: [] })
    this.#does(truth)
    this.see({ ticking: false })
    this.wait(6 * SECOND)
    this.hook('Notification', { message: 'Claude needs your permission', notification_type: 'permission_prompt' })
    this.wait(ms)
    this.hook('PostToolUse', { ...about, tool_response: 'ok', tool_use_id: id })
    this.#does('thinking')
    this.see({ ticking: true })
  }

  fails(error: string, message: string, truth: Truth): void {
    this.hook('StopFailure', { error, last_assistant_message: message })
    this.#does(truth)
    this.see({ ticking: false })
  }

  compacts(ms: number): void {
    this.hook('PreCompact', { trigger: 'auto', custom_instructions: null })
    this.#does('compacting')
    this.step()
    this.wait(ms)
    this.hook('SessionStart', { source: 'compact' })
    this.hook('PostCompact', { trigger: 'auto', compact_summary: 'x' })
    this.#does('thinking')
  }

  spends(usd: number): void {
    this.costUsd += usd
    const used = { input_tokens: 10, cache_read_input_tokens: 1000 + this.#calls, output_tokens: 5 }
    this.hook('StatusLine', {
      cost: { total_cost_usd: this.costUsd },
      context_window: { context_window_size: 200_000, total_input_tokens: 1000 + this.#calls, current_usage: used },
    })
  }

  objects(doing: Doing, truth: Truth): void {
    this.see({ registry: doing, ticking: false })
    this.#does(truth)
  }

  dies(exitCode?: number): void {
    this.truth('dead', 'death')
    this.see({ alive: false, busy: false, ticking: false, ...(exitCode === undefined ? {} : { exitCode }) })
  }

  /** One step of a loop is over. */
  step(): void {
    const open = this.#open.get(this.agent)
    if (open?.trouble === 'loop') open.steps = [...(open.steps ?? []), this.at]
  }

  /** The report of what then hangs is kept: a hang in a tool that nobody was told of has no bound. */
  #faulty(): Item[] {
    const hangs = this.#labels.filter(({ trouble }) => trouble === 'hang')
    const last = hangs.map(({ agent, fromAt }) =>
      this.#items.findLast((item) => 'hook' in item && item.agent === agent && item.at <= fromAt),
    )
    return this.#items.flatMap((item) => {
      if (!('hook' in item) || !OFTEN.includes(item.hook) || last.includes(item)) return item
      if (this.random.chance(0.02)) return []
      return this.random.chance(0.02) ? [item, item] : item
    })
  }

  #bounded(): { bounds?: CallBounds } {
    return this.bounds === undefined ? {} : { bounds: this.bounds }
  }

  #danger(): Call {
    return { tool: 'Bash', input: { command: `rm -rf ${this.random.word()}` } }
  }

  #tests(): Call {
    const failed = this.random.int(0, 40)
    const out = `${failed} failed, ${this.random.int(100, 400)} passed in ${this.random.between(1, 60).toFixed(2)}s`
    const rest = { ms: this.random.between(5, 90) * SECOND, cpu: true }
    return failed > 0 ? { error: `Exit code 1\n${out}`, ...rest } : { result: { stdout: out, stderr: '' }, ...rest }
  }

  #does(truth: Truth): void {
    const open = this.#open.get(this.agent)
    if (open?.trouble === 'loop' || open?.truth === 'outage') return
    this.truth(truth)
  }

  #begin(truth: Truth, trouble?: Trouble): void {
    this.#open.set(this.agent, {
      agent: this.agent,
      fromAt: this.at,
      toAt: this.at,
      truth,
      ...(trouble === undefined ? {} : { trouble }),
    })
  }

  #close(agent: number): void {
    const open = this.#open.get(agent)
    if (open !== undefined && this.at > open.fromAt) this.#labels.push({ ...open, toAt: this.at })
    this.#open.delete(agent)
  }
}

/** Nobody can count calls that were never reported: a call that is heard of late looks like news. */
function withoutSteps({ steps: _, ...label }: Label): Label {
  return label
}
