/** An agent's work in words for people, without secrets, asked of git when somebody wants to see it. */
import type { AgentRecord } from '../contract/records.ts'
import type { GitView, SalvagesView, SalvageView } from '../contract/work-views.ts'
import type { Git, Salvage } from '../core/git-port.ts'
import { isoTime } from '../core/iso-time.ts'
import { redact } from '../core/redact.ts'

export async function gitView(
  git: Pick<Git, 'describe' | 'salvages'>,
  { id, workspace }: AgentRecord,
): Promise<GitView> {
  const found = await git.describe(workspace)
  if (found === undefined) {
    return { agent: id, workspace, repository: false, dirty: [], dirtyTotal: 0, salvages: [] }
  }
  const { branch, head, upstream, dirty, dirtyTotal } = found
  return {
    agent: id,
    workspace,
    repository: true,
    ...(branch === undefined ? {} : { branch: redact(branch) }),
    ...(head === undefined ? {} : { head: headView(head) }),
    ...(upstream === undefined ? {} : { upstream: { ...upstream, name: redact(upstream.name) } }),
    dirty: dirty.map((file) => ({ ...file, path: redact(file.path) })),
    dirtyTotal,
    salvages: (await git.salvages(id, workspace)).map(salvageView),
  }
}

export async function salvagesView(git: Pick<Git, 'salvages'>, { id, workspace }: AgentRecord): Promise<SalvagesView> {
  return { agent: id, workspace, salvages: (await git.salvages(id, workspace)).map(salvageView) }
}

function headView({ hash, subject, committedWallAt }: { hash: string; subject: string; committedWallAt: number }) {
  return { hash, subject: redact(subject), committedAt: isoTime(committedWallAt) }
}

function salvageView({ ref, commit, generation, savedWallAt, files, branch, notes }: Salvage): SalvageView {
  return {
    ref,
    name: ref.slice(ref.lastIndexOf('/') + 1),
    commit,
    generation,
    savedAt: isoTime(savedWallAt),
    files,
    ...(branch === undefined ? {} : { branch: redact(branch) }),
    notes: notes.map(redact),
  }
}
