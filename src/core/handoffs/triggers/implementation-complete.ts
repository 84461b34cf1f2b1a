/** All implement tasks of the issue are closed: the specialist for tests gets the work. */
import { tasksWith } from './task-words.ts'
import { fact, title, type Rule } from './trigger.ts'

export const implementationComplete: Rule = ({ agent, tasks = [], closed = [] }, { settings }) => {
  const { enabled, taskWord, specialist } = settings.implementationComplete
  if (!enabled || agent.specialist !== undefined || settings.specialistsOff.includes(specialist)) return undefined
  const found = tasksWith(taskWord, tasks)
  if (found.length === 0 || found.some(({ state }) => state !== 'closed')) return undefined
  if (!found.some(({ id }) => closed.includes(id))) return undefined
  const ids = found.map(({ id }) => id)
  return {
    trigger: 'implementation_complete',
    to: { specialist },
    reason: `All ${found.length} implement task${found.length === 1 ? ' is' : 's are'} closed, so ${specialist} tests it.`,
    evidence: found.slice(0, 10).map((task) => fact('task closed', `${task.id} ${title(task.title)}`)),
    key: `implementation_complete:${ids.toSorted().join(',')}`.slice(0, 300),
  }
}
