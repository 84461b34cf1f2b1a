/** Which prompt a hand-off needs: for a successor, for a specialist, for the one who has its work again, or after a clear. */
import type { HandoffContext } from '../../contract/handoff-context.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import { resumePrompt, returnPrompt, specialistPrompt, successorPrompt } from './prompt.ts'

export interface Written {
  handoff: Pick<Handoff, 'nonce' | 'reason' | 'to' | 'giver'>
  /** What the specialist said last, where it gives the work back. */
  words?: string | undefined
  /** What the agent wrote for itself, where it goes on in an empty context. */
  document?: { path: string; text: string; nonce: string } | undefined
}

export function writtenPrompt(context: HandoffContext, { handoff, words, document }: Written): string {
  const { nonce, reason, to, giver } = handoff
  if (document !== undefined) return resumePrompt(context, { nonce, reason, document })
  if (giver !== undefined) return returnPrompt(context, { nonce, reason, specialist: { name: giver, words } })
  const { specialist: name } = to
  if (name === undefined) return successorPrompt(context, { nonce, reason })
  const task = TASKS[name] ?? `Do what you are there for, as far as it is needed here: ${reason}`
  return specialistPrompt(context, { nonce, reason, specialist: { name, task, from: context.agentId } })
}

/** What the documents ask of each. */
const TASKS: Readonly<Record<string, string>> = {
  'test-agent':
    'Run the whole test suite. Find the cause of each failure. Fix what takes less than five minutes, and report the ' +
    'rest: which tests fail, why, and what you would do.',
  'review-agent':
    'Review what this branch changes: does it do what the issue asks for, is it right, is it safe? Change nothing. ' +
    'Report what must be mended and what could be, each with its file and line, and whether it is approved.',
  'merge-agent':
    'Look for conflicts with the target branch, and for what fails in CI. Resolve conflicts so that both sides keep ' +
    'their meaning, see that the tests pass, and report what you decided. Do not push.',
  'planning-agent':
    'Plan what remains: the steps in order, what each touches, what is risky, how it is tested. Write it where this ' +
    'project keeps its plans, change no code, and report the plan in a few sentences.',
}
