/** The program behind `pan config`: works on cloister.yaml with or without a daemon. Exit codes are in config-output.ts. */
import { parseArgs } from 'node:util'
import { configFile } from '../../adapters/config-file/location.ts'
import { editConfig } from './config-edit.ts'
import { getConfig } from './config-get.ts'
import { EXIT, fail, misused, print, printJson, type Request } from './config-output.ts'
import { setConfig } from './config-set.ts'
import { validateConfig } from './config-validate.ts'

interface Action {
  run(request: Request): Promise<number>
  least: number
  most: number
  flags: readonly string[]
}

const ACTIONS: Record<string, Action> = {
  get: { run: getConfig, least: 0, most: 1, flags: ['json'] },
  set: { run: setConfig, least: 2, most: 2, flags: ['json'] },
  edit: { run: editConfig, least: 0, most: 0, flags: ['from'] },
  validate: { run: validateConfig, least: 0, most: 1, flags: ['json'] },
  path: { run: printPath, least: 0, most: 0, flags: ['json'] },
}

process.exitCode = await main(process.argv.slice(2))

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  const usage = (sentence: string) =>
    misused(args.includes('--json'), sentence, '`pan config --help` shows how it is used.')
  if (action === undefined) return usage(`There is no action «${name}». Use get, set, edit, validate or path.`)
  let parsed
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, from: { type: 'string' } },
    })
  } catch (error) {
    return usage((error as Error).message)
  }
  const { positionals, values } = parsed
  const unknown = Object.keys(values).find((flag) => !action.flags.includes(flag))
  if (unknown !== undefined) return usage(`${name} takes no --${unknown}.`)
  if (positionals.length < action.least || positionals.length > action.most) {
    return usage(
      `${name} takes ${action.least === action.most ? action.most : `at most ${action.most}`} arguments, got ${positionals.length}.`,
    )
  }
  try {
    return await action.run({ args: positionals, json: values.json === true, from: values.from, env: process.env })
  } catch (error) {
    return fail(`Could not ${name} the settings in ${configFile(process.env)}: ${(error as Error).message}`)
  }
}

function printPath({ env, json }: Request): Promise<number> {
  if (json) printJson({ path: configFile(env) })
  else print(configFile(env))
  return Promise.resolve(EXIT.ok)
}
