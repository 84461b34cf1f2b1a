/** `pan config validate`: every problem with its place, then what is set and does nothing yet. */
import { resolve } from 'node:path'
import { applyEnvironment, variableOf } from '../../contract/config/environment.ts'
import { cautionsOf } from '../../contract/config/cautions.ts'
import type { Config } from '../../contract/config/schema.ts'
import { toSettings } from '../../contract/config/to-settings.ts'
import { isInEffect, notYetInEffect } from '../../contract/config/parse.ts'
import { dotted } from '../../contract/config/path.ts'
import { unknownRoutes } from '../../core/routing/unknown-routes.ts'
import { MODELS } from '../../adapters/claude-code/models.ts'
import { problemLines } from '../../adapters/config-file/load-settings.ts'
import { configFile } from '../../adapters/config-file/location.ts'
import { readConfigFile, type ConfigFile } from '../../adapters/config-file/read-file.ts'
import { EXIT, print, printJson, type Request } from './config-output.ts'

export async function validateConfig({ args, json, env }: Request): Promise<number> {
  const file = args[0] === undefined ? configFile(env) : resolve(args[0])
  const read = await readConfigFile(file)
  const isMissing = read.text === undefined && read.problems.length === 0
  const noSuchFile = { line: 1, column: 1, key: '', sentence: 'does not exist' }
  const problems = isMissing && args[0] !== undefined ? [noSuchFile] : read.problems
  // Another file is checked by itself; the settings of this home also by the variables that override them.
  const environment =
    read.config === undefined || args[0] !== undefined ? { problems: [], keys: [] } : applyEnvironment(read.config, env)
  const variables = environment.problems
  const fromFile = notYetInEffect(read).map(({ place }) => dotted(place))
  const fromVariables = environment.keys.filter((key) => !isInEffect(key))
  const valid = problems.length === 0 && variables.length === 0
  const cautions = valid && read.config !== undefined ? [...cautionsOf(read.config), ...refusedRoutes(read.config)] : []
  if (json) {
    const overridden = read.shadowed.map(({ path, by }) => ({ key: dotted(path), by: dotted(by) }))
    const notInEffect = [...new Set([...fromFile, ...fromVariables.map((key) => dotted(key))])]
    printJson({ file, valid, problems, environment: variables, notInEffect, overridden, cautions })
  } else {
    const named = fromVariables.map((key) => `${dotted(key)} (set by ${variableOf(key, env)})`)
    const sentences = variables.map(({ sentence }) => sentence)
    print(...problemLines({ file, problems }), ...sentences, ...notes(read, [...fromFile, ...named]), ...cautions)
    if (valid) print(`${file}: ${isMissing ? 'there is no such file; all defaults count' : 'no problems'}`)
  }
  return valid ? EXIT.ok : EXIT.problems
}

function refusedRoutes(config: Config): string[] {
  const capabilities = new Map([['claude-code', { models: MODELS }]])
  return unknownRoutes({ capabilities, settings: toSettings(config) })
}

function notes({ shadowed, problems }: ConfigFile, notYet: readonly string[]): string[] {
  const overridden = shadowed.map(({ path, by }) => `${dotted(path)} has no effect: ${dotted(by)} overrides it`)
  if (problems.length > 0 || notYet.length === 0) return overridden
  return [
    ...overridden,
    'Not yet in effect (kept, but nothing acts on them in this version):',
    ...notYet.map((key) => `  ${key}`),
  ]
}
