/** What we type to agents. Each costs the user tokens, so each is short and asks for one thing. */
import type { AgentRecord } from '../contract/records.ts'
import { duration } from './durations.ts'
import { causeInWords } from './health/words.ts'
import type { Judgement } from './health/judge.ts'

/** Names what was seen and asks for one next step. */
export function pokeText(agent: AgentRecord, judgement: Judgement): string {
  const seen =
    judgement.cause.kind === 'looping'
      ? `you seem to repeat yourself (${causeInWords(judgement.cause)})`
      : `there has been no sign of work for ${duration(judgement.silentMs)}`
  return (
    `Cloister watchdog: ${seen}. ` +
    'If you are blocked, say on what in one sentence. Otherwise name the next single step and do it now.'
  )
}

export function plainPokeText(): string {
  return 'Cloister: a person asks how it is going. Say in one sentence what you are doing, then go on with the next step.'
}
