/**
 * Who last wrote it. And since several shapes had the number 1: what the first of them said in other words is said in
 * those of the last, so that nothing of it is lost or unreadable.
 */
import type { DatabaseSync } from 'node:sqlite'
import { rewrite, type Body, type Format } from './format.ts'

export const format2: Format = {
  number: 2,
  bring: (db) => {
    db.exec('CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT')
    nameJudgedPokes(db)
    rewrite(db, 'state', (body) => withQuestions(withExperiment(body)))
  },
}

/** A poke was judged by an event of its own before other acts were, too. */
function nameJudgedPokes(db: DatabaseSync): void {
  const put = db.prepare("UPDATE events SET type = 'intervention.judged', body = ? WHERE seq = ?")
  const poke = db.prepare(`SELECT body ->> '$.act.decidedAt' AS at FROM events
    WHERE agent = ? AND seq < ? AND type = 'act.decided' AND body ->> '$.act.kind' = 'poke' ORDER BY seq DESC LIMIT 1`)
  const judged = db.prepare("SELECT seq, agent, body FROM events WHERE type = 'episode.poke-judged'").all()
  for (const { seq, agent, body } of judged) {
    const before = JSON.parse(String(body)) as Body
    const decidedAt = poke.get(agent ?? null, seq ?? null)?.['at'] ?? before['observedAt']
    put.run(JSON.stringify({ ...before, type: 'intervention.judged', act: 'poke', decidedAt }), Number(seq))
  }
}

/** A poke that waited for its judgement did so in its episode before other acts waited, too. */
function withExperiment(agent: Body): Body {
  const { judgeAt, ...episode } = (agent['episode'] ?? {}) as Body
  if (judgeAt === undefined) return agent
  const { pokes, lastPokeAt, openedAt } = episode
  const experiment = { act: 'poke', n: pokes, decidedAt: lastPokeAt ?? openedAt, judgeAt }
  return { ...agent, episode, experiments: [experiment] }
}

/** What an agent offered to choose from was a list of words before it was one for each of its questions. */
function withQuestions(agent: Body): Body {
  const evidence = Object.entries((agent['evidence'] ?? {}) as Readonly<Record<string, Body>>)
  const isOld = ([, { doing }]: (typeof evidence)[number]) => (doing as Body | undefined)?.['options'] !== undefined
  if (!evidence.some(isOld)) return agent
  const changed = evidence.map((entry) =>
    isOld(entry) ? [entry[0], { ...entry[1], doing: asked(entry[1]['doing'] as Body) }] : entry,
  )
  return { ...agent, evidence: Object.fromEntries(changed) as Body }
}

function asked({ options, ...doing }: Body): Body {
  const labels = (options as readonly string[]).map((label) => ({ label }))
  return { ...doing, questions: [{ question: doing['what'], options: labels }] }
}
