/** A workspace that is gone, or whose repository cannot be used: somebody's to know until the stored one is back. */
import type { UnusableRepository } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import { keep, type Request } from './needs-you.ts'
import type { Turn } from './turn.ts'

/** It may be known to be gone, and what is in its place. */
export function keepWorkspace(turn: Turn, agent: AgentRecord, known?: { instead: string | undefined }): void {
  const { id, evidence } = agent
  const gone = known !== undefined || evidence.git?.missing === true
  const unusable = gone ? undefined : evidence.git?.unusable
  const words = unusable === undefined ? goneInWords(agent, known?.instead) : unusableInWords(agent, unusable)
  keep(turn, gone || unusable !== undefined, { kind: 'no_workspace', agent: id, ...words })
}

type Words = Pick<Request, 'sentence' | 'hint'>

/** What it had not committed there can only be what was saved before. */
function goneInWords({ id, workspace, salvages }: AgentRecord, instead = workspace): Words {
  const last = salvages.at(-1)
  const remedy =
    last === undefined
      ? 'Nothing that it had not committed was saved before. Make the workspace again,'
      : `The last that was saved of it is ${last}. Make it again and bring that back with \`pan restore ${id}\`,`
  return {
    sentence: `The workspace of ${id} is gone: ${instead}.`,
    hint: `${remedy} or end the agent with \`pan agents kill ${id}\`.`,
  }
}

function unusableInWords(agent: AgentRecord, { why, instead }: UnusableRepository): Words {
  const { id, repository } = agent
  if (repository === 'none') return movedInWords(id, why)
  const isLinked = repository !== undefined && repository.gitDir !== repository.commonDir
  const remedy = isLinked ? ` (\`git --git-dir=${repository.commonDir} worktree repair\`)` : ''
  const harm =
    instead === undefined
      ? 'It cannot commit.'
      : `What it commits may land in ${instead}, on the branch that is checked out there: look at the newest commits of that.`
  return {
    sentence: `The repository of ${id} cannot be used: ${why}.`,
    hint: `${harm} Mend it${remedy}, or end the agent with \`pan agents kill ${id}\`, which saves its files as they are.`,
  }
}

function movedInWords(id: string, why: string): Words {
  const moved = 'If you moved it yourself, start the agent again with its new folder.'
  return {
    sentence: `The workspace of ${id} is not its own any more: ${why}.`,
    hint: `Nothing of what lies there is saved. Put its folder back, or end the agent with \`pan agents kill ${id}\`. ${moved}`,
  }
}
