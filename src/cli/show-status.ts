/** The status of the house, and the items that need a person, as lines. */
import { lives } from '../contract/lives.ts'
import type { HouseView, Remedy } from '../contract/house-view.ts'
import type { NeedsYou } from '../contract/needs-you.ts'
import type { AgentsView, AgentView, HeartbeatView } from '../contract/views.ts'
import type { StatusView } from '../contract/status-view.ts'
import { labelled, lineWidth, paint, paintState, table, wrapped, type Colour } from './output.ts'
import { allAgents, listLines } from './show-agents.ts'
import { finishedLines } from './show-finished.ts'
import { lastStopLines } from './show-last-stop.ts'
import { count, duration } from './words.ts'

export function statusLines(status: StatusView): string[] {
  const { needsYou } = status
  return [
    ...houseLines(status.house),
    ...stopLines(status),
    agentsLine(status),
    ...(needsYou.length === 0
      ? ['Nothing needs you.']
      : ['', paint('bold', `Needs you (${status.needsYouCount})`), ...itemLines(needsYou)]),
    ...finishedPart(status),
  ]
}

/** Beside what needs you, and not counted with it. */
function finishedPart({ finished }: StatusView): string[] {
  return finished.length === 0 ? [] : ['', paint('bold', 'Finished'), ...finishedLines(finished)]
}

/** The one sentence, and what to do about it where it is not as it should be. */
function houseLines({ condition, sentence, remedy }: HouseView): string[] {
  const colour = CONDITION_COLOURS[condition]
  const said = wrapped(`${sentence}.`, lineWidth()).map((line) => (colour === undefined ? line : paint(colour, line)))
  if (remedy === undefined) return said
  // A line of its own: a command that is broken in two cannot be copied.
  const run = remedy.command === undefined ? [] : [`Run: ${remedy.command}`]
  return [...said, ...[...wrapped(remedy.sentence, lineWidth() - 2), ...run].map((line) => `  ${line}`)]
}

const CONDITION_COLOURS: Record<HouseView['condition'], Colour | undefined> = {
  stopped: 'red',
  blind: 'red',
  degraded: 'yellow',
  held: 'yellow',
  paused: 'yellow',
  watching: undefined,
}

function remedyWords({ sentence, command }: Remedy): string {
  return command === undefined ? sentence : `${sentence} \`${command}\``
}

function agentsLine(status: StatusView): string {
  const { watching, running, house } = status
  const looked = running ? `the last look was ${lookedAgo(status)}` : 'nobody looks'
  if (watching === 0) return `No agent runs; ${looked}.`
  const counted = countedWords(status, paintState)
  return `${house.condition === 'watching' ? '' : `${count(watching, 'agent')}: `}${counted}; ${looked}.`
}

/** How many are shown as what; whoever lives and is not active rests. */
function countedWords({ summary, watching }: StatusView, word: (state: string) => string): string {
  const active = Object.values(summary).reduce((sum, n) => sum + n, 0)
  const counted = Object.entries({ ...summary, idle: watching - active })
  return counted.flatMap(([state, n]) => (n > 0 ? `${n} ${word(state)}` : [])).join(', ')
}

/** What the last daemon left, and that nobody watches now. */
export function lastKnownLines(status: StatusView, agents: AgentsView): string[] {
  const { needsYou } = status
  return [
    ...houseLines(status.house),
    ...stopLines(status),
    'Last known of the agents:',
    '',
    ...listLines(agents),
    ...(needsYou.length === 0
      ? ['', 'Nothing needed you then.']
      : ['', paint('bold', 'Needs you'), ...itemLines(needsYou)]),
    ...finishedPart(status),
  ]
}

/** `pan cloister status`: the same facts one by one, and how each agent is heard. */
export function cloisterLines(status: StatusView, agents: AgentsView): string[] {
  const { house, emergency, degraded, needsYouCount } = status
  const living = allAgents(agents).filter(lives)
  const facts = labelled(
    [
      ['house', house.sentence],
      ['remedy', house.remedy && remedyWords(house.remedy)],
      ['monitoring', status.running ? 'runs' : 'paused: nobody is judged or poked; agents go on'],
      ['emergency', emergency === 'armed' ? 'none' : `${emergency}: ${EMERGENCY[emergency]}`],
      ['doubt', degraded],
      ['last look', lookedAgo(status)],
      [
        'living',
        living.length === 0 ? 'no agent' : `${count(living.length, 'agent')}: ${countedWords(status, String)}`,
      ],
      ['needs you', needsYouCount === 0 ? 'nothing' : `${count(needsYouCount, 'item')}, see \`pan inbox\``],
    ],
    '',
  )
  const stop = status.lastStop === undefined ? [] : ['', ...lastStopLines(status.lastStop)]
  return living.length === 0 ? [...facts, ...stop] : [...facts, ...stop, '', ...heartbeatLines(living)]
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

/** As long as it is in force, or somebody is left whom it concerns. */
function stopLines({ emergency, lastStop }: StatusView): string[] {
  if (lastStop === undefined || (emergency === 'armed' && lastStop.startable.length === 0)) return []
  return lastStopLines(lastStop)
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
