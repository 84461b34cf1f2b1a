/** Hand-offs that exist only in memory: the same prompt, of nothing but what the record says. */
import type { Outcome } from '../../src/contract/effects.ts'
import type { Handoff } from '../../src/contract/handoffs.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import { fingerprint } from '../../src/core/fingerprint.ts'
import { checkDocument } from '../../src/core/handoffs/check-document.ts'
import { documentReport } from '../../src/core/handoffs/document-report.ts'
import { makeContext } from '../../src/core/handoffs/make-context.ts'
import { writtenPrompt } from '../../src/core/handoffs/written-prompt.ts'
import type { Handoffs } from '../../src/core/ports.ts'
import type { Faults } from './virtual-reports.ts'

const none = { why: 'nothing is simulated of it' }
const NOTHING = { stateFile: none, claudeMd: none, git: none, tasks: none, lastWords: none, use: none }

export class VirtualHandoffs implements Handoffs {
  readonly #faults: Pick<Faults, 'captureFails'>
  readonly #prompts = new Map<string, string>()
  /** What agents wrote, by its place. */
  readonly #documents: ReadonlyMap<string, string>

  constructor(faults: Pick<Faults, 'captureFails'>, documents: ReadonlyMap<string, string> = new Map()) {
    this.#faults = faults
    this.#documents = documents
  }

  async writeDown(agent: AgentRecord, handoff: Handoff): Promise<Outcome> {
    if (this.#faults.captureFails) throw new Error('no space left on device')
    const { startedWallAt: wallAt } = handoff
    const context = makeContext(agent, NOTHING, { wallAt, handoffCount: 0 })
    const prompt = writtenPrompt(context, { handoff, document: this.#documentOf(agent, handoff) })
    this.#prompts.set(handoff.id, prompt)
    const digest = fingerprint(prompt)
    return { result: 'done', captured: { digest, heard: digest, bytes: prompt.length, parts: [] } }
  }

  async seeDocument(agent: AgentRecord, handoff: Handoff): Promise<Outcome> {
    const { text, nonce } = this.#documentOf(agent, handoff) ?? {}
    if (text === undefined) return { result: 'done', document: documentReport({ why: 'there is no such file' }) }
    const checked = checkDocument(text, { nonce: nonce ?? '', exists: () => undefined })
    return { result: 'done', document: documentReport({ ...checked, stamp: fingerprint(text) }) }
  }

  #documentOf({ workspace }: AgentRecord, { cycle }: Handoff) {
    if (cycle === undefined) return undefined
    const text = this.#documents.get(`${workspace}/${cycle.document}`)
    return text === undefined ? undefined : { path: cycle.document, nonce: cycle.nonce, text }
  }

  async prompt({ id, captured }: Pick<Handoff, 'id' | 'captured'>): Promise<string | undefined> {
    const prompt = this.#prompts.get(id)
    return prompt !== undefined && fingerprint(prompt) === captured?.digest ? prompt : undefined
  }

  /** Nobody uses anything here: always the same. */
  async reckon(): Promise<Outcome> {
    const why = 'The same tokens at the other price.'
    return { result: 'done', savings: { usedUsd: 0.5, againstStaying: 1, againstOpus: 7, why } }
  }
}
