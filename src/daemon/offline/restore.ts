/** The program behind `pan restore`: lists, shows and brings back salvaged work, with or without a daemon. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { restoreSalvage, type Restored } from '../../adapters/git/restore-salvage.ts'
import { ownRefs } from '../../adapters/git/own.ts'
import { listSalvages, mustFind, showSalvage, type Snapshot } from '../../adapters/git/snapshots.ts'
import { listPlain, type PlainSnapshot } from '../../adapters/plain-files/list-file.ts'
import { restorePlain } from '../../adapters/plain-files/restore-plain.ts'
import { ID_HINT, ID_PATTERN, notAnId } from '../../contract/id-pattern.ts'
import { ground } from '../../contract/repository.ts'
import type { OwnRepository } from '../../core/git-port.ts'
import { redact } from '../../core/redact.ts'
import { EXIT, fail, misused, print, printJson } from './config-output.ts'
import {
  listLines,
  newestWork,
  plainJson,
  plainLines,
  restoredLines,
  shownLines,
  snapshotJson,
} from './restore-output.ts'

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
    const given = { ...request, ...(await placeOf(request)) }
    const found = await allOf(given)
    if (request.show !== undefined) return await show(given, pick(found, request, request.show))
    if (request.ref !== undefined) return await bringBack(given, pick(found, request, request.ref))
    if (request.json) printJson(clean(found.map(jsonOf)))
    else print(...listLines(request.agent, given.workspace, found).map(redact))
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

interface Place {
  workspace: string
  own?: OwnRepository | undefined
  place?: string | undefined
}

type Request = Omit<ReturnType<typeof readRequest>, 'workspace'> & Place
type Found = Snapshot | PlainSnapshot

/** A workspace that a person names is looked in as it is; of an agent only its own repository counts. */
async function placeOf({ agent, workspace }: { agent: string; workspace?: string | undefined }): Promise<Place> {
  return workspace === undefined ? workspaceOf(agent) : { workspace: resolve(workspace) }
}

/** Of its repository and of the home, oldest first. */
async function allOf({ agent, ...where }: Request): Promise<Found[]> {
  const plain = await listPlain(homeFolder(process.env), agent)
  const refs = plain.length === 0 && where.own !== 'none' ? await mustFind(where) : await ownRefs(where)
  const found: Found[] = [...(refs === undefined ? [] : await listSalvages(refs, agent)), ...plain]
  return found.toSorted((a, b) => a.savedWallAt - b.savedWallAt)
}

function jsonOf(one: Found) {
  return 'list' in one ? plainJson(one) : snapshotJson(one)
}

/** As the daemon published it; the file stays when the daemon is gone. */
async function workspaceOf(agent: string): Promise<Place> {
  const file = join(homeFolder(process.env), 'agents', agent, 'state.json')
  const remedy = `Name the folder it worked in: pan restore ${agent} --workspace <path>`
  let state: { workspace?: unknown; repository?: unknown; place?: unknown }
  try {
    state = JSON.parse(await readFile(file, 'utf8')) as typeof state
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const known = '`pan agents list` shows those that are known'
      throw new Error(`There is no agent ${agent} in ${homeFolder(process.env)}; ${known}. ${remedy}`, { cause: error })
    }
    throw new Error(`Could not find the workspace of ${agent} in ${file}: ${(error as Error).message}. ${remedy}`, {
      cause: error,
    })
  }
  const { workspace } = state
  const own = ground.shape.repository.safeParse(state.repository).data
  const place = ground.shape.place.safeParse(state.place).data
  if (typeof workspace === 'string' && workspace !== '') return { workspace: resolve(workspace), own, place }
  throw new Error(`${file} names no workspace. ${remedy}`)
}

/** A ref may be given whole, as «3-1», or as «latest». A short name stands for a ref of the repository, else for plain files. */
function pick(found: readonly Found[], { agent }: { agent: string }, ref: string): Found {
  const whole = [ref, `refs/cloister/${agent}/${ref}`, `salvage/${agent}/${ref}`]
  const named = whole.map((name) => found.find((snapshot) => snapshot.ref === name))
  const one = ref === 'latest' ? newestWork(found) : named.find((snapshot) => snapshot !== undefined)
  if (one !== undefined) return one
  const others = found.slice(-5).map((each) => ('list' in each ? each.ref : each.ref.split('/').at(-1)))
  const remedy = others.length === 0 ? 'There is none of it here.' : `There is ${others.join(', ')}.`
  throw new Error(`There is no snapshot «${ref.length > 64 ? `${ref.slice(0, 64)}…` : ref}» of ${agent}. ${remedy}`)
}

async function show({ json, workspace, own }: Request, snapshot: Found): Promise<number> {
  if ('list' in snapshot) {
    if (json) printJson(clean({ ...plainJson(snapshot), changes: snapshot.list.files }))
    else print(...plainLines(snapshot).map(redact))
    return EXIT.ok
  }
  const shown = await showSalvage(workspace, snapshot.ref, own)
  if (json) printJson(clean({ ...snapshotJson(shown), changes: shown.changes }))
  else print(...shownLines(shown).map(redact))
  return EXIT.ok
}

async function bringBack({ json, ...request }: Request, snapshot: Found): Promise<number> {
  const restored = await restore(request, snapshot)
  const { ref } = snapshot
  const isRefused = restored.refused.length > 0
  const lines = restoredLines(ref, restored).map(redact)
  if (json) printJson(clean({ ref, ...restored }))
  else if (isRefused) fail(...lines)
  else print(...lines)
  return isRefused ? EXIT.problems : EXIT.ok
}

async function restore(
  { agent, workspace, own, place, into, paths, force }: Request,
  snapshot: Found,
): Promise<Restored> {
  const wanted = {
    workspace,
    place,
    ref: snapshot.ref,
    paths,
    force,
    wallAt: Date.now(),
    ...(into === undefined ? {} : { into }),
  }
  if (!('list' in snapshot)) return restoreSalvage({ ...wanted, own })
  const { written, same, refused, deleted, notes, ...rest } = await restorePlain({
    ...{ ...wanted, agent, home: homeFolder(process.env) },
  })
  return {
    ...rest,
    ...{ written: [...written], same: [...same], refused: [...refused], deleted: [...deleted], notes: [...notes] },
    ...{ notDeleted: [], submodules: [] },
  }
}

/** Names of files and branches may hold a secret too. */
function clean(value: object): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? redact(part) : part))
  return JSON.parse(text)
}
