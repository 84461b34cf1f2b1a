/**
 * The token of this tab. It comes once, by the code in the address's fragment, and lives in sessionStorage: another
 * tab signs in for itself, and nothing of it is ever sent where a cookie would be.
 */

const KEY = 'cloister.token'

export function token(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function keepToken(given: string): void {
  sessionStorage.setItem(KEY, given)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}

/** The code of a login link; it is taken out of the address and the history at once. */
export function takeLoginCode(): string | undefined {
  const code = /^#login=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (location.hash.startsWith('#login')) history.replaceState(history.state, '', location.pathname + location.search)
  return code
}
