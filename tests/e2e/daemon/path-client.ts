/** The CLI's client for tests that name what they ask for by its path. */
import { openClient } from '../../../src/cli/client.ts'
import type { ApiKey } from '../../../src/api/api-types.ts'
import { ROUTES } from '../../../src/api/routes.ts'

export interface PathClient {
  home: string
  get: <View>(path: string) => Promise<View>
  post: <View>(path: string, body?: object) => Promise<View>
}

export function pathClient(home: string): PathClient {
  const { call } = openClient(home)
  const ask = (method: string, path: string, body?: object) => {
    const [pathname = '', search = ''] = path.split('?')
    const match = ROUTES.flatMap((route) => {
      const found = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`).exec(pathname)
      return found === null || route.method !== method ? [] : [{ key: route.key as ApiKey, id: found[1] }]
    })
    const { key, id } = match[0] ?? fail(`${method} ${path} is in no table`)
    const query = Object.fromEntries(new URLSearchParams(search))
    return call(key, { id, query, ...(body === undefined ? {} : { body }) } as never) as Promise<never>
  }
  return { home, get: (path) => ask('GET', path), post: (path, body) => ask('POST', path, body) }
}

function fail(why: string): never {
  throw new Error(why)
}
