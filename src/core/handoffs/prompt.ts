/**
 * What a successor is told first. Our own words are few and the same each time; whatever was read somewhere stands
 * framed (frame.ts); and each ends with the one line that is asked for (echo.ts).
 */
import type { HandoffContext, HandoffTask } from '../../contract/handoff-context.ts'
import { ended } from '../durations.ts'
import { echoForm } from './echo.ts'
import { STATE_PATH } from './orders.ts'
import { withoutOldSummaries } from './old-summaries.ts'
import { framed, frameWarning, quoted, unframed } from './frame.ts'

export interface Occasion {
  /** New for every prompt, of letters and digits only, and not the document's: whoever wrote that one knows it. */
  nonce: string
  /** Why the work changes hands, in one sentence of ours. */
  reason: string
}

/** The work goes on in a fresh session, of another model or of another program. */
export function successorPrompt(context: HandoffContext, { nonce, reason }: Occasion): string {
  const { previousModel, previousRuntime, handoffCount } = context
  return joined([
    `# You go on with ${workOf(context, nonce)}`,
    `An agent before you (${quoted(previousModel, nonce)} in ${quoted(previousRuntime, nonce)}) worked on it and was ended. ` +
      `Why: ${because(reason, nonce)} It is hand-off ${handoffCount + 1} of this work. Its uncommitted files are in the workspace as it left them.`,
    `## Read first\n${readFirst(context)}`,
    `## What is known\n${frameWarning(nonce)}`,
    ...known(context, nonce),
    howToGoOn(nonce, [
      'Check with `git status` and `git log` that what is said here is so. What you see counts more than what you read.',
      'Go on where the agent before you stopped; do not begin anew and do not repeat what is done.',
      `Keep ${context.stateFilePath ?? STATE_PATH} up to date: what is done, next steps, blockers, decisions.`,
    ]),
  ])
}

export interface SpecialistTask {
  name: string
  /** What it is asked for. */
  task: string
  /** The agent that handed over, and gets the answer. */
  from: string
}

/** Who has his own session, and is woken for one task of somebody else's work. */
export function specialistPrompt(
  context: HandoffContext,
  { nonce, reason, specialist }: Occasion & { specialist: SpecialistTask },
): string {
  return joined([
    `# Work for ${specialist.name}: ${workOf(context, nonce)}`,
    `${specialist.from} hands this to you and rests meanwhile. Why: ${because(reason, nonce)} The workspace is ${quoted(context.workspace, nonce, 400)}; go there first.`,
    `## Your task\n${unframed(specialist.task, nonce, TASK_LIMIT)}`,
    `## What is known\n${frameWarning(nonce)}`,
    ...known(context, nonce),
    howToGoOn(nonce, [
      'Do this task only. Leave everything else of the work as it is.',
      'Commit what you change. When you are done, say what you found, what you changed and what is left, and stop.',
    ]),
  ])
}

/** The same agent after its context was cleared: all that it knows stands in the document. */
export function resumePrompt(
  context: HandoffContext,
  { nonce, reason, document }: Occasion & { document: { path: string; text: string; nonce: string } },
): string {
  const text = withoutOldSummaries(document.text, document.nonce)
  return joined([
    `# You go on with ${workOf(context, nonce)}`,
    `Your context was cleared. Why: ${because(reason, nonce)} Before that you wrote a hand-off document for yourself. ` +
      `It is ${quoted(document.path, nonce, 400)}, and this is what it says.`,
    frameWarning(nonce),
    framed(nonce, { label: 'hand-off document', text, limit: DOCUMENT_LIMIT }),
    ...gitFrame(context, nonce),
    howToGoOn(nonce, [
      'Check with `git status` that the workspace is as the document says. What you see counts more than what you read.',
      'Go on with the first of the next steps; do not begin anew and do not repeat what is done.',
    ]),
  ])
}

/** The one who lent the work, and has it again. */
export function returnPrompt(
  context: HandoffContext,
  { nonce, reason, specialist }: Occasion & { specialist: { name: string; words: string | undefined } },
): string {
  const { name, words } = specialist
  return joined([
    `# You go on with ${workOf(context, nonce)}`,
    `${name} had your work while you rested and gives it back. Why: ${because(reason, nonce)} ` +
      (words === undefined ? 'What it said is not known.' : 'This is what it said last.'),
    frameWarning(nonce),
    ...(words === undefined
      ? []
      : [framed(nonce, { label: `last words of ${name}`, text: words, limit: SUMMARY_LIMIT })]),
    ...gitFrame(context, nonce),
    howToGoOn(nonce, [
      `Look at \`git status\` and \`git log\` for what ${name} changed. What you see counts more than what you read.`,
      'See to what it found; where it found nothing, go on with the next step.',
    ]),
  ])
}

const DOCUMENT_LIMIT = 30_000
const SUMMARY_LIMIT = 4_000
const TASK_LIMIT = 4_000
const REASON_LIMIT = 400
const WORDS_LIMIT = 2_000
const FILES_SHOWN = 40
const TASKS_SHOWN = 30

function workOf({ issueId, project, title }: HandoffContext, nonce: string): string {
  const name = issueId?.toUpperCase() ?? project ?? 'this work'
  return title === undefined ? name : `${name}: ${quoted(title, nonce)}`
}

/** A reason may name what others called something. */
function because(reason: string, nonce: string): string {
  return ended(unframed(reason, nonce, REASON_LIMIT).replaceAll(/\s+/g, ' '))
}

function readFirst({ stateFilePath, claudeMd, missing }: HandoffContext): string {
  const noState = missing.find(({ part }) => part === 'stateFile')?.why ?? 'it was not looked for'
  return [
    stateFilePath === undefined
      ? `- There are no notes of the agent before you (${noState}). The repository and its last words below are all there is.`
      : `- \`${stateFilePath}\`: the notes of the agent before you`,
    ...(claudeMd === undefined ? [] : ['- `CLAUDE.md`: the rules of this workspace']),
  ].join('\n')
}

function known(context: HandoffContext, nonce: string): string[] {
  const { whatWasDone, whatRemains, blockers = [], decisions = [], lastWords, summaryFrom } = context
  const frames: [label: string, text: string | undefined, limit: number][] = [
    [`what was done, by ${source(summaryFrom.whatWasDone)}`, whatWasDone, SUMMARY_LIMIT],
    [`what remains, by ${source(summaryFrom.whatRemains)}`, whatRemains, SUMMARY_LIMIT],
    ['blockers', bullets(blockers), SUMMARY_LIMIT],
    ['decisions', bullets(decisions), SUMMARY_LIMIT],
    ['tasks', tasksOf(context), SUMMARY_LIMIT],
    // Where the summary is the last words, they would stand there twice.
    ['its last words', lastWords === whatWasDone ? undefined : lastWords, WORDS_LIMIT],
  ]
  return [
    ...frames.flatMap(([label, text, limit]) =>
      text === undefined || text === '' ? [] : [framed(nonce, { label, text, limit })],
    ),
    ...gitFrame(context, nonce),
    ...notKnown(context),
  ]
}

function source(from: 'STATE.md' | 'hand-off document' | 'transcript' | undefined): string {
  return from === 'transcript' || from === undefined ? 'its last words' : `its ${from}`
}

function gitFrame(context: HandoffContext, nonce: string): string[] {
  const { gitBranch, lastCommit, uncommittedFiles, uncommittedTotal = 0 } = context
  const files = uncommittedFiles?.slice(0, FILES_SHOWN)
  const lines = [
    ...(gitBranch === undefined ? [] : [`branch: ${gitBranch}`]),
    ...(lastCommit === undefined ? [] : [`last commit: ${lastCommit}`]),
    ...(files === undefined ? [] : [`uncommitted files: ${uncommittedTotal === 0 ? 'none' : uncommittedTotal}`]),
    ...(files ?? []).map((path) => `- ${path}`),
    ...(files !== undefined && uncommittedTotal > files.length
      ? [`- and ${uncommittedTotal - files.length} more`]
      : []),
  ]
  if (lines.length === 0) return []
  return [framed(nonce, { label: 'git', text: lines.join('\n'), limit: SUMMARY_LIMIT })]
}

function tasksOf({ activeBeadsTasks = [], remainingTasks = [], completedTasks = [] }: HandoffContext): string {
  const left = [...activeBeadsTasks, ...remainingTasks]
  const more = left.length - TASKS_SHOWN
  return [
    ...(completedTasks.length === 0 ? [] : [`${completedTasks.length} done`]),
    ...left.slice(0, TASKS_SHOWN).map(taskLine),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}

function taskLine({ id, title, state, complexity }: HandoffTask): string {
  return `- [${state}] ${title} (${id}${complexity === undefined ? '' : `, ${complexity}`})`
}

function notKnown({ missing }: HandoffContext): string[] {
  const worth = missing.filter(({ part }) => WORTH_SAYING.includes(part))
  return worth.length === 0 ? [] : [`Not known: ${worth.map(({ part }) => WORDS[part] ?? part).join(', ')}.`]
}

const WORDS: Readonly<Record<string, string>> = {
  whatWasDone: 'what was done',
  whatRemains: 'what remains',
  tasks: 'its tasks',
  gitBranch: 'the branch',
}
const WORTH_SAYING: readonly string[] = Object.keys(WORDS)

function bullets(lines: readonly string[]): string {
  return lines.map((each) => `- ${each}`).join('\n')
}

function howToGoOn(nonce: string, rules: readonly string[]): string {
  return [
    '## How to go on',
    ...rules.map((rule, k) => `${k + 1}. ${rule}`),
    `${rules.length + 1}. Before you change anything, write exactly one line in this form, with the two places filled in by your own words:`,
    '',
    `    ${echoForm(nonce)}`,
    '',
    'Then do that step.',
  ].join('\n')
}

function joined(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
