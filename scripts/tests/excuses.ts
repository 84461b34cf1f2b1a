/** tests/second-tries.json: tests that may for now need a second try. */
import { readFileSync } from 'node:fs'
import { WrongUsage } from './wrong-usage.ts'

export interface Excuse {
  /** Its file and full name, as ./test says them. */
  test: string
  reason: string
  /** The day, such as 2026-11-17. */
  since: string
}

export function readExcuses(file: string): readonly Excuse[] {
  const found = parsed(file)
  if (Array.isArray(found) && found.every(isExcuse)) return found
  throw new WrongUsage(`${file} must be a list of {"test", "reason", "since": "2026-11-17"}. Correct it, or write [].`)
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new WrongUsage(`${file} cannot be read: ${(error as Error).message}. Correct it, or write [].`)
  }
}

function isExcuse(given: unknown): given is Excuse {
  const { test, reason, since } = (given ?? {}) as Partial<Record<keyof Excuse, unknown>>
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  return isText(test) && isText(reason) && typeof since === 'string' && /^\d{4}-\d\d-\d\d$/.test(since)
}
