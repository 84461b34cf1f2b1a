/** The explanation of a verdict as lines. */
import { heldUntil } from '../contract/limit-sentence.ts'
import type { ExplainView } from '../contract/views.ts'
import { labelled, lineWidth, paint, paintState, table, wrapped } from './output.ts'
import { itemLines } from './show-status.ts'
import { resumeWords } from './show-agents.ts'
import { clockTime, duration } from './words.ts'

export function explainLines(view: ExplainView): string[] {
  return [
    ...verdictLines(view),
    ...section('Witnesses', table(['', '', ''], view.witnesses.map(witnessRow), '  ').slice(1)),
    ...section('Rule', paragraph(view.rule)),
    ...section('What would change it', view.wouldChange.flatMap(bullet)),
    ...section('What comes next', nextLines(view)),
    ...(view.held === undefined ? [] : section('Held back', paragraph(`No automatic act now: ${view.held}.`))),
    ...(view.needsYou.length === 0 ? [] : section('Needs you', itemLines(view.needsYou))),
  ]
}

function verdictLines(view: ExplainView): string[] {
  const { agent, generation, shown, reason, forMs, pokes } = view
  return [
    `${paint('bold', agent)}  ${paintState(shown)} for ${duration(forMs)}  (generation ${generation})`,
    ...paragraph(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.?!]$/.test(reason) ? '' : '.'}`),
    ...labelled([
      ['seen alive', view.aliveMs === undefined ? undefined : `${duration(view.aliveMs)} ago`],
      ['sign of work', `${duration(view.silentMs)} ago`],
      ['progress', `${duration(view.unprogressedMs)} ago`],
      ['wanted', view.desired.state === 'run' ? undefined : wantedWords(view.desired)],
      ['to wake it', view.resume && resumeWords(view.resume)],
      ['pokes', pokes === 0 ? undefined : `${pokes} in this episode`],
    ]),
  ]
}

function wantedWords(desired: ExplainView['desired']): string {
  const { state, by, reason } = desired
  return `${state}, by ${by}${heldUntil(desired, (at) => clockTime(at))}: ${reason}`
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', paint('bold', title), ...lines]
}

function witnessRow({ witness, ageMs, value }: ExplainView['witnesses'][number]): string[] {
  return [witness, ageMs === undefined ? '-' : duration(ageMs), value]
}

function nextLines({ next, lifecycle }: ExplainView): string[] {
  if (next.length > 0) {
    return labelled(next.map(({ inMs, what }) => [inMs === 0 ? 'now' : `in ${duration(inMs)}`, what]))
  }
  return paragraph(lifecycle === 'active' ? 'Nothing by time alone; it is looked at again.' : 'Nothing by itself.')
}

function paragraph(text: string): string[] {
  return wrapped(text, lineWidth() - 2).map(indented)
}

function bullet(text: string): string[] {
  return wrapped(text, lineWidth() - 4).map((line, n) => `  ${n === 0 ? '-' : ' '} ${line}`)
}

function indented(line: string): string {
  return `  ${line}`
}
