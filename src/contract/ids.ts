/** The one allow-list pattern for every id that reaches a path, a tmux target or a command line. */
import * as z from 'zod'
import { ID_HINT, ID_PATTERN, MODEL_PATTERN } from './id-pattern.ts'

export { ID_PATTERN, MODEL_PATTERN }

function id(what: string) {
  return z.string().regex(ID_PATTERN, `not a valid ${what}: use ${ID_HINT}`)
}

export const agentId = id('agent id')
export const issueId = id('issue id')
export const projectId = id('project id')
export const runId = id('run id')
export const effectId = id('effect id')
export const inputId = id('input id')
/** A waiting ask hook: the unique part of its file name. */
export const askId = id('ask id')
export const needsYouId = id('item id')
export const messageId = id('message id')
export const handoffId = id('hand-off id')

/** A conversation id belongs to the runtime (Claude Code uses UUIDs), so case is kept. */
export const sessionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, 'not a valid session id')

/** A snapshot of an agent's work: in its repository, or as plain files in the home. */
export const salvageRef = z
  .string()
  .regex(/^(?:refs\/cloister|salvage)\/[a-z0-9][a-z0-9_-]{0,63}\/\d{1,9}-\d{1,9}$/, 'not a valid ref of a snapshot')

/** A tier or a model id of whatever runtime; it reaches command lines and prompts. */
export const modelName = z
  .string()
  .regex(MODEL_PATTERN, 'not a tier or a model id: use letters, digits and ". _ : / @ [ ] -", at most 100')

export const generation = z.int().nonnegative()

export type AgentId = z.infer<typeof agentId>
