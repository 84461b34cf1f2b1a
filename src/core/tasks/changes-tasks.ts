/** Whether what an agent does may change its list of tasks: a hint to look at the list again, never a fact about it. */
import type { Activity } from '../../contract/evidence.ts'

const BD = /\bbd\s+(?:-\S+\s+)*(?:init|close|done|update|reopen|create|new|ready|dep|delete|claim|unclaim)\b/
const TOOLS: readonly (string | undefined)[] = ['TaskCreate', 'TaskUpdate', 'TodoWrite']
/** As the client's own hooks for its tasks are told. */
const TOLD = /^task(?: done)?(?::|$)/

export function changesTasks({ tool, action = '' }: Activity): boolean {
  return TOOLS.includes(tool) || (tool === undefined && TOLD.test(action)) || (tool !== undefined && BD.test(action))
}
