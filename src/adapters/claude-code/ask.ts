/** What Claude Code asks a person (a permission, a question), and the answer as its PermissionRequest hook prints it. */
import type { Question } from '../../contract/evidence.ts'
import { isPlace } from '../../core/answers.ts'
import { fieldsOf, listOf, oneLine, parseBody, textOf, type Fields } from './hook-body.ts'
import { actionOf, toolCallOf } from './tool-call.ts'

export interface Ask {
  kind: 'permission' | 'question'
  tool: string
  /** As it was asked; a question's answer goes back inside it. */
  input: Fields
  /** In one line, for people. */
  what: string
  /** All that is asked, as it was written; empty for a permission. */
  questions: readonly Question[]
}

const WHAT_LIMIT = 400
const REQUEST_LIMIT = 65_536
const OPTION_LIMIT = 200
const OPTIONS_LIMIT = 10
const QUESTIONS_LIMIT = 10

/** Undefined when the body is no request that could be read. */
export function parseAsk(body: string): Ask | undefined {
  const fields = parseBody(body)
  const call = fields === undefined ? undefined : toolCallOf(fields)
  if (call === undefined) return undefined
  const questions = call.tool === QUESTION_TOOL ? questionsOf(call.input) : []
  if (questions.length === 0) return { kind: 'permission', ...call, what: wordsOf(call), questions: [] }
  const what = oneLine(questions.map(({ question }) => question).join(' · '), WHAT_LIMIT)
  return { kind: 'question', ...call, what, questions: questions.slice(0, QUESTIONS_LIMIT).map(shown) }
}

/** The request as it is kept until it is answered: a permission needs no input for that, and inputs can be large. */
export function requestOf({ kind, tool, input }: Ask): string | undefined {
  const request = JSON.stringify({ tool_name: tool, tool_input: kind === 'question' ? input : {} })
  return request.length > REQUEST_LIMIT ? undefined : request
}

/** Nothing is decided on a request that cannot be read: the client's own dialog stays. */
export function answerRequest(request: string, answer: string): string {
  const ask = parseAsk(request)
  return ask === undefined ? '{}' : answerFor(ask, answer)
}

/**
 * What the ask hook prints so that the client goes on. A permission is given only for a plain yes; any other text
 * denies and is passed on as the reason. Questions are answered line by line, by number, label or free text.
 */
export function answerFor({ tool, input }: Pick<Ask, 'tool' | 'input'>, answer: string): string {
  const questions = tool === QUESTION_TOOL ? questionsOf(input) : []
  const decision = questions.length === 0 ? permit(answer, tool, input) : reply(questions, input, answer)
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
}

const QUESTION_TOOL = 'AskUserQuestion'
const PLAN_TOOL = 'ExitPlanMode'

interface Asked {
  question: string
  options: readonly Question['options'][number][]
  several: boolean
}

function questionsOf(input: Fields): readonly Asked[] {
  return listOf(input['questions']).flatMap((each) => {
    const fields = fieldsOf(each)
    const question = textOf(fields['question'])
    if (question === undefined) return []
    return [{ question, options: listOf(fields['options']).flatMap(optionOf), several: fields['multiSelect'] === true }]
  })
}

function optionOf(value: unknown): Asked['options'] {
  const fields = fieldsOf(value)
  const label = textOf(fields['label']) ?? textOf(value)
  if (label === undefined) return []
  const about = textOf(fields['description'])
  const isMore = about !== undefined && about !== label
  return [{ label: oneLine(label, OPTION_LIMIT), ...(isMore ? { about: oneLine(about, WHAT_LIMIT) } : {}) }]
}

function shown({ question, options, several }: Asked): Question {
  return {
    question: oneLine(question, WHAT_LIMIT),
    options: options.slice(0, OPTIONS_LIMIT),
    ...(several ? { several } : {}),
  }
}

function wordsOf(call: { tool: string; input: Fields }): string {
  if (call.tool === PLAN_TOOL) {
    const plan = textOf(call.input['plan'])
    return oneLine(`its plan is ready; may it begin?${plan === undefined ? '' : ` ${plan}`}`, WHAT_LIMIT)
  }
  const command = textOf(call.input['command'])
  return oneLine(command === undefined ? actionOf(call) : `${call.tool}: ${command}`, WHAT_LIMIT)
}

/** The client takes a yes to a plan only together with an input; else its own dialog stays. */
function permit(answer: string, tool: string, input: Fields): object {
  const said = answer.trim()
  if (/^(y|yes|allow|ok|approve|1)$/i.test(said)) {
    return { behavior: 'allow', ...(tool === PLAN_TOOL ? { updatedInput: input } : {}) }
  }
  const reason = said.replace(/^(n|no|deny|reject|2)(\s*:\s*|$)/i, '')
  return { behavior: 'deny', message: reason === '' ? 'The user said no.' : `The user said no: ${reason}` }
}

function reply(questions: readonly Asked[], input: Fields, answer: string): object {
  const lines = questions.length === 1 ? [answer.trim()] : answer.trim().split('\n')
  const answers = questions.map((question, index) => {
    const line = lines[index] ?? lines.at(-1) ?? ''
    return [question.question, choice(question, line.trim())]
  })
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(answers) } }
}

function choice({ options, several }: Asked, said: string): string {
  const labels = options.map(({ label }) => label)
  const parts = several ? said.split(',').map((part) => part.trim()) : [said]
  const chosen = parts.map((part) => {
    const byText = labels.find((label) => label.toLowerCase() === part.toLowerCase())
    return byText ?? (isPlace(part, labels) ? labels[Number(part) - 1] : undefined) ?? part
  })
  return chosen.join(', ')
}
