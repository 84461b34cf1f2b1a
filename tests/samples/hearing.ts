/** What a core believes of one agent, told by hook reports alone; the daemon may go and come back at any moment. */
import { claudeDialect } from '../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../src/adapters/test-runners/recognise-test-run.ts'
import type { Doing } from '../../src/contract/evidence.ts'
import type { CallBounds } from '../../src/contract/open-work.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import { currentDoing } from '../../src/core/health/judge.ts'
import type { RawReport } from '../../src/core/ports.ts'
import { step } from '../../src/core/step.ts'
import { createWorld, type World } from '../../src/core/world.ts'
import { agentRecord, SETTINGS } from './agents.ts'

const ID = 'agent-1'

export class Hearing {
  world: World
  #inputs = 0
  readonly #zone: string

  constructor(given: Partial<AgentRecord> & { bounds?: CallBounds } = {}, zone = 'UTC') {
    this.#zone = zone
    this.world = createWorld(SETTINGS, { agents: [agentRecord({ id: ID, run: 'r1', ...given })] })
  }

  get agent(): AgentRecord {
    return this.world.agents.get(ID) ?? never()
  }

  /** What it does after the report, read by an adapter that never read another. */
  hear(report: RawReport): Doing | undefined {
    const said = claudeDialect(recogniseTestRun, this.#zone).read(report, this.agent.bounds)
    if (said !== undefined) {
      this.#inputs += 1
      const sighting = { ageMs: 0, ...said, agent: ID, generation: this.agent.generation }
      const { wallAt } = report
      step(this.world, { id: `i${this.#inputs}`, type: 'report', sighting, wallAt, monoAt: this.#inputs * 10 })
    }
    return currentDoing(this.agent)?.doing
  }

  /** What is left of it is what is stored. */
  restart(): void {
    const { house, agents } = this.world
    const stored = JSON.parse(JSON.stringify([...agents.values()])) as AgentRecord[]
    this.world = createWorld(SETTINGS, { house, agents: stored })
  }
}

function never(): never {
  throw new Error('the agent is there')
}
