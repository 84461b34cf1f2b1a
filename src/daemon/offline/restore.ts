/** The program behind `pan restore`: lists, shows and brings back salvaged work, with or without a daemon. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { restoreSalvage } from '../../adapters/git/restore-salvage.ts'
import { listSalvages, showSalvage, type Snapshot } from '../../adapters/git/snapshots.ts'
import { ID_HINT, ID_PATTERN, notAnId } from '../../contract/id-pattern.ts'
import { redact } from '../../core/redact.ts'
import { EXIT, fail, misused, print, printJson } from './config-output.ts'
import { listLines, restoredLines, shownLines, snapshotJson } from './restore-output.ts'

const OPTIONS = {
  list: { type: 'boolean' },
  show: { type: 'string' },
  ref: { type: 'string' },
  workspace: { type: 'string' },
  into: { type: 'string' },
  paths: { type: 'string', multiple: true },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

class WrongUsage extends Error {}

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  try {
    const request = readRequest(args)
    const workspace = resolve(request.workspace ?? (await workspaceOf(request.agent)))
    const found = await listSalvages(workspace, request.agent)
    if (request.show !== undefined) return await show({ ...request, workspace }, pick(found, request, request.show))
    if (request.ref !== undefined) return await bringBack({ ...request, workspace }, pick(found, request, request.ref))
    if (request.json) printJson(clean(found.map(snapshotJson)))
    else print(...listLines(request.agent, workspace, found).map(redact))
    return EXIT.ok
  } catch (error) {
    const message = redact((error as Error).message)
    if (!(error instanceof WrongUsage)) return fail(message)
    return misused(args.includes('--json'), message, '`pan restore --help` shows how it is used.')
  }
}

function readRequest(args: readonly string[]) {
  let parsed
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new WrongUsage((error as Error).message)
  }
  const { values, positionals } = parsed
  const [agent = ''] = positionals
  if (positionals.length !== 1) throw new WrongUsage(`restore takes one agent, got ${positionals.length}.`)
  if (!ID_PATTERN.test(agent)) throw new WrongUsage(`${notAnId(agent)}. Use ${ID_HINT}.`)
  if ([values.list, values.show, values.ref].filter((value) => value !== undefined).length > 1) {
    throw new WrongUsage('Use one of --list, --show and --ref.')
  }
  const needsRef = (['into', 'paths', 'force'] as const).find((name) => values[name] !== undefined)
  if (values.ref === undefined && needsRef !== undefined) throw new WrongUsage(`--${needsRef} goes with --ref.`)
  return { agent: nameOf(agent), ...values }
}

/** An issue's name stands for its agent, as everywhere. */
function nameOf(name: string): string {
  const folder = join(homeFolder(process.env), 'agents')
  const ofIssue = `agent-${name}`
  return !existsSync(join(folder, name)) && existsSync(join(folder, ofIssue)) ? ofIssue : name
}

type Request = ReturnType<typeof readRequest> & { workspace: string }

/** As the daemon published it; the file stays when the daemon is gone. */
async function workspaceOf(agent: string): Promise<string> {
  const file = join(homeFolder(process.env), 'agents', agent, 'state.json')
  const remedy = `Name the folder it worked in: pan restore ${agent} --workspace <path>`
  let workspace: unknown
  try {
    workspace = (JSON.parse(await readFile(file, 'utf8')) as { workspace?: unknown }).workspace
  } catch (error) {
    throw new Error(`Could not find the workspace of ${agent} in ${file}: ${(error as Error).message}. ${remedy}`, {
      cause: error,
    })
  }
  if (typeof workspace === 'string' && workspace !== '') return workspace
  throw new Error(`${file} names no workspace. ${remedy}`)
}

/** A ref may be given whole, as «3-1», or as «latest». */
function pick(found: readonly Snapshot[], { agent }: { agent: string }, ref: string): Snapshot {
  const whole = ref.startsWith('refs/') ? ref : `refs/cloister/${agent}/${ref}`
  const one = ref === 'latest' ? found.at(-1) : found.find((snapshot) => snapshot.ref === whole)
  if (one !== undefined) return one
  const others = found.slice(-5).map((snapshot) => snapshot.ref.split('/').at(-1))
  const remedy = others.length === 0 ? 'There is none of it here.' : `There is ${others.join(', ')}.`
  throw new Error(`There is no snapshot «${ref.length > 64 ? `${ref.slice(0, 64)}…` : ref}» of ${agent}. ${remedy}`)
}

async function show({ workspace, json }: Request, snapshot: Snapshot): Promise<number> {
  const shown = await showSalvage(workspace, snapshot.ref)
  if (json) printJson(clean({ ...snapshotJson(shown), changes: shown.changes }))
  else print(...shownLines(shown).map(redact))
  return EXIT.ok
}

async function bringBack({ workspace, into, paths, force, json }: Request, { ref }: Snapshot): Promise<number> {
  const restored = await restoreSalvage({
    workspace,
    ref,
    wallAt: Date.now(),
    ...(into === undefined ? {} : { into }),
    ...(paths === undefined ? {} : { paths }),
    ...(force === undefined ? {} : { force }),
  })
  const isRefused = restored.refused.length > 0
  const lines = restoredLines(ref, restored).map(redact)
  if (json) printJson(clean({ ref, ...restored }))
  else if (isRefused) fail(...lines)
  else print(...lines)
  return isRefused ? EXIT.problems : EXIT.ok
}

/** Names of files and branches may hold a secret too. */
function clean(value: object): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? redact(part) : part))
  return JSON.parse(text)
}
