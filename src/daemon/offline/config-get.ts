/** `pan config get`: the settings as they count now, and where each comes from. */
import { applyEnvironment } from '../../contract/config/environment.ts'
import { setPaths } from '../../contract/config/keys.ts'
import { dotted, getIn, hasIn, type Path } from '../../contract/config/path.ts'
import { problemLines } from '../../adapters/config-file/load-settings.ts'
import { configFile } from '../../adapters/config-file/location.ts'
import { readConfigFile } from '../../adapters/config-file/read-file.ts'
import { showValue } from '../../adapters/config-file/value-text.ts'
import { findKey } from '../../contract/config/find-key.ts'
import { complain, EXIT, fail, KEYS_HINT, misused, print, printJson, type Request } from './config-output.ts'

export async function getConfig({ args, json, env }: Request): Promise<number> {
  const found = args[0] === undefined ? { path: [], key: undefined } : findKey(args[0])
  if ('sentence' in found) return misused(json, found.sentence, KEYS_HINT)
  const read = await readConfigFile(configFile(env))
  if (read.config === undefined)
    return fail(...problemLines(read), 'The settings cannot be shown until this is mended.')
  const { config, problems, keys } = applyEnvironment(read.config, env)
  complain(...problems.map(({ sentence }) => sentence))
  if (found.key === undefined) {
    if (json) printJson(config)
    else print(showValue(config))
    return EXIT.ok
  }
  if (!hasIn(config, found.path)) return fail(`${dotted(found.path)} is not set.`)
  const value = getIn(config, found.path)
  const source = (path: Path) => sourceOf(path, keys, read.set)
  if (!json) print(showValue(value))
  else if ('keys' in found.key)
    printJson({ key: dotted(found.path), value, sources: sourcesIn(value, found.path, source) })
  else printJson({ key: dotted(found.path), value, source: source(found.path), inEffect: found.key.inEffect })
  return EXIT.ok
}

type Source = 'default' | 'file' | 'env'

function sourceOf(path: Path, overridden: readonly Path[], set: readonly { key: Path }[]): Source {
  if (overridden.some((key) => dotted(key) === dotted(path))) return 'env'
  return set.some(({ key }) => dotted(key) === dotted(path)) ? 'file' : 'default'
}

function sourcesIn(value: unknown, path: Path, source: (path: Path) => Source): Record<string, Source> {
  return Object.fromEntries(setPaths(value, path).map((key) => [dotted(key), source(key)]))
}
