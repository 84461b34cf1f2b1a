/** What the first shapes of format 1 said in words of their own is said in those of the last. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { format1 } from './format-1.ts'
import { format2 } from './format-2.ts'

function brought(fill: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  format1.bring(db)
  fill(db)
  format2.bring(db)
  return db
}

test('a poke that was judged is an intervention that was', () => {
  const at = { at: 1, generation: 1, agent: 'a' }
  const events = [
    { ...at, seq: 1, observedAt: 10, type: 'act.decided', act: { kind: 'poke', decidedAt: 10 } },
    { ...at, seq: 2, observedAt: 20, type: 'act.decided', act: { kind: 'message', decidedAt: 20 } },
    { ...at, seq: 3, observedAt: 30, type: 'episode.poke-judged', n: 1, result: 'recovered' },
    { ...at, seq: 4, observedAt: 40, type: 'episode.poke-judged', n: 2, result: 'unknown', agent: 'b' },
  ]
  const db = brought((made) => {
    const put = made.prepare('INSERT INTO events (seq, at, agent, type, body) VALUES (?, ?, ?, ?, ?)')
    for (const each of events) put.run(each.seq, each.at, each.agent, each.type, JSON.stringify(each))
  })
  const rows = db.prepare('SELECT type, body FROM events WHERE seq > 2').all()
  const judged = { ...at, type: 'intervention.judged', act: 'poke' }
  expect(rows.map(({ type, body }) => [type, JSON.parse(String(body))])).toEqual([
    ['intervention.judged', { ...judged, seq: 3, observedAt: 30, n: 1, result: 'recovered', decidedAt: 10 }],
    ['intervention.judged', { ...judged, seq: 4, observedAt: 40, n: 2, result: 'unknown', agent: 'b', decidedAt: 40 }],
  ])
})

const EPISODE = { openedAt: 5, pokes: 2, exhausted: false }
const ASKED = { kind: 'question', what: 'Which one?' }

test.each<[string, object, object]>([
  [
    'of a poke that was not judged yet',
    { episode: { ...EPISODE, lastPokeAt: 7, judgeAt: 9 } },
    {
      episode: { ...EPISODE, lastPokeAt: 7 },
      experiments: [{ act: 'poke', n: 2, decidedAt: 7, judgeAt: 9 }],
    },
  ],
  [
    'of a question with choices',
    { evidence: { hook: { doing: { ...ASKED, options: ['A', 'B'] } }, git: { seenAt: 1 } } },
    {
      evidence: {
        hook: {
          doing: { ...ASKED, questions: [{ question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] },
        },
        git: { seenAt: 1 },
      },
    },
  ],
  [
    'of neither',
    { episode: EPISODE, evidence: { hook: { doing: ASKED } } },
    { episode: EPISODE, evidence: { hook: { doing: ASKED } } },
  ],
])('state %s', (_, before, after) => {
  const db = brought((made) => {
    made.prepare("INSERT INTO state (key, seq, body) VALUES ('agent:a', 1, ?)").run(JSON.stringify(before))
  })
  expect(JSON.parse(String(db.prepare('SELECT body FROM state').get()?.['body']))).toEqual(after)
})
