/**
 * What is known of an agent's work, written down for the one who takes over: handoffs/<id>/ of the home, for its owner
 * alone. As often as one likes; only the prompt whose digest is known is given to anybody.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Outcome } from '../contract/effects.ts'
import { CONTEXT_PARTS } from '../contract/handoff-context.ts'
import type { Cycle } from '../contract/context-cycle.ts'
import type { Handoff } from '../contract/handoffs.ts'
import type { AgentRecord } from '../contract/records.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { DOCUMENT_LIMIT } from '../core/handoffs/check-document.ts'
import { documentReport } from '../core/handoffs/document-report.ts'
import { writtenPrompt } from '../core/handoffs/written-prompt.ts'
import { ownOf } from '../core/own-repository.ts'
import type { Clock, Handoffs } from '../core/ports.ts'
import { redactTo } from '../core/redact.ts'
import { captureHandoff, lastWordsOf, type CapturePorts } from './handoff-capture.ts'
import { seeDocument, type DocumentSeen } from './handoff-document.ts'
import { DISK, leaveFile, type Disk } from './leave-file.ts'
import { readOwn } from './secret-file.ts'
import { isInWorkspace } from './workspace-file.ts'

export class FileHandoffs implements Handoffs {
  readonly #folder: string
  readonly #ports: CapturePorts
  readonly #clock: Clock
  readonly #disk: Disk

  constructor(home: string, ports: CapturePorts, { clock, disk = DISK }: { clock: Clock; disk?: Disk }) {
    this.#folder = join(home, 'handoffs')
    this.#ports = ports
    this.#clock = clock
    this.#disk = disk
  }

  async writeDown(agent: AgentRecord, handoff: Handoff, giver?: AgentRecord): Promise<Outcome> {
    const { cycle } = handoff
    const { handoffs = [] } = agent
    const handoffCount = handoffs.filter(({ state }) => state === 'done').length
    const seen = cycle === undefined ? undefined : await this.#document(agent, cycle)
    if (seen !== undefined && 'why' in seen) return { result: 'not_done', detail: seen.why }
    const context = await captureHandoff(agent, this.#ports, {
      ...{ wallAt: this.#clock.now().wallAt, handoffCount },
      ...(cycle === undefined ? {} : { document: cycle.document }),
    })
    const words = giver === undefined ? undefined : await lastWordsOf(giver, this.#ports)
    const document = cycle === undefined ? undefined : documentOf(cycle, seen?.text ?? '')
    const prompt = writtenPrompt(context, { handoff, words, document })
    const folder = join(this.#folder, handoff.id)
    await this.#disk.mkdir(folder, { recursive: true, mode: 0o700 })
    await leaveFile(join(folder, 'context.json'), `${JSON.stringify(context, undefined, 2)}\n`, this.#disk)
    await leaveFile(join(folder, 'prompt.md'), prompt, this.#disk)
    const missing = new Set(context.missing.map(({ part }) => part))
    return {
      result: 'done',
      captured: {
        digest: digestOf(prompt),
        bytes: Buffer.byteLength(prompt),
        heard: fingerprint(prompt),
        parts: CONTEXT_PARTS.filter((part) => !missing.has(part)),
      },
    }
  }

  async seeDocument(agent: AgentRecord, { cycle }: Handoff): Promise<Outcome> {
    if (cycle === undefined) return { result: 'not_done', detail: 'it is no context cycle' }
    return { result: 'done', document: documentReport(await this.#document(agent, cycle)) }
  }

  #document(agent: AgentRecord, { document: path, nonce }: Cycle): Promise<DocumentSeen> {
    const { files, git } = this.#ports
    return seeDocument(
      { workspace: agent.workspace, own: ownOf(agent), path, nonce },
      { files, git, exists: isInWorkspace },
    )
  }

  /** What was captured, if nobody changed it since. */
  async prompt({ id, captured }: Pick<Handoff, 'id' | 'captured'>): Promise<string | undefined> {
    const text = readOwn(join(this.#folder, id, 'prompt.md'))
    return text !== undefined && digestOf(text) === captured?.digest ? text : undefined
  }
}

/** Secrets are nobody's next step. */
function documentOf({ document: path, nonce }: Cycle, text: string) {
  return { path, nonce, text: redactTo(text, DOCUMENT_LIMIT) }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
