/** Agents as tables and paragraphs. */
import type { CycleView } from '../contract/cycle-view.ts'
import type { AdoptedView } from '../contract/adopted.ts'
import type { Limit } from '../contract/evidence.ts'
import { heldUntil, isHeldByLimit, limitSentence } from '../contract/limit-sentence.ts'
import type { FinishedView } from '../contract/finished.ts'
import type { DesiredView, ResumeView } from '../contract/standing.ts'
import type {
  ActivityView,
  AgentView,
  AgentsView,
  ContextView,
  DoingView,
  HealthView,
  HeartbeatView,
  MessagesView,
} from '../contract/views.ts'
import { labelled, paint, paintState, STATE, table } from './output.ts'
import { factsOf } from './show-finished.ts'
import { progressWords } from './show-tasks.ts'
import { clockTime, count, duration } from './words.ts'

export function allAgents({ specialists, issueAgents, projectAgents }: AgentsView): AgentView[] {
  return [...specialists, ...issueAgents, ...projectAgents]
}

export function listLines(view: AgentsView): string[] {
  const agents = allAgents(view)
  if (agents.length === 0) return ['There are no agents. Start one with `pan agents spawn <issue>`.']
  const rows = agents.map((agent) => [
    `${agent.id}${agent.simulated ? '*' : ''}`,
    agent.shown,
    agent.lifecycle === 'active' ? duration(agent.silentMs) : '-',
    agent.model,
    whatOf(agent),
  ])
  return [
    ...table(['AGENT', STATE, 'SILENT', 'MODEL', 'WHAT'], rows),
    ...(agents.some(({ simulated }) => simulated) ? ['', '* simulated'] : []),
  ]
}

const RESTING = {
  active: 'working',
  uninitialized: 'never started',
  idle: 'waits at its prompt',
  suspended: 'sleeps, session saved',
  stopped: 'stopped',
} as const

/** What may be done to a session that a person started. */
function adoptedWords({ adopted }: Pick<AgentView, 'adopted'>): string | undefined {
  if (adopted === undefined) return undefined
  return adopted.allow.length === 0 ? 'adopted, observe-only' : `adopted, allowed: ${adopted.allow.join(', ')}`
}

function whatOf(agent: AgentView): string {
  const { act, title, adopted, desired, needsYou } = agent
  const asks = needsYou === undefined ? '' : 'needs you; '
  const underWay = act === undefined ? '' : `${act.kind} by ${act.by} under way; `
  const about = title === undefined ? '' : ` (${title})`
  const whose = adopted === undefined ? '' : ` (${adoptedWords({ adopted })})`
  const isKept = desired !== undefined && desired.state !== 'stop' && !isHeldByLimit(agent)
  return `${asks}${underWay}${isKept ? `${keptWords(desired)}; ` : ''}${doesOf(agent)}${about}${whose}`
}

function doesOf({ cause, reason, lifecycle, desired }: AgentView): string {
  if (cause?.kind !== 'rate_limited') return reason ?? RESTING[lifecycle]
  return limitSentence({ cause, desired, now: Date.now() }, (at) => clockTime(at))
}

function keptWords(desired: DesiredView): string {
  const { state, by } = desired
  return `${state === 'hold' ? 'held' : 'frozen'} by ${by}${heldUntil(desired, (at) => clockTime(at))}`
}

function desiredWords(desired: DesiredView): string {
  const { state, by, reason, sinceWallAt } = desired
  if (state !== 'stop') return `${keptWords(desired)}: ${reason}`
  return `stopped by ${by}${sinceWallAt === undefined ? '' : ` at ${clockTime(sinceWallAt)}`}: ${reason}`
}

export function resumeWords({ tokens, usd }: ResumeView): string {
  const price = usd === undefined ? 'unpriced' : `about ${usd.toFixed(2)} USD`
  return `reads ${grouped(tokens)} tokens anew, ${price}`
}

/** `finished`: what there is to see of one that did. */
export function agentLines(agent: AgentView, finished?: FinishedView): string[] {
  const { id, kind, issue, project, lifecycle, shown, runtime, model, generation, sessionId, act } = agent
  const isActive = lifecycle === 'active'
  return [
    `${paint('bold', id)}  ${paintState(shown)}${agent.simulated ? '  (simulated)' : ''}${agent.adopted === undefined ? '' : `  (${adoptedWords(agent)})`}`,
    ...labelled([
      ['what', doesOf(agent)],
      ['needs you', agent.needsYou === undefined ? undefined : `${count(agent.needsYou, 'item')}, see \`pan inbox\``],
      ['under way', act && `${act.kind} by ${act.by}: ${act.reason}`],
      ['wanted', agent.desired && desiredWords(agent.desired)],
      ['title', agent.title],
      ['for', [kind, issue, project].filter((word) => word !== undefined).join(' ')],
      ['runs', `${runtime}, ${model}`],
      ['yours', agent.adopted && placeOf(agent.adopted)],
      ['workspace', agent.workspace],
      ['lifecycle', `${lifecycle}, generation ${generation}${sessionId === undefined ? '' : `, session ${sessionId}`}`],
      ['sign of work', isActive ? `${duration(agent.silentMs)} ago` : undefined],
      ['progress', isActive ? `${duration(agent.unprogressedMs)} ago` : undefined],
      ['doing', agent.doing && doingWords(agent.doing)],
      ['heartbeat', agent.heartbeat && heartbeatWords(agent.heartbeat)],
      ['context', agent.context && contextWords(agent.context)],
      ['next cycle', agent.cycle && cycleWords(agent.cycle)],
      ['to wake it', agent.resume && resumeWords(agent.resume)],
      ['work waits', agent.waitingWork],
      ['finished', agent.finished && finishedWords(agent.finished)],
      ['to look at', finished && factsOf(finished).join('; ')],
      ['hand-off', handoffWords(agent)],
      ['tasks', agent.tasks && progressWords(agent.tasks)],
      ['limits', agent.limits && limitWords(agent.limits)],
      ['may', agent.permissionMode],
      ['messages', messagesOf(agent)],
      ['pokes', agent.pokes === 0 ? undefined : `${agent.pokes} in this episode`],
    ]),
    ...(agent.citations.length === 0 ? [] : ['', paint('bold', 'Witnesses'), ...citationLines(agent)]),
    ...(isActive ? ['', `Why: \`pan explain ${id}\``] : []),
  ]
}

function finishedWords({ wallAt, seen }: NonNullable<AgentView['finished']>): string {
  const looked = seen === undefined ? 'nobody had looked since' : `${seen.by} looked at ${clockTime(seen.wallAt)}`
  return `${duration(Date.now() - wallAt)} ago; ${looked}`
}

function placeOf({ pid, pane }: AdoptedView): string {
  return `process ${pid}, ${pane === undefined ? 'in no tmux' : `pane ${pane.id} of ${pane.socket}`}`
}

function doingWords({ kind, what, witness, ageMs }: DoingView): string {
  return `${kind}${what === undefined ? '' : `: ${what}`}, by its ${witness} for ${duration(ageMs)}`
}

function heartbeatWords({ source, confidence, witness, ageMs, action }: HeartbeatView): string {
  const about = action === null ? '' : `: ${action}`
  return `${source} (${witness}, ${confidence} confidence), ${duration(ageMs)} ago${about}`
}

function contextWords({ tokens, window, share, source }: ContextView): string {
  const by = source === 'status_line' ? 'by its status line' : 'by its transcript'
  if (window === undefined || share === undefined) return `${grouped(tokens)} tokens, ${by}`
  return `${Math.round(share * 100)} % of ${grouped(window)} tokens, ${by}`
}

function cycleWords({ share, threshold, dueInMs, tokensPerMinute, warning }: CycleView): string {
  const from = `at ${percent(threshold)} of what can be used, now ${percent(share)}`
  const pace = tokensPerMinute === undefined ? '' : `, ${grouped(tokensPerMinute)} tokens a minute`
  const due = dueInMs === undefined ? 'not in sight' : dueInMs === 0 ? 'due now' : `in about ${duration(dueInMs)}`
  return `${due} (${from}${pace})${warning === undefined ? '' : `. ${warning}`}`
}

/** Rounded down: 84.96 % are not 85. */
function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`
}

function limitWords(limits: readonly Limit[]): string {
  return limits
    .map(({ name, share, resetsWallAt }) => {
      const resets = resetsWallAt === undefined ? '' : ` ${untilWords(resetsWallAt)}`
      return `${name.replaceAll('_', ' ')} ${Math.round(share * 100)} %${resets}`
    })
    .join(', ')
}

/** What is past does not last until then. */
function untilWords(at: number): string {
  return at > Date.now() ? `until ${clockTime(at)}` : `until ${clockTime(at)}, which is over`
}

function grouped(n: number): string {
  return String(n).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function messagesOf({ id, messages }: AgentView): string | undefined {
  if (messages === undefined) return undefined
  const { waiting, undelivered } = messages
  const words = [waiting > 0 ? `${waiting} waiting` : '', undelivered > 0 ? `${undelivered} not delivered` : '']
  return `${words.filter((word) => word !== '').join(', ')}; \`pan agents messages ${id}\``
}

function citationLines({ citations }: AgentView): string[] {
  const rows = citations.map(({ witness, value, ageMs }) => [witness, duration(ageMs), value])
  return table(['', '', ''], rows, '  ').slice(1)
}

/** The worst first; those who rest are only counted. */
export function healthSummaryLines(agents: readonly AgentView[]): string[] {
  const active = agents.filter(({ lifecycle }) => lifecycle === 'active')
  const resting = agents.length - active.length
  const order = ['stuck', 'waiting', 'warning', 'unknown', 'stale', 'limited', 'active']
  const rank = ({ shown }: AgentView) => order.indexOf(shown)
  const rows = active
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, shown, silentMs, reason = '' }) => [id, shown, duration(silentMs), reason])
  return [
    ...(rows.length === 0 ? ['No agent is active.'] : table(['AGENT', STATE, 'SILENT', 'WHY'], rows)),
    ...(resting === 0 ? [] : ['', `${count(resting, 'agent')} not active: only active agents have a health.`]),
  ]
}

export function healthLines({ agent, history }: HealthView): string[] {
  if (history.length === 0) return [`${agent} was never judged.`]
  const rows = history.map(({ timestamp, shown, reason }) => [clockTime(Date.parse(timestamp)), shown, reason])
  return table(['WHEN', STATE, 'WHY'], rows)
}

export function messageLines({ agent, messages }: MessagesView): string[] {
  if (messages.length === 0) return [`Nobody has sent a message to ${agent}.`]
  const rows = messages.map(({ id, queuedWallAt, state, attempts, why, evidence, text }) => [
    id,
    clockTime(queuedWallAt),
    state,
    attempts === 0 ? '-' : `×${attempts}`,
    `${text.replaceAll(/\s+/g, ' ').slice(0, 60)} (${why ?? (state === 'recalled' ? 'taken back' : EVIDENCE[evidence ?? 'none'])})`,
  ])
  return table(['ID', 'WHEN', STATE, 'TYPED', 'WHAT'], rows)
}

const EVIDENCE = {
  hook: 'it said so',
  transcript: 'in its transcript',
  queue: 'in its queue',
  typed: 'typed',
  none: 'on its way',
} as const

export function activityLines({ agent, activities }: ActivityView): string[] {
  if (activities.length === 0) return [`${agent} has reported nothing yet.`]
  const rows = activities.map(({ ts, state, tool = '-', action = '' }) => [
    clockTime(Date.parse(ts)),
    state,
    tool,
    action,
  ])
  return table(['WHEN', STATE, 'TOOL', 'ACTION'], rows)
}

/** Where its work is, or goes; and that rules leave it there. */
function handoffWords({ handoff, lent, autoHandoff }: AgentView): string | undefined {
  const said = [
    handoff && `${handoff.id} to ${handoff.to.specialist ?? handoff.to.model}: ${handoff.state.replaceAll('_', ' ')}`,
    lent && `its work is with ${lent.to}`,
    autoHandoff && 'automatic ones are off',
  ].filter((words) => words !== undefined)
  return said.length === 0 ? undefined : said.join('; ')
}
