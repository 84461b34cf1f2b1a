/** The settings: read with all their help, and changed with comments kept. */
import { configChange, configView } from '../contract/config-view.ts'
import { ok, refused } from './answer.ts'
import { get, put } from './route.ts'

export const configRoutes = [
  get('/api/cloister/config', {
    summary: 'The settings in force, every key with its help, and what is wrong with the file.',
    answer: configView,
    handler: async (_, deps) => ok(await deps.config()),
  }),
  put('/api/cloister/config', {
    summary: 'Changes keys of cloister.yaml, all of them or none. Comments and all other keys are kept.',
    body: configChange,
    answer: configView,
    refusals: ['conflict'],
    handler: async ({ body }, deps) => {
      const changed = await deps.changeConfig(body)
      return 'code' in changed ? refused(changed) : ok(changed)
    },
  }),
] as const
