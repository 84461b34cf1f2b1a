/** `pan config set`: one key, checked before anything is written. */
import { variableOf } from '../../contract/config/environment.ts'
import { placeOfKey } from '../../contract/config/parse.ts'
import { dotted, getIn, type Path } from '../../contract/config/path.ts'
import { checkText, type FileProblem } from '../../adapters/config-file/check-text.ts'
import { editText } from '../../adapters/config-file/edit-text.ts'
import { problemLines } from '../../adapters/config-file/load-settings.ts'
import { configFile } from '../../adapters/config-file/location.ts'
import { readConfigFile, type ConfigFile } from '../../adapters/config-file/read-file.ts'
import { NEW_FILE, replaceFile } from '../../adapters/config-file/write-file.ts'
import { readValue, showValue } from '../../adapters/config-file/value-text.ts'
import { findKey, type FoundKey } from '../../contract/config/find-key.ts'
import { EXIT, fail, KEYS_HINT, misused, print, printJson, type Request } from './config-output.ts'

export async function setConfig({ args, json, env }: Request): Promise<number> {
  const [typed = '', text = ''] = args
  const found = findKey(typed)
  const given = readValue(text)
  if ('sentence' in found) return misused(json, found.sentence, KEYS_HINT)
  if ('why' in given) return misused(json, `The value ${given.why}.`, 'Give one as it would stand in cloister.yaml.')
  const file = configFile(env)
  const read = await readConfigFile(file)
  if (read.text === undefined && read.problems.length > 0) return fail(...problemLines(read))
  const place = placeOfKey(read, found.path)
  const edited = editText(read.text ?? NEW_FILE, place, given.value)
  if ('refused' in edited) return fail(...problemLines(read), `Nothing was changed: ${edited.refused}.`)
  const after = checkText(edited.text)
  if (after.config === undefined) return fail(...whyNotValid(read, after.problems))
  const conflict =
    edited.text === read.text ? undefined : await replaceFile({ file, text: edited.text, before: read.text })
  if (conflict !== undefined) return fail(`Nothing was changed: ${conflict}. Try again.`)
  const [was, is] = [getIn(read.config, found.path), getIn(after.config, found.path)]
  const key = dotted(found.path)
  if (json) printJson({ file, key, place: dotted(place), before: was ?? null, after: is, inEffect: isInEffect(found) })
  else
    print(
      `${key}: ${was === undefined ? '' : `${oneLine(was)} → `}${oneLine(is)} in ${file}`,
      ...remarks(found, place, env),
    )
  return EXIT.ok
}

/** Tells what was wrong before from what the new value would make wrong. */
function whyNotValid(read: ConfigFile, after: readonly FileProblem[]): string[] {
  const { file, problems } = read
  const had = new Set(problems.map(({ key, sentence }) => `${key} ${sentence}`))
  const added = problemLines({ file, problems: after.filter(({ key, sentence }) => !had.has(`${key} ${sentence}`)) })
  if (problems.length === 0) return [...added, `Nothing was changed: ${file} would not be valid.`]
  return [
    `${file} has problems already:`,
    ...problemLines(read),
    ...(added.length === 0 ? [] : ['The new value would add:', ...added]),
    'Nothing was changed. Mend the file with `pan config edit`, then set the key again.',
  ]
}

/** What else a person should know about the key that was just set. */
function remarks(found: FoundKey & { path: Path }, place: Path, env: Request['env']): string[] {
  const key = dotted(found.path)
  const variable = variableOf(found.path, env)
  return [
    ...(dotted(place) === key ? [] : [`It is written as ${dotted(place)}, where the file has it.`]),
    ...(variable === undefined ? [] : [`${variable} is set here and overrides it.`]),
    ...(isInEffect(found) ? [] : ['It is kept, but not yet in effect: nothing acts on it in this version.']),
  ]
}

/** A group counts as in effect when any of its keys may be; only single keys are called out. */
function isInEffect(found: FoundKey & { path: Path }): boolean {
  return !('key' in found) || 'keys' in found.key || found.key.inEffect
}

function oneLine(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : showValue(value)
}
