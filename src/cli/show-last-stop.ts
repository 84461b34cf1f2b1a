/** What is known of the last emergency stop, as lines. */
import type { LastStopView } from '../contract/last-stop.ts'
import { clockTime, count } from './words.ts'

/** Who, when, why, how many; what was saved and what was cut off; who can be started again. */
export function lastStopLines(stop: LastStopView): string[] {
  const { ended, of, by, reason, wallAt, survivors, questions, handoffs, confirmed, leftAlone = [] } = stop
  const when = clockTime(wallAt)
  return [
    `Emergency stop by ${by}, ${when} (${reason}): ${endedWords(stop)}`,
    ...(ended.length === 0 ? [] : [`  ended: ${ended.join(', ')}`]),
    ...(ended.length < of && confirmed !== undefined ? [`  not seen to end: ${of - ended.length}`] : []),
    ...(survivors.length === 0 ? [] : [`  survived: ${survivors.join(', ')}`]),
    ...(leftAlone.length === 0 ? [] : [`  left alone, since adopted: ${leftAlone.join(', ')}`]),
    ...downLines(stop),
    ...savedLines(stop),
    ...questions.map(({ sentence }) => `  not answered: ${sentence}`),
    ...handoffs.map(({ sentence }) => `  cut off: ${sentence}`),
    ...startLines(stop),
  ]
}

function endedWords({ ended, of, confirmed }: LastStopView): string {
  if (confirmed === undefined && ended.length === 0) return `of ${count(of, 'agent')}, not over yet`
  return `${ended.length} of ${count(of, 'agent')} ended${confirmed === false ? ', never confirmed' : ''}`
}

function downLines({ dead = [], asleep = [] }: LastStopView): string[] {
  return [
    ...(dead.length === 0 ? [] : [`  dead before it came: ${dead.join(', ')}`]),
    ...(asleep.length === 0 ? [] : [`  asleep before it came: ${asleep.join(', ')}`]),
  ]
}

function savedLines({ saved, ended }: LastStopView): string[] {
  if (ended.length + saved.length === 0) return []
  const kept = saved.filter(({ ref }) => ref !== undefined)
  const clean = saved.filter(({ ref, unsaved }) => ref === undefined && unsaved === undefined)
  const open = ended.filter((id) => !saved.some(({ agent }) => agent === id)).length
  const parts = [
    `${kept.length} saved`,
    ...(clean.length === 0 ? [] : [`${clean.length} with nothing to save`]),
    ...(open === 0 ? [] : [`${open} not looked after yet`]),
  ]
  return [
    `  work: ${parts.join(', ')}`,
    ...kept.map(({ agent, ref }) => `    ${agent}: ${ref} (\`pan restore ${agent}\`)`),
    ...saved.flatMap(({ agent, unsaved }) => (unsaved === undefined ? [] : `    ${agent}: not saved: ${unsaved}`)),
  ]
}

export function startLines({ startable }: { startable: readonly string[] }): string[] {
  if (startable.length === 0) return []
  const one = startable.length === 1 ? '' : `, or some of them: \`pan cloister resume --start ${startable[0]}\``
  return [
    `  not started since: ${startable.join(', ')}`,
    `  Start ${startable.length === 1 ? 'it' : 'them'} again with \`pan cloister resume --start\`${one}.`,
  ]
}
