/** Which script an understudy plays: the file with its own id in the home, else the packaged one that its model names. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'

export interface Scripts {
  /** The path of its YAML file; undefined when there is none. */
  scriptOf: (agent: AgentRecord) => string | undefined
  /** The names of the packaged ones. */
  scripts: readonly string[]
}

const END = '.yaml'

export function findScripts(packaged: string, home: string): Scripts {
  const scripts = readdirSync(packaged)
    .filter((file) => file.endsWith(END))
    .map((file) => file.slice(0, -END.length))
    .toSorted()
  return {
    scripts,
    scriptOf: (agent) => {
      const own = ownScript(home, agent)
      if (existsSync(own)) return own
      return scripts.includes(agent.model) ? join(packaged, agent.model + END) : undefined
    },
  }
}

/** Where a person puts a script of his own. */
export function ownScript(home: string, { id }: AgentRecord): string {
  return join(home, 'understudies', id + END)
}
