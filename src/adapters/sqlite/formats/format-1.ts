/** Events, current state, the outbox, and the ids of inputs that count once. */
import type { Format } from './format.ts'

export const format1: Format = {
  number: 1,
  bring: (db) =>
    db.exec(
      `CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL NOT NULL, agent TEXT, type TEXT NOT NULL, body TEXT NOT NULL) STRICT;
       CREATE INDEX events_of_agent ON events (agent, seq) WHERE agent IS NOT NULL;
       CREATE TABLE state (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
       CREATE TABLE outbox (n INTEGER PRIMARY KEY, effect TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, body TEXT NOT NULL,
         outcome TEXT) STRICT;
       CREATE INDEX outbox_open ON outbox (n) WHERE outcome IS NULL;
       CREATE TABLE seen (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;`,
    ),
}
