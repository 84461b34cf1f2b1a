/**
 * Every benchmark one after the other, each in a process of its own, and docs/figures.md from what they say. One that
 * fails or breaks a promise is named, and the others are measured all the same.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { printFigures, readRatios, type Figure } from './figures.ts'

const ROOT = join(import.meta.dirname, '..')
const FILE = 'docs/figures.md'
/** Of what a benchmark says when it fails, so much is kept. */
const LONGEST_REASON = 300

/** 0 when all were measured and no promise is broken, else 1. */
export async function runAll(names: readonly string[]): Promise<number> {
  const began = performance.now()
  const figures: Figure[] = []
  for (const [n, name] of names.entries()) {
    process.stderr.write(`${name} (${n + 1} of ${names.length})…`)
    const beganThis = performance.now()
    const figure = await measure(name)
    figures.push(figure)
    process.stderr.write(` ${seconds(beganThis)} s${saying(figure)}\n`)
  }
  mkdirSync(join(ROOT, 'docs'), { recursive: true })
  writeFileSync(join(ROOT, FILE), printFigures({ ...surroundings(), figures, before: ratiosBefore() }))
  process.stderr.write(`Wrote ${FILE} after ${seconds(began)} s.\n`)
  const bad = figures.filter(({ failed, broken = [] }) => failed !== undefined || broken.length > 0)
  if (bad.length > 0) process.stderr.write(`Failed or broke a promise: ${bad.map(({ bench }) => bench).join(', ')}.\n`)
  return bad.length === 0 ? 0 : 1
}

async function measure(name: string): Promise<Figure> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), name], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  try {
    return JSON.parse(stdout) as Figure
  } catch {
    return { bench: name, failed: `ended with ${code ?? 'a signal'}. ${reasonIn(stderr)}`.trim() }
  }
}

/** The error itself, without the source line and the stack that node prints around it; paths would name this machine. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n')
  const line = lines.find((each) => /^(?:\w*Error\b.*?): /.test(each)) ?? lines.find((each) => each.trim() !== '') ?? ''
  return line.replaceAll(`${ROOT}/`, '').slice(0, LONGEST_REASON)
}

function saying({ ratio, failed, broken = [] }: Figure): string {
  if (failed !== undefined) return `, failed: ${failed}`
  const told = ratio === undefined ? '' : `, ratio ${ratio}`
  return broken.length === 0 ? told : `${told}, broken: ${broken.join('; ')}`
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1_000)
}

function surroundings() {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const machine = `${cpus().length} × ${model}, ${memory}, Node ${process.version}, Linux ${release()}`
  const isChanged = (git('status', '--porcelain', '--untracked-files=no') ?? '') !== ''
  const commit = git('rev-parse', '--short', 'HEAD')?.trim() ?? 'none'
  return {
    date: new Date().toISOString().slice(0, 10),
    machine,
    commit: isChanged ? `${commit}, with changes` : commit,
  }
}

/** None where the file, the commit or git itself is missing. */
function ratiosBefore(): Map<string, number> {
  return readRatios(git('show', `HEAD:${FILE}`) ?? '')
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
