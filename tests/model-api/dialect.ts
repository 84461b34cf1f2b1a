/** One API's words: which requests are its own, what they say, and how a turn is answered. */
import type { ServerResponse } from 'node:http'
import type { Request, Turn } from './turn.ts'

export type Json = Record<string, unknown>

export interface ApiDialect {
  /** The path of its one request that asks the model. */
  path: string
  read(body: Json): Request
  answer(response: ServerResponse, turn: Turn, body: Json): void
  fail(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}
