/** What was written down for a hand-off, as the one who takes over is given it: as its first prompt, or typed. */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Handoffs } from '../core/ports.ts'
import { noHandoffs } from './act-outcomes.ts'

type Paper = Extract<AgentEffect, { type: 'handoff.capture' | 'handoff.see-document' | 'handoff.reckon' }>

export class WrittenTexts {
  readonly #ports: { handoffs?: Handoffs }
  readonly #agents: ReadonlyMap<AgentId, AgentRecord>

  constructor(ports: { handoffs?: Handoffs }, agents: ReadonlyMap<AgentId, AgentRecord>) {
    this.#ports = ports
    this.#agents = agents
  }

  /** Undefined when it is not there any more. Hand-offs are rare, so that a walk over all agents is in order here. */
  async prompt(id: string): Promise<string | undefined> {
    const handoff = [...this.#agents.values()].find((each) => each.handoff?.id === id)?.handoff
    return handoff === undefined ? undefined : this.#ports.handoffs?.prompt(handoff)
  }

  /** What is typed: the text, or what was written for the hand-off that it names. Nothing where that is gone. */
  async typed({ handoff, text }: { handoff?: string | undefined; text?: string }): Promise<string | undefined> {
    return handoff === undefined ? text : this.prompt(handoff).catch(() => undefined)
  }

  /** What needs nothing but papers. */
  async see(agent: AgentRecord, { type, handoff: id }: Paper): Promise<Outcome> {
    const { handoffs } = this.#ports
    if (type === 'handoff.reckon') return handoffs?.reckon?.(agent, id) ?? noHandoffs
    const { handoff } = agent
    if (handoff?.id !== id) return { result: 'fenced', detail: 'the hand-off is over' }
    if (type === 'handoff.see-document') return handoffs?.seeDocument(agent, handoff) ?? noHandoffs
    return handoffs?.writeDown(agent, handoff, this.#agents.get(handoff.giver ?? '')) ?? noHandoffs
  }
}
