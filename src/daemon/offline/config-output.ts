/** What every action of `pan config` is given, and how it answers. */

/** ok; problems found or nothing done; used wrongly. */
export const EXIT = { ok: 0, problems: 1, usage: 2 } as const

export interface Request {
  args: readonly string[]
  json: boolean
  from: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

export function print(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export function complain(...lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
}

/** Complains, and gives the exit code for it. */
export function fail(...lines: readonly string[]): number {
  complain(...lines)
  return EXIT.problems
}
