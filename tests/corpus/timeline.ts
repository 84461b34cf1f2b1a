/**
 * A session of the corpus: what happened, in order, and, apart from it, what was true. The player and the judge are
 * given the session only; the labels meet the verdicts in score.ts. Instants are milliseconds of the agents' own time.
 */
import type { CallBounds, Seen as OwnFiles } from '../../src/contract/open-work.ts'
import type { Doing } from '../../src/contract/evidence.ts'
import type { CauseKind } from '../../src/contract/verdict.ts'

/** What the witnesses from outside would see from now on. */
export interface Seen {
  /** Its children use CPU. */
  busy?: boolean
  /** Its screen changes all the time, as a spinner does. */
  ticking?: boolean
  /** Something was drawn once. */
  drawn?: true
  alive?: false
  exitCode?: number
  lost?: true
  /** What git shows of it, by name. */
  git?: string
  /** What the client's own registry says against its hooks. */
  registry?: Doing
  /** What the client keeps of itself; its instants are those of the session. */
  own?: OwnFiles
}

export type Item = { at: number } & (
  | { agent: number; hook: string; body: object }
  | { agent: number; see: Seen }
  /** The wall clock jumps: the machine slept, or somebody set it. */
  | { house: 'jump'; ms: number }
  /** The daemon stands still, or is down and started again after it. */
  | { house: 'stall' | 'down'; ms: number }
  | { house: 'blind' | 'sighted' }
)

export interface Session {
  name: string
  agents: number
  lengthMs: number
  /** Its program says that it took what was typed to it. */
  hears: boolean
  /** How long its program lets its calls run; left out, as where nothing is set. */
  bounds?: CallBounds
  items: readonly Item[]
}

/** `idle` is not judged; `outage` has a common cause, which makes every verdict right and every act wrong. */
export type Truth = CauseKind | 'idle' | 'outage'
export type Trouble = 'hang' | 'loop' | 'death' | 'blocked'

export interface Label {
  agent: number
  fromAt: number
  toAt: number
  truth: Truth
  /** Real trouble, which must be found; all else must not be called stuck, hung or looping. */
  trouble?: Trouble
  /** Of a loop, where every report of its agent arrived: when each of its steps was over. */
  steps?: readonly number[]
}

/** What came of what we said to it: nothing but words, or work that it had not done before. */
export type After = 'words' | 'work'

export interface Labelled {
  session: Session
  labels: readonly Label[]
  after?: After
}
