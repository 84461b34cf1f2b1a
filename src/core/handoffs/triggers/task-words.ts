/** Whether a word stands in a task's title, in whatever form: «plan» in «Planning the monitor», and not in «airplane». */
import type { HandoffTask } from '../../../contract/handoff-context.ts'

const ENDINGS = new Set(['', 's', 'ed', 'ing', 'ned', 'ning', 'er', 'ation', 'ations'])

export function tasksWith(word: string, tasks: readonly HandoffTask[]): readonly HandoffTask[] {
  const wanted = word.toLowerCase().trim()
  return tasks.filter(({ title }) => {
    const text = title.toLowerCase()
    if (/\s/.test(wanted)) return text.includes(wanted)
    return text
      .split(/[^\p{L}\p{N}]+/u)
      .some((each) => each.startsWith(wanted) && ENDINGS.has(each.slice(wanted.length)))
  })
}
