/** The first thing that is wrong with an input, as a sentence without its end. */
import type * as z from 'zod'

export function problemIn(what: string, { issues }: z.ZodError): string {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  return `The ${what} is not valid: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'unknown'}`.slice(0, 400)
}
