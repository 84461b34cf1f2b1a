/** `pan config edit`: the user's editor on a copy, which replaces the file only when it is valid and is never lost. */
import { randomBytes } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { problemLines } from '../../adapters/config-file/load-settings.ts'
import { configFile } from '../../adapters/config-file/location.ts'
import { readConfigFile } from '../../adapters/config-file/read-file.ts'
import { NEW_FILE, replaceFile } from '../../adapters/config-file/write-file.ts'
import { makeFolder } from '../../adapters/process/make-folder.ts'
import { runAttached } from '../../adapters/process/run-attached.ts'
import { complain, EXIT, fail, print, type Request } from './config-output.ts'

export async function editConfig({ env, from }: Request): Promise<number> {
  const [program, ...args] = words(env['VISUAL'] || env['EDITOR'] || '')
  if (program === undefined) {
    complain('No editor is set. Set VISUAL or EDITOR, for example: EDITOR=nano pan config edit')
    return EXIT.usage
  }
  const file = configFile(env)
  const current = await readConfigFile(file)
  if (current.text === undefined && current.problems.length > 0) return fail(...problemLines(current))
  const start = from === undefined ? current : await readConfigFile(resolve(from))
  if (from !== undefined && start.text === undefined) return fail(`There is no text to go on with in ${resolve(from)}.`)
  const text = start.text ?? NEW_FILE
  const copy = await makeCopy(file, text)
  try {
    const { code, signal } = await runAttached(program, [...args, copy])
    if (code !== 0) return await keep(copy, text, `${program} ended with ${signal ?? `code ${code}`}`)
  } catch (error) {
    return await keep(copy, text, `${program} could not be started: ${(error as Error).message}`)
  }
  const edited = await readConfigFile(copy)
  if (edited.text === undefined) return fail(...problemLines(edited), `Nothing was changed: ${copy} cannot be read.`)
  if (edited.text === current.text || (from === undefined && edited.text === text)) {
    await unlink(copy)
    print('No change.')
    return EXIT.ok
  }
  if (edited.config === undefined) {
    complain(...problemLines(edited))
    return await keep(copy, text, 'the edited text is not valid')
  }
  const conflict = await replaceFile({ file, text: edited.text, before: current.text })
  if (conflict !== undefined) return await keep(copy, text, conflict)
  await unlink(copy)
  if (from !== undefined && isCopy(from)) await unlink(resolve(from))
  print(`Written to ${file}.`)
  return EXIT.ok
}

/** Beside the file, not in a temporary folder: an edit that is kept must survive a restart of the machine. */
async function makeCopy(file: string, text: string): Promise<string> {
  makeFolder(dirname(file), 0o700)
  const copy = join(dirname(file), `cloister.edit-${randomBytes(4).toString('hex')}.yaml`)
  await writeFile(copy, text, { flag: 'wx', mode: 0o600 })
  return copy
}

/** Whether a file is one that we made and may remove once its text is in place. */
function isCopy(file: string): boolean {
  return /^cloister\.edit-[0-9a-f]{8}\.yaml$/.test(basename(file))
}

async function keep(copy: string, before: string, why: string): Promise<number> {
  const { text } = await readConfigFile(copy)
  if (text === before) {
    await unlink(copy)
    return fail(`Nothing was changed: ${why}.`)
  }
  return fail(
    `Nothing was changed: ${why}.`,
    `Your edit is kept in ${copy}`,
    `Go on with it: pan config edit --from ${copy}`,
  )
}

/** The words of an editor setting such as `code --wait` or `"/opt/my editor/bin" -n`. */
function words(text: string): string[] {
  return (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
}
