/** What an agent gets of the user's environment: what every program needs, and what the settings allow; nothing else. */

type Environment = Readonly<Record<string, string | undefined>>

const NEEDED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_*', 'TZ', 'TMPDIR']

/** A name in the list may end in `*`, which stands for any ending. */
export function allowedEnv(env: Environment, list: readonly string[]): Record<string, string> {
  const names = [...NEEDED, ...list]
  const isAllowed = (name: string) =>
    names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && isAllowed(entry[0])),
  )
}
