/** The status of the house, and the items that need a person, as lines. */
import { lives } from '../contract/lives.ts'
import type { NeedsYou } from '../contract/records.ts'
import type { AgentsView, AgentView, HeartbeatView, StatusView } from '../contract/views.ts'
import { labelled, lineWidth, paint, paintState, table, wrapped } from './output.ts'
import { allAgents, listLines } from './show-agents.ts'
import { count, duration } from './words.ts'

export function statusLines(status: StatusView): string[] {
  const { summary, needsYou } = status
  const counted = Object.entries(summary).flatMap(([health, n]) => (n > 0 ? `${n} ${paintState(health)}` : []))
  return [
    ...emergencyLines(status),
    monitoringLine(status),
    agentsLine(status, counted),
    ...(needsYou.length === 0 ? ['Nothing needs you.'] : ['', `${paint('bold', 'Needs you')}`, ...itemLines(needsYou)]),
  ]
}

function agentsLine({ watching, running }: StatusView, counted: readonly string[]): string {
  if (watching === 0) return 'No agent is active.'
  if (!running) return `Active: ${count(watching, 'agent')}; how they are is not judged now.`
  return `Watching ${count(watching, 'agent')}: ${counted.join(', ')}.`
}

/** What the last daemon left, and that nobody watches now. */
export function lastKnownLines(status: StatusView, agents: AgentsView): string[] {
  const { needsYou } = status
  return [
    ...emergencyLines(status),
    'Nobody watches now: agents go on, unwatched. Last known of them:',
    '',
    ...listLines(agents),
    ...(needsYou.length === 0
      ? ['', 'Nothing needed you then.']
      : ['', paint('bold', 'Needs you'), ...itemLines(needsYou)]),
  ]
}

/** `pan cloister status`: the same facts one by one, and how each agent is heard. */
export function cloisterLines(status: StatusView, agents: AgentsView): string[] {
  const { watching, summary, emergency, degraded, needsYou } = status
  const living = allAgents(agents).filter(lives)
  const facts = labelled(
    [
      ['monitoring', status.running ? 'runs' : 'paused: nobody is judged or poked; agents go on'],
      ['emergency', emergency === 'armed' ? 'none' : `${emergency}: ${EMERGENCY[emergency]}`],
      ['doubt', degraded],
      ['last look', lookedAgo(status)],
      ['living', count(living.length, 'agent')],
      [
        'at work',
        `${watching}: ${Object.entries(summary)
          .map(([health, n]) => `${n} ${health}`)
          .join(', ')}`,
      ],
      ['needs you', needsYou.length === 0 ? 'nothing' : `${count(needsYou.length, 'item')}, see \`pan inbox\``],
    ],
    '',
  )
  return living.length === 0 ? facts : [...facts, '', ...heartbeatLines(living)]
}

/** Whose own reports come, and who is only seen from outside, and by what. */
function heartbeatLines(agents: readonly AgentView[]): string[] {
  const rows = agents.map(({ id, heartbeat, doing, lifecycle }) => [
    id,
    heartbeat?.source ?? 'none',
    heartbeat === undefined ? '-' : duration(heartbeat.ageMs),
    doing?.kind ?? lifecycle,
    heartbeat === undefined ? 'nothing was heard of it yet' : sourceWords(heartbeat),
  ])
  return table(['AGENT', 'HEARTBEAT', 'AGE', 'DOING', 'BY'], rows)
}

function sourceWords({ witness, confidence, sources }: HeartbeatView): string {
  const others = sources
    .filter((each) => each.witness !== witness)
    .map((each) => `${each.witness} ${duration(each.ageMs)}`)
  return `${witness}, ${confidence} confidence${others.length === 0 ? '' : ` (also ${others.join(', ')})`}`
}

const EMERGENCY = {
  stopping: 'agents are being ended',
  stopped: 'nothing is started or typed until `pan cloister resume`',
  rearming: 'it is being taken back',
} as const

function emergencyLines({ emergency }: StatusView): string[] {
  return emergency === 'armed' ? [] : [paint('red', `EMERGENCY STOP, ${emergency}: ${EMERGENCY[emergency]}.`)]
}

function monitoringLine(status: StatusView): string {
  if (!status.running) return 'Monitoring is paused: agents go on, unwatched. Start it with `pan cloister start`.'
  if (status.degraded !== undefined) return `${status.degraded}. Nothing is judged until that is over.`
  return `Cloister watches; its last look was ${lookedAgo(status)}.`
}

function lookedAgo({ lastCheckWallAt }: StatusView): string {
  return lastCheckWallAt === undefined ? 'not yet' : `${duration(Date.now() - lastCheckWallAt)} ago`
}

export function itemLines(items: readonly NeedsYou[]): string[] {
  const idWidth = Math.max(...items.map(({ id }) => id.length))
  const indent = ' '.repeat(idWidth + 4)
  const textWidth = lineWidth() - indent.length
  return items.flatMap((item) => {
    const [first = '', ...rest] = wrapped(item.sentence, textWidth)
    return [
      `  ${paint('bold', item.id.padEnd(idWidth))}  ${first}`,
      ...[...rest, ...optionLines(item, textWidth), ...wrapped(hintOf(item), textWidth)].map((line) => indent + line),
    ]
  })
}

/** As the agent wrote them; what it asks is said again where it asks several things. */
function optionLines({ options = [], questions = [] }: NeedsYou, width: number): string[] {
  if (questions.length === 0) return options.flatMap((option, n) => wrapped(`${n + 1}. ${option}`, width))
  return questions.flatMap(({ question, options: offered, several }, at) => [
    ...(questions.length === 1 ? [] : wrapped(`(${at + 1}) ${question}`, width)),
    ...offered.flatMap(({ label, about }, n) =>
      wrapped(`${n + 1}. ${label}${about === undefined ? '' : `: ${about}`}`, width),
    ),
    ...(several ? ['Several may be chosen, with commas between them.'] : []),
  ])
}

function hintOf({ id, hint, answerable, questions = [] }: NeedsYou): string {
  if (answerable !== true) return hint
  const answers = questions.length > 1 ? questions.map((_, at) => `<answer ${at + 1}>`).join(' ') : '<answer>'
  return `Answer with \`pan answer ${id} ${answers}\`. ${hint}`
}
