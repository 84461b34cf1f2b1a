/** An answer as a response. Nothing that the API says may be kept by anybody on the way. */
import type { Context } from 'hono'
import type { Answer } from './answer.ts'
import type { DoorEnv } from './door-env.ts'

export function send(context: Context<DoorEnv>, { status, body }: Answer): Response {
  return context.json(body, status, { 'cache-control': 'no-store' })
}
