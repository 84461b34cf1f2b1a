/** A task is done and the next one asks for another model: a trivial one for a cheap model, a hard one for a dear one. */
import { fact, isSameModel, title, type Rule } from './trigger.ts'

export const nextTask: Rule = ({ agent, tasks = [], closed = [], nextTask: next }, rules) => {
  const { enabled } = rules.settings.nextTask
  if (!enabled || next === undefined || agent.specialist !== undefined) return undefined
  const done = tasks.filter(({ state }) => state === 'closed')
  // In the middle of a task nobody asks about the next one.
  if (!done.some(({ id }) => closed.includes(id)) || tasks.some(({ state }) => state === 'in_progress'))
    return undefined
  if (isSameModel(agent.model, next.model, rules)) return undefined
  return {
    trigger: 'task_complete',
    to: { model: next.model, ...(next.runtime === undefined ? {} : { runtime: next.runtime }) },
    reason: `The next task ${title(next.title)} is ${next.complexity}, which ${next.model} does.`,
    evidence: [
      fact('task closed', closed.at(-1) ?? ''),
      fact('tasks done', `${done.length} of ${tasks.length}`),
      fact('next task', `${next.id} is ${next.complexity}`),
    ],
    key: `task_complete:${next.id}:${next.model}`,
  }
}
