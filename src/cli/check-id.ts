/** An id as it was typed, before anything is asked with it. */
import { ID_HINT, ID_PATTERN, notAnId } from '../contract/id-pattern.ts'
import { Failure } from './failure.ts'

/** Undefined when it can be one, or none was typed. */
export function idProblem(given: string | undefined): Failure | undefined {
  if (given === undefined || ID_PATTERN.test(given)) return undefined
  return new Failure({ code: 'invalid', sentence: notAnId(given), hint: `Use ${ID_HINT}.` })
}
