/** cloister.yaml as people see and edit it: every key with its help, its value and where that comes from. */
import { createHash } from 'node:crypto'
import type { ConfigKeyView, ConfigView } from '../../contract/config-view.ts'
import { applyEnvironment, variableOf } from '../../contract/config/environment.ts'
import { ANY_NAME, keyAt, leafKeys, setPaths, type Key } from '../../contract/config/keys.ts'
import { dotted, getIn, type Path } from '../../contract/config/path.ts'
import type { Config } from '../../contract/config/schema.ts'
import { valueKind } from '../../contract/config/value-kind.ts'
import { problemLines } from './load-settings.ts'
import type { ConfigFile } from './read-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `lastGood` is what stays in force while the file has a problem. */
export function configView(read: ConfigFile, env: Environment, lastGood: Config): ConfigView {
  const { config, problems } = applyEnvironment(read.config ?? lastGood, env)
  return {
    file: read.file,
    autoStart: config.startup.auto_start,
    config: plain(config) as ConfigView['config'],
    keys: shownKeys(config).map(({ path, key }) => keyView({ path, key, config, read, env })),
    problems: [...problemLines(read), ...problems.map(({ sentence }) => sentence)],
    etag: etagOf(read.text),
  }
}

export function etagOf(text: string | undefined): string {
  return text === undefined ? 'none' : createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Every key of the schema in its order, then entries of open names that are written. */
function shownKeys(config: Config): { path: Path; key: Key }[] {
  const named = leafKeys()
    .filter(({ path }) => !path.includes(ANY_NAME))
    .map((key) => ({ path: key.path as Path, key }))
  const known = new Set(named.map(({ path }) => dotted(path)))
  const written = setPaths(config).flatMap((path) => {
    const key = keyAt(path)
    return key === undefined || 'keys' in key || known.has(dotted(path)) ? [] : [{ path, key }]
  })
  return [...named, ...written]
}

interface Shown {
  path: Path
  key: Key
  config: Config
  read: ConfigFile
  env: Environment
}

function keyView({ path, key, config, read, env }: Shown): ConfigKeyView {
  const place = read.set.find((one) => dotted(one.key) === dotted(path))?.place
  const value = plain(getIn(config, path))
  const note = noteOf(path, place, env)
  return {
    path: dotted(path),
    help: key.description,
    ...valueKind(key.value),
    ...(value === undefined ? {} : { value }),
    ...(key.default === undefined ? {} : { default: plain(key.default) as ConfigKeyView['default'] }),
    isSet: place !== undefined,
    inEffect: key.inEffect,
    ...(note === undefined ? {} : { note }),
  } as ConfigKeyView
}

function noteOf(path: Path, place: Path | undefined, env: Environment): string | undefined {
  const variable = variableOf(path, env)
  if (variable !== undefined) return `${variable} is set where the daemon runs and overrides it.`
  return place === undefined || dotted(place) === dotted(path)
    ? undefined
    : `It is written as ${dotted(place)} in the file.`
}

/** As JSON would carry it. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
