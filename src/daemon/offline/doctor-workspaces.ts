/** The workspaces of the agents that run or sleep: whether each is there, and in the repository that it was started in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod'
import { isGone, unusableOwn } from '../../adapters/git/own.ts'
import { stateFile } from '../../contract/published-files.ts'
import { fail, warn, well, type Check, type Patient } from './doctor-check.ts'

const WHAT = 'worktree'

/** Another version may have written more of it, or less. */
const known = stateFile.pick({ id: true, workspace: true, repository: true, place: true, lifecycle: true })
type Known = z.infer<typeof known>

export async function workspaces({ home }: Patient): Promise<Check> {
  const agents = published(join(home, 'agents')).filter(({ lifecycle }) => HAVE_WORK.includes(lifecycle))
  const gone: Known[] = []
  const unusable: { id: string; why: string }[] = []
  for (const agent of agents) {
    const { id, workspace, repository: own, place } = agent
    const found = await unusableOwn({ workspace, own, place })
    if (await isGone(place ?? workspace)) gone.push(agent)
    else if (found !== undefined) unusable.push({ id, why: found.why })
  }
  const [lost] = gone
  if (lost !== undefined) {
    const found = `${lost.workspace}, in which ${lost.id} works, is gone${more(gone.length)}`
    const fix = `Make it again and bring back what was saved with \`pan restore ${lost.id}\`, or end the agent: \`pan agents kill ${lost.id}\`.`
    return fail(WHAT, found, fix)
  }
  const [broken] = unusable
  if (broken !== undefined) {
    const fix = `Mend it, or start the agent elsewhere; until then its work is saved as plain files in ${join(home, 'salvage')}.`
    return warn(WHAT, `${broken.why} (${broken.id})${more(unusable.length)}`, fix)
  }
  return well(WHAT, agents.length === 0 ? 'no agent runs or sleeps' : `all ${agents.length} are there`)
}

/** Of one that was stopped, a person may have cleared it away. */
const HAVE_WORK: readonly Known['lifecycle'][] = ['active', 'idle', 'suspended']

function more(count: number): string {
  return count > 1 ? `, and ${count - 1} more` : ''
}

/** What cannot be read is no agent's. */
function published(folder: string): Known[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((id) => {
    try {
      return known.parse(JSON.parse(readFileSync(join(folder, id, 'state.json'), 'utf8')))
    } catch {
      return []
    }
  })
}
