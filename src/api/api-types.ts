/** The API as types, for clients: `import type` only. Derived from the route table, so that it is never behind. */
import type * as z from 'zod'
import type { Table } from './routes.ts'

type Entry = Table[number]

export type Api = {
  [R in Entry as R['key']]: {
    params: R['key'] extends `${string}:id${string}` ? 'id' : never
    /** As it stands in the address; numbers are written out. */
    query: Written<z.input<R['query']>>
    body: z.input<R['body']>
    answer: z.output<R['answer']>
  }
}

export type ApiKey = keyof Api

/** What a call takes: an id where the path has one; query and body where the route wants one. */
export type ApiCall<Key extends ApiKey> = ([Api[Key]['params']] extends [never] ? object : { id: string }) &
  Part<'query', Api[Key]['query']> &
  Part<'body', Api[Key]['body']>

/** Where everything may be left out, the call's last argument may too. */
export type ApiArguments<Key extends ApiKey> =
  object extends ApiCall<Key> ? [call?: ApiCall<Key>] : [call: ApiCall<Key>]

export type ApiAnswer<Key extends ApiKey> = Api[Key]['answer']

type Written<T> = T extends object ? { [K in keyof T]: Written<T[K]> } : T extends string ? string | number : T

type Part<Name extends string, T> =
  // Nothing at all is wanted: the schema of «nothing» has no keys.
  [keyof NonNullable<T>] extends [never]
    ? object
    : undefined extends T
      ? { [N in Name]?: T | undefined }
      : object extends T
        ? { [N in Name]?: T }
        : { [N in Name]: T }
