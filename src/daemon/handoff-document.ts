/**
 * Looks at a hand-off document as it lies in the workspace now. Its stamp says whether it still changes: one that is whole
 * and has the same stamp in two looks is finished.
 */
import { createHash } from 'node:crypto'
import type { Git, OwnRepository } from '../core/git-port.ts'
import { checkDocument, DOCUMENT_LIMIT, filesNamedIn, type Checked } from '../core/handoffs/check-document.ts'
import type { WorkspaceFiles } from './workspace-file.ts'

export interface DocumentPorts {
  files: WorkspaceFiles
  exists: (workspace: string, name: string) => Promise<boolean | undefined>
  git: Pick<Git, 'describe'>
}

export interface DocumentPlace {
  workspace: string
  own?: OwnRepository | undefined
  /** Within the workspace. */
  path: string
  nonce: string
}

export type DocumentSeen = (Checked & { text: string; stamp: string }) | { why: string }

export async function seeDocument(
  { workspace, own, path, nonce }: DocumentPlace,
  { files, exists, git }: DocumentPorts,
): Promise<DocumentSeen> {
  // One character more, so that what is too long is seen to be so.
  const read = await files(workspace, path, DOCUMENT_LIMIT + 1)
  if (typeof read === 'string') return { why: read }
  const { text } = read
  const names = filesNamedIn(text)
  const [there, repository] = await Promise.all([
    Promise.all(names.map(async (name) => [name, await exists(workspace, name)] as const)),
    // A repository that cannot be asked contradicts nobody.
    git.describe(workspace, own).catch(() => undefined),
  ])
  const known = new Map(there)
  const checked = checkDocument(text, {
    nonce,
    exists: (name) => known.get(name),
    ...(repository === undefined
      ? {}
      : {
          git: {
            branch: repository.branch,
            head: repository.head?.hash,
            uncommitted: repository.dirty.map((file) => file.path),
          },
        }),
  })
  return { ...checked, text, stamp: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
}
