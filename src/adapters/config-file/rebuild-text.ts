/** Changes one key by the library's document: keeps order and comments, not every blank. Used where nothing finer fits. */
import { isCollection, isMap, isScalar, parseDocument, visit, YAMLMap, type Document, type Node, type Pair } from 'yaml'
import type { Path } from '../../contract/config/path.ts'

export interface Change {
  text: string
  contents: unknown
  path: Path
  value: unknown
}

export function rebuildWith({ text, path, value }: Change): string | undefined {
  // The library keeps a carriage return as part of the comment before it.
  const document = parseDocument(text.replaceAll('\r\n', '\n'), { uniqueKeys: false, logLevel: 'error' })
  fillEmptyGroups(document, path)
  const lost = commentsIn(document.getIn(path, true))
  try {
    document.setIn(path, document.createNode(value))
    if (lost.length > 0) keepBefore(document, path, lost)
    const after = document.toString({ lineWidth: 0 })
    return text.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after
  } catch {
    // An alias is in the way, or needs the value that was replaced; the caller has a sentence for that.
    return undefined
  }
}

/** A group whose keys are all commented out is a null to the library, into which nothing can be set. */
function fillEmptyGroups(document: Document, path: Path): void {
  for (let depth = 1; depth < path.length; depth++) {
    const group = document.getIn(path.slice(0, depth), true)
    if (!isScalar(group) || group.value !== null) continue
    const map = new YAMLMap()
    const comments = commentsIn(group)
    if (comments.length > 0) map.commentBefore = comments.join('\n')
    document.setIn(path.slice(0, depth), map)
  }
}

/** Comments of a value that is replaced, which would go with it. */
function commentsIn(node: unknown): string[] {
  const comments: string[] = []
  const take = (part: { comment?: string | null; commentBefore?: string | null }) => {
    for (const text of [part.commentBefore, part.comment]) if (text) comments.push(text)
  }
  if (isScalar(node)) take(node)
  if (isCollection(node)) visit(node as Node as never, { Node: (_, part) => take(part) })
  return comments
}

function keepBefore(document: Document, path: Path, comments: readonly string[]): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (!isMap(parent)) return
  const pair = (parent.items as Pair[]).find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
  if (!isScalar(pair?.key)) return
  pair.key.commentBefore = [...(pair.key.commentBefore ? [pair.key.commentBefore] : []), ...comments].join('\n')
}
