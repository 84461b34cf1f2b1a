/** The rules of judging in words, one per cause, and what would change a verdict. Beside judge.ts, which applies them. */
import type { AgentId } from '../contract/ids.ts'
import type { Settings } from '../contract/settings.ts'
import type { Cause, CauseKind } from '../contract/verdict.ts'
import { exactly } from './durations.ts'
import { tickingMs } from './health/absorb.ts'
import { COMPACTING_MS, STARTING_MS, toolSlackMs } from './health/judge.ts'

type Thresholds = Settings['thresholds']

export function ruleFor(cause: Cause, thresholds: Thresholds): string {
  return RULES[cause.kind](cause as never, thresholds)
}

export function changesFor(cause: Cause, id: AgentId): string[] {
  return CHANGES[cause.kind](id)
}

export function afterLimit(id: AgentId): string {
  return `The next report makes it active; \`pan agents message ${id} "…"\` tells it to go on.`
}

type Rules = { [K in CauseKind]: (cause: Extract<Cause, { kind: K }>, thresholds: Thresholds) => string }

const RULES: Rules = {
  starting: () => `A new start has ${exactly(STARTING_MS)} to report that it is ready.`,
  startup_blocked: (_, { staleMs }) =>
    `A dialog at start waits for a person, and is shown so from the first second: never stuck. Its health is a warning ` +
    `from ${exactly(staleMs)} on, and at once when nothing was reported within ${exactly(STARTING_MS)}.`,
  working_tool: ({ ageMs, boundMs }, thresholds) =>
    boundMs === undefined
      ? `How long this tool may take is not known: it is never hung, and a person is told after ${exactly(thresholds.stuckMs)} of silence.`
      : ageMs < boundMs + toolSlackMs(thresholds)
        ? `An open tool within its time (${exactly(boundMs)}, plus ${exactly(toolSlackMs(thresholds))}) is work, however silent.`
        : `A tool over its time (${exactly(boundMs)}) is at most stale while its processes may still work.`,
  thinking: (_, thresholds) =>
    `Silence alone raises attention by the clock: ${ladder(thresholds)}. A terminal that moves counts for ` +
    `${exactly(tickingMs(thresholds))} by itself.`,
  waiting_background: (_, { staleMs }) =>
    `While background tasks run, silence is at most stale, from ${exactly(staleMs)} on.`,
  waiting_permission: waitingRule,
  waiting_user: waitingRule,
  auth_needed: waitingRule,
  rate_limited: ({ spent }, { staleMs }) =>
    spent === true
      ? 'A spend limit does not end by itself: nobody is told to go on before a person has raised it.'
      : `A usage limit is shown as limited from the first second and is never stuck: its health is at most stale, from ` +
        `${exactly(staleMs)} on.`,
  api_error: (_, { staleMs, warningMs }) =>
    `A failing service is not the agent's fault: stale from ${exactly(staleMs)}, at most warning from ` +
    `${exactly(warningMs)}.`,
  compacting: () => `Compacting counts as work for ${exactly(COMPACTING_MS)}.`,
  looping: (_, { stuckMs }) =>
    `The same calls with the same results, again and again and with nothing new between them, are a warning at once, ` +
    `and stuck after ${exactly(stuckMs)} without progress.`,
  hung: (_, thresholds) =>
    `Silence while its processes were seen at rest is a hang; ${ladder(thresholds)}. Silence alone is not.`,
  dead: () => 'The process was seen to be gone. That needs no clock: stuck at once.',
  unknown: () => 'Missing evidence never raises severity: what cannot be seen is unknown, not dead.',
}

function waitingRule(_: Cause, { staleMs }: Thresholds): string {
  return (
    'Waiting for a person is shown as waiting from the first second, never stuck and never poked; from ' +
    `${exactly(staleMs)} on its health is a warning, because it needs you.`
  )
}

function ladder({ staleMs, warningMs, stuckMs }: Thresholds): string {
  return `stale from ${exactly(staleMs)}, warning from ${exactly(warningMs)}, stuck from ${exactly(stuckMs)}`
}

const SIGN = 'Any sign of work (a hook, its transcript, its terminal, its files, CPU) makes it active.'
const PROGRESS = 'Progress (a commit, a closed task, a new kind of call) ends the episode and its count of pokes.'
const attach = (id: AgentId) => `Answer it: \`pan agents attach ${id}\`, or from \`pan inbox\`.`

const CHANGES: Record<CauseKind, (id: AgentId) => string[]> = {
  starting: () => ['Its first report makes it active.'],
  startup_blocked: (id) => [`Look at its terminal: \`pan agents attach ${id}\`.`],
  working_tool: () => ['The end of the tool, or the tool going over its time while its processes rest.'],
  thinking: () => [SIGN, 'Processes seen at rest for the warning minutes make it hung.'],
  waiting_background: () => [SIGN],
  waiting_permission: (id) => [attach(id)],
  waiting_user: (id) => [attach(id)],
  auth_needed: (id) => [`Sign in: \`pan agents attach ${id}\`.`],
  rate_limited: () => [
    'A usage limit ends by itself, a spend limit is raised by you; the next report makes it active.',
  ],
  api_error: () => ['The next answer of the service makes it active.'],
  compacting: () => [SIGN],
  looping: (id) => [PROGRESS, `Tell it what to do instead: \`pan agents message ${id} "…"\`.`],
  hung: (id) => [
    SIGN,
    PROGRESS,
    `Ask it: \`pan agents poke ${id}\`; or end it, work saved: \`pan agents kill ${id}\`.`,
  ],
  dead: (id) => [
    `\`pan agents kill ${id}\` saves its work and clears it away; \`pan agents spawn ${id}\` starts it anew.`,
  ],
  unknown: (id) => [
    'The next good look at it.',
    `Without a terminal it stays so: \`pan agents kill ${id}\` saves its work and ends it; then spawn it again.`,
  ],
}
