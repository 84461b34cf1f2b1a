/** Where state and settings are: PANOPTICON_HOME, else ~/.panopticon; CLOISTER_CONFIG names another cloister.yaml. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export function configFile(env: Environment): string {
  if (env['CLOISTER_CONFIG']) return resolve(expandHome(env['CLOISTER_CONFIG'], env))
  return join(homeFolder(env), 'cloister.yaml')
}

/** The same places for a program that stands in another folder: what was given relative to this one, made absolute. */
export function absolutePlaces(env: Environment): Record<string, string> {
  return {
    ...(env['PANOPTICON_HOME'] ? { PANOPTICON_HOME: homeFolder(env) } : {}),
    ...(env['CLOISTER_CONFIG'] ? { CLOISTER_CONFIG: configFile(env) } : {}),
  }
}

export function homeFolder(env: Environment): string {
  return resolve(expandHome(env['PANOPTICON_HOME'] || '~/.panopticon', env))
}

function expandHome(path: string, env: Environment): string {
  return path === '~' || path.startsWith('~/') ? join(env['HOME'] || homedir(), path.slice(1)) : path
}
