/** The questions that are asked of the journal's tables, by the daemon and, with none running, by a reader. */
import type { DatabaseSync } from 'node:sqlite'
import { event, type Event } from '../../contract/events.ts'
import { agentRecord, houseRecord } from '../../contract/records.ts'
import type { EventQuery, Recovered } from '../../core/ports.ts'
import { parseRow } from './rows.ts'

export const HOUSE_KEY = 'house'
export const AGENT_PREFIX = 'agent:'

export function prepareReads(db: DatabaseSync) {
  const house = db.prepare('SELECT body FROM state WHERE key = ?')
  const agents = db.prepare(`SELECT key, body FROM state WHERE key GLOB '${AGENT_PREFIX}*' ORDER BY key`)
  const events = db.prepare('SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
  const eventsOf = db.prepare('SELECT seq, body FROM events WHERE agent = ? AND seq > ? ORDER BY seq LIMIT ?')
  return {
    state(): Pick<Recovered, 'house' | 'agents'> {
      const body = house.get(HOUSE_KEY)?.['body']
      return {
        house: body === undefined ? undefined : parseRow(houseRecord, `state "${HOUSE_KEY}"`, String(body)),
        agents: agents.all().map((row) => parseRow(agentRecord, `state "${String(row['key'])}"`, String(row['body']))),
      }
    },
    events({ afterSeq, limit, agent }: EventQuery): readonly Event[] {
      const rows = agent === undefined ? events.all(afterSeq, limit) : eventsOf.all(agent, afterSeq, limit)
      return rows.map(({ seq, body }) => parseRow(event, `events ${String(seq)}`, String(body)))
    },
  }
}
