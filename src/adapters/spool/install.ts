/** Puts the hook programs and the folders that they use into a home, and says what is wrong with them. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, FOLDERS, reasonOf } from './layout.ts'

const PROGRAMS = { 'heartbeat-hook': 'report.sh', 'ask-hook': 'ask.sh', 'status-line': 'status-line.sh' } as const

/** Changes only what differs. Throws a sentence when the home cannot be used. */
export function installHooks(home: string): void {
  for (const folder of FOLDERS) makeFolder(join(home, folder))
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const path = join(home, 'bin', name)
    if (programProblem(path, source) !== undefined) replaceProgram(path, readSource(source))
  }
}

/** What is missing or wrong, each with its fix; empty when hooks can report. */
export function checkHooks(home: string): string[] {
  const folders = FOLDERS.map((folder) => folderProblem(join(home, folder)))
  const programs = Object.entries(PROGRAMS).map(([name, source]) => programProblem(join(home, 'bin', name), source))
  return [...folders, ...programs].filter((problem) => problem !== undefined)
}

function makeFolder(path: string): void {
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
    const stats = lstatSync(path)
    if (!stats.isDirectory()) throw new Error('it is not a folder of its own (a link or a file): remove it')
    if ((stats.mode & 0o777) !== 0o700) chmodSync(path, 0o700)
  } catch (error) {
    throw new Error(`Cannot prepare ${path} for the hooks: ${reasonOf(error)}.`, { cause: error })
  }
}

function replaceProgram(path: string, text: string): void {
  const draft = `${path}.new`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o700, flag: 'wx' })
    // The mode at creation is subject to the umask.
    chmodSync(draft, 0o700)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Error(`Could not install the hook ${path}: ${reasonOf(error)}.`, { cause: error })
  }
}

const FIX = 'Run `pan up`, which puts it right.'

function folderProblem(path: string): string | undefined {
  try {
    const { mode, uid } = lstatSync(path)
    if (!lstatSync(path).isDirectory()) return `${path} is not a folder. Remove it, then run \`pan up\`.`
    if (uid !== process.getuid?.()) return `${path} belongs to user ${uid}, not to you. Remove it, then run \`pan up\`.`
    if ((mode & 0o777) !== 0o700) return `${path} has mode ${(mode & 0o777).toString(8)} instead of 700. ${FIX}`
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return `The folder ${path} is missing. ${FIX}`
    return `The folder ${path} cannot be used: ${reasonOf(error)}. Make it writable for you.`
  }
}

function programProblem(path: string, source: string): string | undefined {
  try {
    if (!lstatSync(path).isFile()) return `The hook ${path} is not a file of its own. ${FIX}`
    if ((lstatSync(path).mode & 0o777) !== 0o700) return `The hook ${path} has not mode 700. ${FIX}`
    if (readFileSync(path, 'utf8') !== readSource(source)) return `The hook ${path} is not that of this version. ${FIX}`
    return undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return `The hook ${path} is missing. ${FIX}`
    return `The hook ${path} cannot be read: ${reasonOf(error)}. ${FIX}`
  }
}

function readSource(name: string): string {
  return readFileSync(findSource(name, import.meta.url), 'utf8')
}

/** In sources the programs lie in src/hook; in a build this code is part of a bundle somewhere in dist. */
function findSource(name: string, from: string): URL {
  const urls = ['../../hook/', '../hook/', './hook/'].map((place) => new URL(`${place}${name}`, from))
  const found = urls.find((url) => existsSync(fileURLToPath(url)))
  if (found !== undefined) return found
  throw new Error(
    `The hook program ${name} is missing; looked for ${urls.map((url) => fileURLToPath(url)).join(', ')}. ` +
      'Build again, or install Cloister anew.',
  )
}
