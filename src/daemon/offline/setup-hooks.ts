/**
 * `pan setup hooks`: hooks for the Claude Code sessions that the user starts alone. The file is the user's: it is shown
 * what would change, only entries of ours are put in or taken out, and what was there before is kept beside it.
 */
import { readFile, realpath, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../../adapters/claude-code/find-program.ts'
import {
  addHooks,
  findHooks,
  hasExactly,
  refusalOf,
  removeHooks,
  type SettingsText,
} from '../../adapters/claude-code/user-settings/edit-hooks.ts'
import { hookEntries, type HookEntry } from '../../adapters/claude-code/user-settings/hook-entries.ts'
import { userSettingsFile } from '../../adapters/claude-code/user-settings/location.ts'
import { versionProbe, type Version } from '../../adapters/claude-code/version.ts'
import { replaceFile } from '../../adapters/config-file/write-file.ts'
import { checkHooks } from '../../adapters/spool/install.ts'
import { complain, EXIT, fail, print, printJson } from './config-output.ts'
import { diffLines } from './setup-diff.ts'

export interface SetupRequest {
  remove: boolean
  yes: boolean
  json: boolean
  home: string
  /** The program `pan`, by its path. */
  launcher: string
  env: Readonly<Record<string, string | undefined>>
  /** Undefined where nobody can be asked. */
  confirm: (question: string) => Promise<boolean | undefined>
}

interface Place {
  file: string
  backup: string
  program: string
  current: SettingsText
}

/** What would be written, and the sentence for when it is. Undefined text: the file goes. */
interface Plan {
  text: SettingsText
  done: string
  backup?: { text: string } | 'remove'
}

export async function setupHooks(request: SetupRequest): Promise<number> {
  const file = userSettingsFile(request.env)
  const current = await textOf(file)
  const refusal = refusalOf(current)
  if (refusal !== undefined) {
    return fail(
      `${file} is left as it is: ${refusal}.`,
      'Mend it by hand (Claude Code itself ignores it so), then try again.',
    )
  }
  const place = {
    file,
    backup: `${file}.cloister-backup`,
    program: join(request.home, 'bin/heartbeat-hook'),
    current,
  }
  const planned = request.remove ? await planRemoval(place) : await planInstall(place, request)
  if ('sentence' in planned) return fail(planned.sentence)
  return carryOut(request, place, planned)
}

async function planInstall(place: Place, { home, env }: SetupRequest): Promise<Plan | { sentence: string }> {
  const [problem] = checkHooks(home)
  if (problem !== undefined) return { sentence: `The hook program cannot be named yet. ${problem}` }
  const version = await versionOf(env)
  if (version === undefined) {
    return {
      sentence:
        'Claude Code is not on your PATH, so that nobody knows which hooks it takes. ' +
        'Install it with `npm install -g @anthropic-ai/claude-code`, then try again.',
    }
  }
  const { current, program, file } = place
  const entries = hookEntries(program, version)
  const client = `Claude Code ${version.join('.')}`
  if (entries.length === 0) return { sentence: `${client} is too old: it has no hooks. Update it first.` }
  const count = `${entries.length} hooks for ${client}`
  if (hasExactly(current, entries, program)) return { text: current, done: `Already installed: ${count} in ${file}.` }
  const before = await withoutOurs(place)
  return {
    text: addHooks(before, entries),
    done: `Installed: ${count} in ${file}.${before === undefined ? '' : ` As it was before: ${place.backup}`}`,
    ...(before === undefined ? {} : { backup: { text: before } }),
  }
}

async function planRemoval(place: Place): Promise<Plan> {
  const { current, program, file } = place
  if (findHooks(current, program).length === 0) {
    return { text: current, done: `There is nothing of Cloister to remove in ${file}.` }
  }
  const restored = await untouched(place)
  if (restored !== undefined) {
    const what =
      restored.text === undefined ? `${file} is gone, as before` : `${file} is byte for byte as it was before`
    return { text: restored.text, done: `Removed: ${what}.`, backup: 'remove' }
  }
  return {
    text: removeHooks(current, program),
    done: `Removed: only the entries of Cloister; ${file} was changed since, and the rest of it stays as it is.`,
  }
}

/** The user's text as it would be without us: what was kept, when nobody has changed the file since. */
async function withoutOurs(place: Place): Promise<SettingsText> {
  const { current, program } = place
  if (current === undefined || findHooks(current, program).length === 0) return current
  const kept = await untouched(place)
  return kept === undefined ? removeHooks(current, program) : kept.text
}

/** What was there before, if adding what is found of ours to it gives exactly the file of now. */
async function untouched({ current, program, backup }: Place): Promise<{ text: SettingsText } | undefined> {
  const entries: readonly HookEntry[] = findHooks(current, program)
  for (const text of [await textOf(backup), undefined]) {
    if (refusalOf(text) === undefined && addHooks(text, entries) === current) return { text }
  }
  return undefined
}

async function carryOut(request: SetupRequest, place: Place, plan: Plan): Promise<number> {
  const { file, current } = place
  const isChange = plan.text !== current
  const diff = isChange ? diffLines(current ?? '', plan.text ?? '') : []
  const shown = { file, changed: false, diff, sentence: plan.done }
  if (!isChange) {
    if (request.json) printJson(shown)
    else print(plan.done, ...notes(current))
    return EXIT.ok
  }
  if (!request.json) print(`${file}:`, ...diff, '')
  const isWanted = request.yes || (!request.json && (await request.confirm('Change it so?')))
  if (isWanted !== true) {
    const sentence = `Nothing was changed.${isWanted === undefined || request.json ? ' Add --yes to change it so.' : ''}`
    if (request.json) printJson({ ...shown, sentence })
    else complain(sentence)
    return EXIT.problems
  }
  const conflict = await write(place, plan)
  if (conflict !== undefined) return fail(`Nothing was changed: ${conflict}. Try again.`)
  if (request.json) printJson({ ...shown, changed: true })
  else print(plan.done, ...notes(plan.text))
  return EXIT.ok
}

/** First what was there before is safe, then the file is replaced, then what is not needed any more goes. */
async function write({ file, backup, current }: Place, plan: Plan): Promise<string | undefined> {
  if (typeof plan.backup === 'object') {
    const old = await textOf(backup)
    if (old !== plan.backup.text) {
      const conflict = await replaceFile({ file: backup, text: plan.backup.text, before: old })
      if (conflict !== undefined) return conflict
    }
  }
  const conflict =
    plan.text === undefined
      ? await removeFile(file, current)
      : await replaceFile({ file, text: plan.text, before: current })
  if (conflict !== undefined) return conflict
  if (plan.backup === 'remove') await unlink(backup).catch(() => undefined)
  return undefined
}

async function removeFile(file: string, before: SettingsText): Promise<string | undefined> {
  if ((await textOf(file)) !== before) return `${file} was changed by somebody else in the meantime`
  await unlink(await realpath(file))
  return undefined
}

function notes(text: SettingsText): string[] {
  const isOff = text !== undefined && /"disableAllHooks"\s*:\s*true/.test(text)
  return isOff ? ['Mind: «disableAllHooks» is true in it, so that no hook runs.'] : []
}

/** Undefined when the client is not there or says none. */
async function versionOf(env: SetupRequest['env']): Promise<Version | undefined> {
  const program = await findProgram('claude', env['PATH'])
  return program === undefined
    ? undefined
    : versionProbe({ PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/' })(program)
}

async function textOf(file: string): Promise<SettingsText> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EISDIR') throw new Error(`${file} is a folder, not a file; nothing was changed`, { cause: error })
    throw error
  }
  const text = bytes.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error(`${file} is no UTF-8 text`)
  return text
}
