/** What a snapshot says of itself: sentences for people, and one line of JSON for `pan restore`. */
import * as z from 'zod'
import { agentId, generation } from '../../contract/ids.ts'

const hash = z.string().regex(/^[0-9a-f]{40,64}$/)

const about = z.object({
  version: z.literal(1),
  agent: agentId,
  generation,
  savedWallAt: z.number(),
  workspace: z.string(),
  branch: z.string().optional(),
  /** The commit that the work was based on; none in a repository without commits. */
  base: hash.optional(),
  /** Changed, added and deleted files, compared with the base. */
  files: z.int().nonnegative(),
  /** The tree to compare with the base: with files as git would store them, where that differs from their bytes. */
  changes: hash,
  /** A commit that holds what was staged, where that was neither committed nor in the files. */
  staged: hash.optional(),
  /** Repositories inside the workspace that were saved as files. */
  takenOver: z.array(z.string()),
  /** It was saved since a restore was about to replace or delete it. */
  replaced: z.literal(true).optional(),
  notes: z.array(z.string()),
})

export type About = z.infer<typeof about>

const MARK = 'Cloister-Salvage: '

export function snapshotMessage(facts: About): string {
  const { agent, generation: of, workspace, notes } = facts
  const title = `Work of ${agent}, generation ${of}, as it lay in the workspace`
  const body = [`Workspace: ${workspace}`, ...notes.map((note) => `- ${note.replaceAll(/\s+/g, ' ')}`)]
  return `${title}\n\n${body.join('\n')}\n\n${MARK}${JSON.stringify(facts)}\n`
}

/** Undefined when the commit is none of ours. */
export function readMessage(message: string): About | undefined {
  const line = message.split('\n').findLast((text) => text.startsWith(MARK))
  if (line === undefined) return undefined
  try {
    return about.parse(JSON.parse(line.slice(MARK.length)))
  } catch {
    return undefined
  }
}
