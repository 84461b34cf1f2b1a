/**
 * Takes one key out of the text of a cloister.yaml, so that its default counts again. The key's lines go and all other
 * bytes stay, comments too; a change counts only after the new text was read again and holds exactly what was asked for.
 */
import { dotted, getIn, hasIn, isObject, removeIn, setIn, type Path } from '../../contract/config/path.ts'
import { withoutMark } from './check-text.ts'
import { commentsOf, endOf, holds, indentOf, nextLine, pairAt, rangeOf, type Edited } from './edit-text.ts'
import { readYaml } from './read-yaml.ts'

export function removeText(before: string, path: Path): Edited {
  const text = withoutMark(before)
  const mark = before.slice(0, before.length - text.length)
  const old = readYaml(text)
  if (old.problems.length > 0) return { refused: 'the file is not valid YAML; mend it with `pan config edit`' }
  if (!hasIn(old.value, path)) return { text: before }
  const after = withoutLines(text, pairAt(old.document.contents, path))
  if (after !== undefined && holds(after, wantedWithout(old.value, path), commentsOf(text))) {
    return { text: mark + after }
  }
  return { refused: `${dotted(path)} cannot be taken out without changing other lines; use \`pan config edit\`` }
}

/** What stands behind the value on its last line is a comment; it keeps a line of its own. */
function withoutLines(text: string, pair: ReturnType<typeof pairAt>): string | undefined {
  const start = rangeOf(pair?.key)?.[0]
  const end = pair === undefined ? undefined : endOf(pair)
  const indent = start === undefined ? undefined : indentOf(text, start)
  if (start === undefined || end === undefined || indent === undefined) return undefined
  const next = nextLine(text, end)
  const rest = end >= next ? '' : text.slice(end, next).trimStart()
  return text.slice(0, start - indent.length) + (rest === '' ? '' : indent + rest) + text.slice(next)
}

/** A group whose last key goes reads as null. */
function wantedWithout(value: unknown, path: Path): unknown {
  const left = removeIn(value, path)
  const group = path.slice(0, -1)
  const around = getIn(left, group)
  if (!isObject(around) || Object.keys(around).length > 0) return left
  return group.length === 0 ? null : setIn(left, group, null)
}
