/** `pan setup commands`: /work-issue and /work-tell as files of the user's own; nobody else's file is touched. */
import { readFile, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { userFolder } from '../../adapters/claude-code/user-settings/location.ts'
import { SLASH_COMMANDS, type SlashCommand } from '../../adapters/claude-code/user-settings/slash-commands.ts'
import { replaceFile } from '../../adapters/config-file/write-file.ts'
import { complain, EXIT, print, printJson } from './config-output.ts'
import type { SetupRequest } from './setup-hooks.ts'

type Result = 'installed' | 'already installed' | 'removed' | 'not there' | 'left alone'

interface Done {
  file: string
  result: Result
  sentence: string
}

export async function setupCommands({ remove, json, env }: SetupRequest): Promise<number> {
  const folder = join(userFolder(env), 'commands')
  const done: Done[] = []
  for (const command of SLASH_COMMANDS) {
    const file = join(folder, command.file)
    done.push(remove ? await takeAway(file, command) : await put(file, command))
  }
  // Only if nothing else is in it.
  if (remove && done.some(({ result }) => result === 'removed')) await rmdir(folder).catch(() => undefined)
  const isAlright = done.every(({ result }) => result !== 'left alone')
  if (json) printJson({ folder, commands: done })
  else for (const { result, sentence } of done) (result === 'left alone' ? complain : print)(sentence)
  return isAlright ? EXIT.ok : EXIT.problems
}

async function put(file: string, { text }: SlashCommand): Promise<Done> {
  const current = await textOf(file)
  if (current === text) return { file, result: 'already installed', sentence: `Already installed: ${file}` }
  if (current !== undefined) return leave(file, 'Move it away, then try again.')
  const conflict = await replaceFile({ file, text, before: undefined })
  if (conflict !== undefined) return leave(file, 'Try again.')
  return { file, result: 'installed', sentence: `Installed: ${nameOf(file)} in ${file}` }
}

async function takeAway(file: string, { text }: SlashCommand): Promise<Done> {
  const current = await textOf(file)
  if (current === undefined) return { file, result: 'not there', sentence: `There is no ${file} to remove.` }
  if (current !== text) return leave(file, 'Remove it by hand if you want it gone.')
  await unlink(file)
  return { file, result: 'removed', sentence: `Removed: ${file}` }
}

function leave(file: string, fix: string): Done {
  const sentence = `${file} is left alone: it is not what Cloister installs, or it was changed. ${fix}`
  return { file, result: 'left alone', sentence }
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
