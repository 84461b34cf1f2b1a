/** The whole of cloister.yaml. Each default stands here, beside its key, and nowhere else. */
import * as z from 'zod'
import { dashboard } from './dashboard.ts'
import { closest } from './did-you-mean.ts'
import { handoffs } from './handoffs.ts'
import { modelSelection } from './model-selection.ts'
import { contextCycle, costTracking, lifecycle, runs } from './procedures.ts'
import { runtimes } from './runtimes.ts'
import { specialists } from './specialists.ts'
import { autoActions, monitoring, notifications, startup, thresholds } from './watching.ts'

export const configSchema = z
  .strictObject({
    startup,
    thresholds,
    auto_actions: autoActions,
    monitoring,
    dashboard,
    notifications,
    specialists,
    model_selection: modelSelection,
    handoffs,
    runtimes,
    cost_tracking: costTracking,
    context_cycle: contextCycle,
    lifecycle,
    runs,
  })
  .check((ctx) => {
    const known = Object.keys(ctx.value.specialists)
    for (const [trigger, keys] of Object.entries(ctx.value.handoffs.auto_triggers)) {
      if (!('to_specialist' in keys) || known.includes(keys.to_specialist)) continue
      ctx.issues.push({
        code: 'custom',
        input: ctx.value,
        path: ['handoffs', 'auto_triggers', trigger, 'to_specialist'],
        message: `names "${keys.to_specialist}", which is not under specialists`,
        params: { suggestion: closest(keys.to_specialist, known) },
      })
    }
  })

export type Config = z.infer<typeof configSchema>
