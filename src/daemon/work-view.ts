/** An agent's work in words for people, without secrets, asked of git when somebody wants to see it. */
import type { AgentRecord } from '../contract/records.ts'
import type { GitView, SalvagesView, SalvageView } from '../contract/work-views.ts'
import type { Git, Salvage } from '../core/git-port.ts'
import { isoTime } from '../core/iso-time.ts'
import { ownOf } from '../core/own-repository.ts'
import { redact } from '../core/redact.ts'

export async function gitView(git: Pick<Git, 'describe' | 'salvages'>, agent: AgentRecord): Promise<GitView> {
  const { id, workspace } = agent
  const { salvages } = await salvagesView(git, agent)
  const found = await git.describe(workspace, ownOf(agent))
  if (found === undefined) return { agent: id, workspace, repository: false, dirty: [], dirtyTotal: 0, salvages }
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
    salvages,
  }
}

export async function salvagesView(git: Pick<Git, 'salvages'>, agent: AgentRecord): Promise<SalvagesView> {
  const { id, workspace } = agent
  return { agent: id, workspace, salvages: (await git.salvages(id, workspace, ownOf(agent))).map(salvageView) }
}

function headView({ hash, subject, committedWallAt }: { hash: string; subject: string; committedWallAt: number }) {
  return { hash, subject: redact(subject), committedAt: isoTime(committedWallAt) }
}

function salvageView({ ref, commit, generation, savedWallAt, files, branch, replaced, notes }: Salvage): SalvageView {
  return {
    ref,
    // Plain files are counted apart from refs, so that their whole name is needed.
    name: commit === undefined ? ref : ref.slice(ref.lastIndexOf('/') + 1),
    ...(commit === undefined ? {} : { commit }),
    generation,
    savedAt: isoTime(savedWallAt),
    files,
    ...(branch === undefined ? {} : { branch: redact(branch) }),
    ...(replaced === undefined ? {} : { replaced }),
    notes: notes.map(redact),
  }
}
