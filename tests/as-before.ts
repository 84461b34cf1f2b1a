/** Test files share their process: each finds the environment as the first one found it. */
import { afterAll } from 'vitest'

const before = { ...process.env }

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
