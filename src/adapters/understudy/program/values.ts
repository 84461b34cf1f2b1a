/** The values that stand in a script, each read with a reason when it cannot be. */

export interface Call {
  tool: string
  input: Readonly<Record<string, unknown>>
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `500ms`, `30s`, `5m`, `2h`; a bare number is seconds. */
export function toDuration(value: unknown, where: string): number {
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(value)) ?? []
  if (amount === '') throw new Error(`${where}: «${String(value)}» is no duration; write 500ms, 30s, 5m or 2h`)
  return Number(amount) * (UNITS[unit] ?? 1000)
}

export function toText(value: unknown, where: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value === 'number') return String(value)
  throw new Error(`${where} needs a text`)
}

export function toWhole(value: unknown, where: string, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new Error(`${where} needs a whole number from 0 to ${most}`)
}

/** `forever`, or how often. */
export function toTimes(value: unknown, where: string): number {
  return value === 'forever' ? Infinity : toWhole(value, where, 100_000)
}

export function toShare(value: unknown, where: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw new Error(`${where} needs a share between 0 and 1`)
}

/** A command for Bash, or a tool's name with its input. */
export function toCall(value: unknown, where: string): Call {
  if (typeof value !== 'object' || value === null) return { tool: 'Bash', input: { command: toText(value, where) } }
  const { name = 'Bash', ...input } = value as Record<string, unknown>
  return { tool: toText(name, where), input }
}
