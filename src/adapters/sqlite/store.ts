/**
 * The journal's tables: one group of batches in, one transaction. Synchronous; runs in the worker.
 * Invariants: seq has no gap and no repeat; a row is written only if it can be read back; state is the newest
 * of its group, because nothing between two states of one transaction can ever be seen.
 */
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { effect } from '../../contract/effects.ts'
import { event, type Event } from '../../contract/events.ts'
import { agentRecord, type AgentRecord } from '../../contract/records.ts'
import { houseRecord } from '../../contract/house-record.ts'
import type { RibbonsView } from '../../contract/ribbon.ts'
import type { EventQuery, Recovered, RibbonQuery } from '../../core/ports.ts'
import { databasePath, journalError, openDatabase, whatToDo, type DatabaseOptions } from './database.ts'
import { reasonOf } from './reason.ts'
import { diskRemedy, isDamage } from './remedy.ts'
import { prepareReads } from './reads.ts'
import { RibbonRows } from './ribbon-rows.ts'
import { AGENT_PREFIX, HOUSE_KEY, parseRow, parseWhole, type Rows } from './rows.ts'
import { inTransaction } from './transaction.ts'

const SEEN_LIMIT = 100_000
/** Settled effects are kept this long for people who ask what happened; open ones always. */
const SETTLED_LIMIT = 1_000

interface Written {
  changed: readonly AgentRecord[]
  forgotten: readonly string[]
}

export class Store {
  readonly path: string
  #db: DatabaseSync
  #lastSeq: number
  #statements: ReturnType<typeof prepare>
  #ribbonRows: RibbonRows
  #reads: ReturnType<typeof prepareReads>

  constructor(options: DatabaseOptions) {
    this.path = databasePath(options.home)
    this.#db = openDatabase(options)
    try {
      this.#statements = prepare(this.#db)
      this.#ribbonRows = new RibbonRows(this.#db)
      this.#reads = prepareReads(this.#db)
      this.#lastSeq = Number(this.#statements.lastSeq.get()?.['seq'] ?? 0)
    } catch (error) {
      this.#db.close()
      throw journalError('open', this.path, error)
    }
  }

  /** Makes all of the group durable, or none. */
  write(group: readonly Rows[]): Written {
    try {
      return this.#transaction(group)
    } catch (error) {
      throw new Error(
        `Could not write to the journal ${this.path}: ${reasonOf(error)}. Everything up to event ${this.#lastSeq} ` +
          `is kept; what came after was not confirmed. ${remedy(error, this.path)}`,
        { cause: error },
      )
    }
  }

  recover(): Recovered {
    return this.#reading(() => ({
      ...this.#reads.state(),
      openEffects: this.#reads.openEffects(),
      seen: this.#statements.seen.all().map(({ id }) => String(id)),
    }))
  }

  events(query: EventQuery): readonly Event[] {
    return this.#reading(() => this.#reads.events(query))
  }

  ribbons(query: RibbonQuery): RibbonsView {
    return this.#reading(() => this.#ribbonRows.draw(query, this.#lastSeq))
  }

  /** The last connection to close empties and removes the write-ahead log: the mark of a clean shutdown. */
  close(): void {
    this.#db.close()
  }

  #transaction(group: readonly Rows[]): Written {
    const { house, agents, forgotten } = newestState(group)
    this.#lastSeq = inTransaction(this.#db, () => {
      let seq = this.#lastSeq
      for (const rows of group) seq = this.#append(rows, seq)
      if (house !== undefined) this.#statements.putState.run(HOUSE_KEY, seq, house)
      for (const [id, { body }] of agents) this.#statements.putState.run(AGENT_PREFIX + id, seq, body)
      for (const id of forgotten) this.#statements.dropState.run(AGENT_PREFIX + id)
      this.#statements.pruneOutbox.run(SETTLED_LIMIT)
      this.#statements.pruneSeen.run(SEEN_LIMIT)
      return seq
    })
    return { changed: [...agents.values()].map(({ record }) => record), forgotten: [...forgotten] }
  }

  #append(rows: Rows, lastSeq: number): number {
    let expected = lastSeq
    for (const { seq, at, agent, type, body } of rows.events) {
      expected += 1
      if (seq !== expected) throw new Error(`event ${seq} came where event ${expected} was due`)
      parseRow(event, `events ${seq}`, body)
      this.#statements.putEvent.run(seq, at, agent, type, body)
    }
    for (const { id, body } of rows.effects) {
      parseWhole(effect, `outbox "${id}"`, body)
      this.#statements.putEffect.run(id, expected, body)
    }
    for (const settled of rows.settled) this.#statements.settle.run(settled.outcome, settled.effect)
    for (const id of rows.seen) this.#statements.putSeen.run(id)
    return expected
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw journalError('read', this.path, error)
    }
  }
}

/** What the group comes to: the newest record of each agent, and who is forgotten at its end. */
function newestState(group: readonly Rows[]) {
  const bodies = new Map<string, string>()
  const forgotten = new Set<string>()
  for (const rows of group) {
    for (const { id, body } of rows.agents) {
      bodies.set(id, body)
      forgotten.delete(id)
    }
    for (const id of rows.forgotten) {
      bodies.delete(id)
      forgotten.add(id)
    }
  }
  const house = group.at(-1)?.house
  if (house !== undefined) parseWhole(houseRecord, `state "${HOUSE_KEY}"`, house)
  const agents = new Map(
    [...bodies].map(([id, body]) => {
      return [id, { body, record: parseWhole(agentRecord, `state "${AGENT_PREFIX}${id}"`, body) }] as const
    }),
  )
  return { house, agents, forgotten }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string): StatementSync => db.prepare(text)
  return {
    lastSeq: sql('SELECT max(seq) AS seq FROM events'),
    putEvent: sql('INSERT INTO events (seq, at, agent, type, body) VALUES (?, ?, ?, ?, ?)'),
    putEffect: sql('INSERT INTO outbox (effect, seq, body) VALUES (?, ?, ?)'),
    settle: sql('UPDATE outbox SET outcome = ? WHERE effect = ? AND outcome IS NULL'),
    putSeen: sql('INSERT OR IGNORE INTO seen (id) VALUES (?)'),
    putState: sql(`INSERT INTO state (key, seq, body) VALUES (?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET seq = excluded.seq, body = excluded.body`),
    dropState: sql('DELETE FROM state WHERE key = ?'),
    pruneOutbox: sql('DELETE FROM outbox WHERE outcome IS NOT NULL AND n <= (SELECT max(n) FROM outbox) - ?'),
    pruneSeen: sql('DELETE FROM seen WHERE n <= (SELECT max(n) FROM seen) - ?'),
    seen: sql('SELECT id FROM seen ORDER BY n'),
  }
}

function remedy(error: unknown, path: string): string {
  if (isDamage(error)) return whatToDo(path)
  return diskRemedy(error, dirname(path)) ?? 'Start the daemon again; if it repeats, please report it.'
}
