/** The first thing that is wrong with an input, as a sentence without its end. */
import type * as z from 'zod'

export function problemIn(what: string, { issues }: z.ZodError): string {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  const wrong = issue === undefined ? 'unknown' : inWords(issue)
  return `The ${what} is not valid: ${path === '' ? '' : `${path}: `}${wrong}`.slice(0, 400)
}

function inWords(issue: z.core.$ZodIssue): string {
  const isText = (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'string'
  if (!isText) return issue.message
  if (issue.code === 'too_big') return `has more than ${issue.maximum} characters`
  return issue.minimum === 1 ? 'is empty' : `has fewer than ${issue.minimum} characters`
}
