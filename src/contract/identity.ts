/** Who an agent is and what it works with; the same wherever an agent is named, stored or shown. */
import * as z from 'zod'
import { issueId, projectId } from './ids.ts'

const agentKind = z.enum(['specialist', 'issue', 'project'])

export const identity = z.object({
  kind: agentKind,
  issue: issueId.optional(),
  project: projectId.optional(),
  title: z.string().max(200).optional(),
  workspace: z.string().min(1).max(4096),
  /** The root of the git worktree that the workspace lies in, else the workspace's real path: it has one owner. */
  worktree: z.string().min(1).max(4096).optional(),
  runtime: z.string().min(1).max(64),
  model: z.string().min(1).max(100),
  /** An understudy or a virtual agent: always labelled. */
  simulated: z.boolean(),
})
