/** Tasks, and where they should go, as lines. */
import type { RouteView, TaskProgressView } from '../contract/tasks.ts'
import { labelled, lineWidth, paint, printable, table, wrapped } from './output.ts'

/** How far an agent is, in one line. */
export function progressWords({ source, why, counts, total, current, next }: TaskProgressView): string {
  if (source === undefined || total === 0) return `none: ${why ?? 'its list is empty'}`
  const rest = [
    counts.in_progress === 0 ? '' : `, ${counts.in_progress} in progress`,
    counts.blocked === 0 ? '' : `, ${counts.blocked} blocked`,
  ]
  const now = current === undefined ? '' : `; now: ${current.title} (${current.id})`
  const then = next === undefined ? '' : `; next: ${next.title} (${next.id}, ${next.complexity}, ${next.model})`
  return `${counts.closed} of ${total} closed${rest.join('')}, by ${source}${now}${then}`
}

export function routeLines(view: RouteView): string[] {
  const { about, source, noTasks, signals, decidedBy, complexity } = view
  const rows = signals.map(({ signal, complexity: said = '-', says }) => [
    signal === decidedBy ? '>' : '',
    signal,
    said,
    says,
  ])
  const { tier, model, modelId, modelBy, runtime, runtimeBy, instead, why } = view
  return [
    `${paint('bold', printable(about.title))}  ${complexity}`,
    ...labelled([
      ['task', about.kind === 'task' ? `${about.id} of ${source}` : `none: ${noTasks ?? 'only the title counts'}`],
      ['model', `${model}${modelId === model ? '' : ` (${modelId})`}, by ${MODEL_BY[modelBy]}`],
      ['tier', tier === model ? undefined : tier],
      ['runtime', `${runtime}, by ${RUNTIME_BY[runtimeBy]}`],
      [
        'instead',
        instead === undefined ? undefined : `${instead.model} in ${instead.runtime}: ${runtime} is not there yet`,
      ],
      ['refused', view.refused],
    ]),
    '',
    paint('bold', 'Signals'),
    ...table(['', '', '', ''], rows, '  ').slice(1),
    '',
    ...wrapped(`Why: ${why}${instead === undefined ? '' : ` But ${instead.why}.`}`, lineWidth()),
  ]
}

const MODEL_BY: Readonly<Record<RouteView['modelBy'], string>> = {
  complexity: 'its complexity',
  task: 'what the task asks for',
  specialist: 'the settings of the specialist',
}

const RUNTIME_BY: Readonly<Record<RouteView['runtimeBy'], string>> = {
  route: 'the settings of that complexity',
  specialist: 'the settings of the specialist',
  model: 'its model',
  default: 'the default',
}
