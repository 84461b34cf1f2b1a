/**
 * Reads what the ribbons of a stretch of time are drawn from. Rows were checked when they were written and there may
 * be tens of thousands of them, so that here they are only parsed.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Event } from '../../contract/events.ts'
import type { HouseRecord } from '../../contract/house-record.ts'
import type { RibbonsView } from '../../contract/ribbon.ts'
import type { RibbonQuery } from '../../core/ports.ts'
import { drawRibbons, RIBBON_TYPES, STATE_TYPES, type RibbonStart } from '../../core/ribbon.ts'
import { AGENT_PREFIX, HOUSE_KEY } from './rows.ts'

export class RibbonRows {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#statements = prepare(db)
  }

  draw({ from, to, agent }: RibbonQuery, lastSeq: number): RibbonsView {
    const firstSeq = this.#firstSince(from, lastSeq)
    const { within, withinOf, house } = this.#statements
    const rows = agent === undefined ? within.all(firstSeq) : withinOf.all(firstSeq, agent)
    const state = house.get(HOUSE_KEY)?.['body']
    return drawRibbons({
      from,
      to,
      seq: lastSeq,
      agents: this.#ids(agent).map((id) => this.#start(id, firstSeq)),
      monitoring: state === undefined ? 'running' : (JSON.parse(String(state)) as HouseRecord).monitoring,
      events: rows.map(eventOf),
    })
  }

  /** Halving is enough, since the wall clock hardly ever goes back; where it did, the drawing copes. */
  #firstSince(at: number, lastSeq: number): number {
    let low = 1
    let high = lastSeq + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (Number(this.#statements.at.get(middle)?.['at'] ?? Infinity) < at) low = middle + 1
      else high = middle
    }
    return low
  }

  #ids(agent: string | undefined): readonly string[] {
    const ids = this.#statements.ids.all().map(({ key }) => String(key).slice(AGENT_PREFIX.length))
    return agent === undefined ? ids : ids.filter((id) => id === agent)
  }

  #start(agent: string, firstSeq: number): RibbonStart {
    const row = this.#statements.before.get(agent, firstSeq)
    if (row !== undefined) return { agent, before: eventOf(row), known: true }
    return { agent, before: undefined, known: this.#statements.known.get(agent, firstSeq) !== undefined }
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string): StatementSync => db.prepare(text)
  const types = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
  return {
    at: sql('SELECT at FROM events WHERE seq = ?'),
    within: sql(`SELECT body FROM events WHERE seq >= ? AND type IN (${types(RIBBON_TYPES)}) ORDER BY seq`),
    withinOf: sql(`SELECT seq, body FROM events WHERE seq >= ?1 AND agent = ?2 AND type IN (${types(RIBBON_TYPES)})
      UNION ALL SELECT seq, body FROM events WHERE seq >= ?1 AND agent IS NULL AND type IN (${types(RIBBON_TYPES)})
      ORDER BY seq`),
    before: sql(`SELECT body FROM events WHERE agent = ? AND seq < ? AND type IN (${types(STATE_TYPES)})
      ORDER BY seq DESC LIMIT 1`),
    known: sql('SELECT 1 FROM events WHERE agent = ? AND seq < ? LIMIT 1'),
    ids: sql(`SELECT key FROM state WHERE key GLOB '${AGENT_PREFIX}*' ORDER BY key`),
    house: sql('SELECT body FROM state WHERE key = ?'),
  }
}

function eventOf(row: Record<string, unknown>): Event {
  return JSON.parse(String(row['body'])) as Event
}
