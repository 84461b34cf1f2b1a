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

export const KEYS_HINT = '`pan config get` shows every key.'

/** Complains of wrong usage, in the form of every other error where JSON was asked for; gives the exit code for it. */
export function misused(json: boolean, sentence: string, hint: string): number {
  const said = { code: 'invalid', sentence: sentence.replace(/\.$/, ''), hint }
  complain(json ? JSON.stringify(said) : `${sentence} ${hint}`)
  return EXIT.usage
}

/** Complains, and gives the exit code for it. */
export function fail(...lines: readonly string[]): number {
  complain(...lines)
  return EXIT.problems
}
