/**
 * `pan setup commands`: /work-issue and /work-tell as files of the user's own, shown before they are written; nobody
 * else's file is touched.
 */
import { readFile, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { userFolder } from '../../adapters/claude-code/user-settings/location.ts'
import { SLASH_COMMANDS, type SlashCommand } from '../../adapters/claude-code/user-settings/slash-commands.ts'
import { replaceFile } from '../../adapters/config-file/write-file.ts'
import { complain, EXIT, print, printJson } from './config-output.ts'
import { diffLines } from './setup-diff.ts'
import type { SetupRequest } from './setup-hooks.ts'

type Result = 'installed' | 'already installed' | 'removed' | 'not there' | 'left alone'

interface Plan {
  file: string
  current: string | undefined
  /** What will stand in it; undefined when there will be none. */
  text: string | undefined
  result: Result
  sentence: string
}

export async function setupCommands(request: SetupRequest): Promise<number> {
  const { remove, json, env, launcher } = request
  const folder = join(userFolder(env), 'commands')
  const plans: Plan[] = []
  for (const command of SLASH_COMMANDS) {
    const file = join(folder, command.file)
    const current = await textOf(file)
    plans.push(
      remove
        ? removal(file, current, command)
        : installation({ file, current, text: command.textFor(launcher) }, command),
    )
  }
  const changes = plans.filter(isChange)
  if (!json)
    for (const { file, current, text } of changes) print(`${file}:`, ...diffLines(current ?? '', text ?? ''), '')
  const isWanted = changes.length === 0 || request.yes || (!json && (await request.confirm('Change it so?')))
  if (isWanted !== true) {
    const sentence = `Nothing was changed.${isWanted === undefined || json ? ' Add --yes to change it so.' : ''}`
    if (json) printJson({ folder, changed: false, sentence, commands: plans.map(shown) })
    else complain(sentence)
    return EXIT.problems
  }
  const done: Plan[] = []
  for (const plan of plans) done.push(isChange(plan) ? await carryOut(plan) : plan)
  // Only if nothing else is in it.
  if (remove && done.some(({ result }) => result === 'removed')) await rmdir(folder).catch(() => undefined)
  if (json) printJson({ folder, changed: done.some(isChange), commands: done.map(shown) })
  else for (const { result, sentence } of done) (result === 'left alone' ? complain : print)(sentence)
  return done.every(({ result }) => result !== 'left alone') ? EXIT.ok : EXIT.problems
}

function installation(plan: Pick<Plan, 'file' | 'current' | 'text'>, { isOurs }: SlashCommand): Plan {
  const { file, current, text } = plan
  if (current === text) return { ...plan, result: 'already installed', sentence: `Already installed: ${file}` }
  if (current !== undefined && !isOurs(current)) return leave(plan, 'Move it away, then try again.')
  return { ...plan, result: 'installed', sentence: `Installed: ${nameOf(file)} in ${file}` }
}

function removal(file: string, current: string | undefined, { isOurs }: SlashCommand): Plan {
  const plan = { file, current, text: undefined }
  if (current === undefined) return { ...plan, result: 'not there', sentence: `There is no ${file} to remove.` }
  if (!isOurs(current)) return leave(plan, 'Remove it by hand if you want it gone.')
  return { ...plan, result: 'removed', sentence: `Removed: ${file}` }
}

function leave({ file, current }: Pick<Plan, 'file' | 'current'>, fix: string): Plan {
  const sentence = `${file} is left alone: it is not what Cloister installs, or it was changed. ${fix}`
  return { file, current, text: current, result: 'left alone', sentence }
}

function isChange({ current, text }: Plan): boolean {
  return current !== text
}

async function carryOut(plan: Plan): Promise<Plan> {
  const { file, current, text } = plan
  if (text !== undefined) {
    const conflict = await replaceFile({ file, text, before: current })
    return conflict === undefined ? plan : leave(plan, 'Try again.')
  }
  if ((await textOf(file)) !== current) return leave(plan, 'Try again.')
  await unlink(file)
  return plan
}

function shown({ file, current, text, result, sentence }: Plan): object {
  return { file, result, sentence, diff: diffLines(current ?? '', text ?? '') }
}

function nameOf(file: string): string {
  return `/${file.slice(file.lastIndexOf('/') + 1, -'.md'.length)}`
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
