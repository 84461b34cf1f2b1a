/** Our hooks in the text of the user's settings: put in, found and taken out, while every other byte stays. */
import { isDeepStrictEqual } from 'node:util'
import { isOwnHandler, type HookEntry } from './hook-entries.ts'
import { appendTo, memberOf, readJson, removeFrom, type JsonNode } from './json-text.ts'

/** Undefined stands for a file that is not there. */
export type SettingsText = string | undefined

/** Why the text cannot be edited; undefined when it can. */
export function refusalOf(text: SettingsText): string | undefined {
  const body = bodyOf(text)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`
  }
  if (!isObject(value)) return 'it is not a JSON object'
  const hooks = value['hooks']
  if (hooks === undefined) return undefined
  if (!isObject(hooks)) return '«hooks» in it is not an object'
  const strange = Object.keys(hooks).find((event) => !Array.isArray(hooks[event]))
  return strange === undefined ? undefined : `«hooks.${strange}» in it is not a list`
}

/** What was found of ours, in the order of the text. */
export function findHooks(text: SettingsText, program: string): readonly HookEntry[] {
  return spotsOf(readJson(bodyOf(text)), program).map(({ event, group }) => ({ event, group: group.value }))
}

export function addHooks(text: SettingsText, entries: readonly HookEntry[]): string {
  const mark = markOf(text)
  let body = bodyOf(text)
  for (const { event, group } of entries) {
    const root = readJson(body)
    const hooks = memberOf(root, 'hooks')?.node
    const list = hooks === undefined ? undefined : memberOf(hooks, event)?.node
    if (list !== undefined) body = appendTo(body, list, { value: group })
    else if (hooks !== undefined) body = appendTo(body, hooks, { key: event, value: [group] })
    else body = appendTo(body, root, { key: 'hooks', value: { [event]: [group] } })
  }
  return mark + body
}

/** Also what was changed in ours goes; what others put beside it stays. */
export function removeHooks(text: SettingsText, program: string): string {
  const mark = markOf(text)
  let body = bodyOf(text)
  for (;;) {
    const root = readJson(body)
    const [spot] = spotsOf(root, program)
    if (spot === undefined) return mark + body
    body = removeSpot(body, root, spot)
  }
}

export function hasExactly(text: SettingsText, entries: readonly HookEntry[], program: string): boolean {
  const byEvent = (list: readonly HookEntry[]) => list.toSorted((a, b) => (a.event < b.event ? -1 : 1))
  return isDeepStrictEqual(byEvent(findHooks(text, program)), byEvent(entries))
}

interface Spot {
  event: string
  hooks: JsonNode
  list: JsonNode
  group: JsonNode
  handlers: JsonNode
  handler: number
}

function spotsOf(root: JsonNode, program: string): readonly Spot[] {
  const hooks = memberOf(root, 'hooks')?.node
  if (hooks === undefined) return []
  return (hooks.members ?? []).flatMap(({ key: event, node: list }) =>
    (list.items ?? []).flatMap((group) => {
      const handlers = memberOf(group, 'hooks')?.node
      return (handlers?.items ?? []).flatMap(({ value }, handler) =>
        handlers !== undefined && isOwnHandler(value, program)
          ? [{ event, hooks, list, group, handlers, handler }]
          : [],
      )
    }),
  )
}

/** The largest part around it that holds nothing else. */
function removeSpot(text: string, root: JsonNode, { hooks, list, group, handlers, handler }: Spot): string {
  if ((handlers.items?.length ?? 0) > 1) return removeFrom(text, handlers, handler)
  if ((list.items?.length ?? 0) > 1) return removeFrom(text, list, list.items?.indexOf(group) ?? -1)
  const events = hooks.members ?? []
  if (events.length > 1) {
    return removeFrom(
      text,
      hooks,
      events.findIndex(({ node }) => node === list),
    )
  }
  return removeFrom(
    text,
    root,
    (root.members ?? []).findIndex(({ node }) => node === hooks),
  )
}

/** The client takes a file with a byte order mark, and an empty one. */
function markOf(text: SettingsText): string {
  return text?.startsWith(MARK) ? MARK : ''
}

function bodyOf(text: SettingsText): string {
  const body = text?.startsWith(MARK) ? text.slice(MARK.length) : (text ?? '')
  return body.trim() === '' ? '{}\n' : body
}

const MARK = '\uFEFF'

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
