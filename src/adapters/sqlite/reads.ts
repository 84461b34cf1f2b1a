/** The questions that are asked of the journal's tables, by the daemon and, with none running, by a reader. */
import type { DatabaseSync } from 'node:sqlite'
import { effect, type Effect } from '../../contract/effects.ts'
import { event, type Event } from '../../contract/events.ts'
import { agentRecord } from '../../contract/records.ts'
import { houseRecord } from '../../contract/house-record.ts'
import type { EventQuery, Recovered } from '../../core/ports.ts'
import { AGENT_PREFIX, HOUSE_KEY, parseRow, parseWhole } from './rows.ts'

export function prepareReads(db: DatabaseSync) {
  const house = db.prepare('SELECT body FROM state WHERE key = ?')
  const agents = db.prepare(`SELECT key, body FROM state WHERE key GLOB '${AGENT_PREFIX}*' ORDER BY key`)
  const events = db.prepare('SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
  const eventsOf = db.prepare('SELECT seq, body FROM events WHERE agent = ? AND seq > ? ORDER BY seq LIMIT ?')
  const open = db.prepare('SELECT effect, body FROM outbox WHERE outcome IS NULL ORDER BY n')
  return {
    state(): Pick<Recovered, 'house' | 'agents'> {
      const body = house.get(HOUSE_KEY)?.['body']
      return {
        house: body === undefined ? undefined : parseWhole(houseRecord, `state "${HOUSE_KEY}"`, String(body)),
        agents: agents
          .all()
          .map((row) => parseWhole(agentRecord, `state "${String(row['key'])}"`, String(row['body']))),
      }
    },
    openEffects(): readonly Effect[] {
      return open.all().map(({ effect: id, body }) => parseWhole(effect, `outbox "${String(id)}"`, String(body)))
    },
    events({ afterSeq, limit, agent }: EventQuery): readonly Event[] {
      const rows = agent === undefined ? events.all(afterSeq, limit) : eventsOf.all(agent, afterSeq, limit)
      return rows.map(({ seq, body }) => parseRow(event, `events ${String(seq)}`, String(body)))
    },
  }
}

/** Throws when something that the daemon goes on from cannot be read. */
export function mustFit(db: DatabaseSync): void {
  const reads = prepareReads(db)
  reads.state()
  reads.openEffects()
}
