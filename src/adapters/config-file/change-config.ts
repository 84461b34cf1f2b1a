/** Changes keys of cloister.yaml as the API is asked to: all of them or none, checked before anything is written. */
import type { ConfigChange } from '../../contract/config-view.ts'
import { keyOf } from '../../contract/config/aliases.ts'
import { findKey } from '../../contract/config/find-key.ts'
import { setPaths } from '../../contract/config/keys.ts'
import { placeOfKey } from '../../contract/config/parse.ts'
import { getIn, type Path } from '../../contract/config/path.ts'
import type { ApiError } from '../../contract/views.ts'
import { checkText } from './check-text.ts'
import { etagOf } from './config-view.ts'
import { editText, type Edited } from './edit-text.ts'
import { problemLines } from './load-settings.ts'
import { readConfigFile } from './read-file.ts'
import { removeText } from './remove-text.ts'
import { NEW_FILE, replaceFile } from './write-file.ts'

/** Undefined when the new text is durable. */
export async function changeConfig(file: string, change: ConfigChange): Promise<ApiError | undefined> {
  const read = await readConfigFile(file)
  if (read.text === undefined && read.problems.length > 0) return notValid(problemLines(read))
  if (change.etag !== undefined && change.etag !== etagOf(read.text)) return conflict(file)
  const { edits, problems } = editsOf(change)
  if (problems.length > 0) return notValid(problems)
  const edited = edits.reduce<Edited>((done, edit) => ('refused' in done ? done : edit(done.text)), {
    text: read.text ?? NEW_FILE,
  })
  if ('refused' in edited) return notValid([...problemLines(read), `${edited.refused}.`])
  const after = checkText(edited.text)
  if (after.config === undefined) return notValid(problemLines({ file, problems: after.problems }))
  if (edited.text === (read.text ?? NEW_FILE)) return undefined
  const lost = await replaceFile({ file, text: edited.text, before: read.text })
  return lost === undefined ? undefined : conflict(file)
}

type Edit = (text: string) => Edited

function editsOf({ autoStart, set, unset, etag: _, ...parts }: ConfigChange): { edits: Edit[]; problems: string[] } {
  const problems: string[] = []
  const edits: Edit[] = []
  const put = (path: Path, value: unknown) => edits.push((text) => editText(text, placeIn(text, path), value))
  for (const typed of unset ?? []) {
    const found = findKey(typed)
    if ('sentence' in found) problems.push(found.sentence)
    else edits.push((text) => removeText(text, placeIn(text, found.path)))
  }
  if (autoStart !== undefined) put(['startup', 'auto_start'], autoStart)
  for (const [typed, value] of Object.entries(set ?? {})) {
    const found = findKey(typed)
    if ('sentence' in found) problems.push(found.sentence)
    else for (const path of setPaths(value, found.path)) put(path, getIn(value, path.slice(found.path.length)))
  }
  for (const path of Object.keys(parts).length === 0 ? [] : setPaths(parts)) put(path, getIn(parts, path))
  return { edits, problems }
}

/** Where the file has the key already, by whichever of its spellings, or where it belongs. */
function placeIn(text: string, path: Path): Path {
  return placeOfKey(checkText(text), keyOf(path))
}

function notValid(problems: readonly string[]): ApiError {
  const [first = 'it cannot be read'] = problems
  const sentence = `The settings would not be valid: ${first}`.slice(0, 400)
  return {
    code: 'invalid',
    sentence,
    hint: 'Nothing was changed. Correct it and send it again.',
    problems: [...problems],
  }
}

function conflict(file: string): ApiError {
  const sentence = `${file} was changed by somebody else in the meantime`
  return { code: 'conflict', sentence, hint: 'Nothing was changed. Look at the settings again and repeat your change.' }
}
