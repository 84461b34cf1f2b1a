/**
 * What was used, by a gigabyte of transcripts in 2,000 files: as a one-shot program without and with an index, against
 * the newest native ccusage on the same files in the same run, and against the limit, `wc -l`. Then what a line costs
 * that is added to a session which the daemon follows. All sums must be those of a full parse of every line.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { rolldown } from 'rolldown'
import { bestScanner } from '../src/adapters/claude-code/transcripts/best-scanner.ts'
import { TranscriptSet } from '../src/adapters/claude-code/transcripts/transcript-set.ts'
import { fullParse, type Totals } from '../tests/e2e/transcripts/full-parse.ts'
import { installCcusage } from './install-ccusage.ts'
import { inTurns, median, rounded } from './measure.ts'
import { growSet, writeSet, type GeneratedSet } from './transcript-set.ts'

// A smaller set, to try the benchmark itself: CLOISTER_BENCH_FILES=100.
const FILES = Number(process.env['CLOISTER_BENCH_FILES'] ?? 2000)
const FILE_BYTES = 482_000
const GROWING = Math.ceil(FILES / 100)
const ROUNDS = 5
const SINGLE_LINES = 2000
const ROOT = join(import.meta.dirname, '..')

export async function run(): Promise<object> {
  const { program: ccusage, version } = installCcusage()
  const folder = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  try {
    const set = writeSet(folder, { files: FILES, fileBytes: FILE_BYTES })
    const programs = { folder, ccusage, ours: await bundle(join(folder, 'program')) }
    const cold = measureCold(programs, set)
    const sums = compare(programs, set)
    const rescan = measureRescan(programs, set)
    const later = compare(programs, set, indexOf(folder))
    return {
      bench: 'transcripts',
      ours: rounded(cold.ours),
      peer: rounded(cold.peer),
      limit: rounded(cold.limit),
      unit: `ms for ${rounded(set.bytes / 1e9)} GB, ${set.lines} lines (peer: ccusage ${version} claude daily, limit: wc -l)`,
      ratio: rounded(cold.peer / cold.ours),
      rescan: { ours: rounded(rescan.ours), peer: rounded(rescan.peer), ratio: rounded(rescan.peer / rescan.ours) },
      daemonMicrosPerLine: measureDaemon(set),
      peakMegabytes: { ours: await peak(programs, 'ours'), peer: await peak(programs, 'peer') },
      equalToFullParse: { ours: sums.ours && later.ours, peer: sums.peer && later.peer },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Programs {
  folder: string
  ccusage: string
  ours: string
}

/** The program as the build makes it, so that the benchmark needs no fresh dist. */
async function bundle(dir: string): Promise<string> {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: {
      'daemon/offline/transcripts': 'src/daemon/offline/transcripts.ts',
      'adapters/claude-code/scan-worker': 'src/adapters/claude-code/scan-worker.ts',
    },
  })
  await build.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
  return join(dir, 'daemon/offline/transcripts.js')
}

function measureCold(programs: Programs, { files }: GeneratedSet) {
  return inTurns(
    {
      peer: { run: () => runPeer(programs) },
      ours: { run: () => runOurs(programs) },
      limit: { run: () => start('wc', ['-l', ...files], programs) },
    },
    ROUNDS,
  )
}

function measureRescan(programs: Programs, set: GeneratedSet) {
  runOurs(programs, indexOf(programs.folder))
  let seed = 100
  const grow = () => {
    seed += 1
    growSet({ ...set, files: set.files.filter((_, n) => n % 100 === 3).slice(0, GROWING) }, FILE_BYTES, seed)
  }
  return inTurns(
    {
      ours: { prepare: grow, run: () => runOurs(programs, indexOf(programs.folder)) },
      peer: { run: () => runPeer(programs) },
    },
    ROUNDS,
  )
}

function indexOf(folder: string): string {
  return join(folder, 'index')
}

/** One line at a time, each seen by a look at its file: usage and the tail. The worker's messages are not counted. */
function measureDaemon({ files }: GeneratedSet) {
  const followed = files.slice(0, 100)
  const set = new TranscriptSet(bestScanner())
  const numbers = set.enter(followed)
  for (const number of numbers) set.lookAtTail(number)
  const lines = readFileSync(files[200] ?? files[0] ?? '', 'utf8')
    .trimEnd()
    .split('\n')
  const single = Array.from({ length: SINGLE_LINES }, (_, n) => {
    const at = n % followed.length
    appendFileSync(followed[at] ?? '', `${lines[n % lines.length]}\n`)
    return timed(() => set.lookAtTail(numbers[at] ?? 0))
  })
  const sorted = single.toSorted((a, b) => a - b)
  const many = Array.from({ length: 10 }, () => {
    appendFileSync(followed[0] ?? '', `${lines.join('\n')}\n`)
    return timed(() => set.lookAtTail(numbers[0] ?? 0)) / lines.length
  })
  return {
    single: rounded(1000 * median(single)),
    singleP99: rounded(1000 * (sorted[Math.floor(sorted.length * 0.99)] ?? 0)),
    together: rounded(1000 * median(many)),
  }
}

function timed(run: () => void): number {
  const before = performance.now()
  run()
  return performance.now() - before
}

function compare(programs: Programs, { files }: GeneratedSet, index?: string): { ours: boolean; peer: boolean } {
  const truth = fullParse(files)
  const { models } = JSON.parse(runOurs(programs, index)) as { models: Totals }
  if (!isDeepStrictEqual(models, truth)) {
    throw new Error(`Our sums differ from a full parse: ${JSON.stringify({ models, truth })}`)
  }
  const { totals } = JSON.parse(runPeer(programs)) as { totals: Record<string, number> }
  const sum = (name: 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h') =>
    Object.values(truth).reduce((total, figures) => total + figures[name], 0)
  return {
    ours: true,
    peer:
      totals['inputTokens'] === sum('input') &&
      totals['outputTokens'] === sum('output') &&
      totals['cacheReadTokens'] === sum('cacheRead') &&
      totals['cacheCreationTokens'] === sum('cacheWrite5m') + sum('cacheWrite1h'),
  }
}

function runOurs(programs: Programs, index?: string): string {
  return start(process.execPath, oursArgs(programs, index), programs)
}

function oursArgs({ ours, folder }: Programs, index?: string): string[] {
  return [ours, join(folder, 'projects'), '--json', ...(index === undefined ? [] : ['--index', index])]
}

const PEER_ARGS = ['claude', 'daily', '--json', '--offline']

function runPeer(programs: Programs): string {
  return start(programs.ccusage, PEER_ARGS, programs)
}

function start(program: string, args: readonly string[], { folder }: Programs): string {
  const { status, stdout, stderr } = spawnSync(program, args, { ...surroundings(folder), encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}

function surroundings(folder: string) {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  return { env: { PATH: process.env['PATH'], HOME: home, CLAUDE_CONFIG_DIR: folder }, maxBuffer: 1e8 }
}

/** The most memory that the kernel saw the program use. */
async function peak(programs: Programs, which: 'ours' | 'peer'): Promise<number> {
  const [program, args] = which === 'ours' ? [process.execPath, oursArgs(programs)] : [programs.ccusage, PEER_ARGS]
  const child = spawn(program, args, { env: surroundings(programs.folder).env, stdio: 'ignore' })
  let kilobytes = 0
  const timer = setInterval(() => {
    kilobytes = Math.max(kilobytes, peakOf(child.pid))
  }, 5)
  await once(child, 'exit')
  clearInterval(timer)
  return rounded(kilobytes / 1024)
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has just ended.
    return 0
  }
}
