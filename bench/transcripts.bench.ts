/**
 * What was used, by a gigabyte of transcripts in 2,000 files, as programs of their own, ours as it is built:
 * `ours`, `peer` and `limit` read everything (ours without an index, the newest native ccusage, `wc -l`); `rescan` is
 * the same after 1 % was added, ours with its index file, which it brings up to date, and ccusage, which has none.
 * Then, in `daemonMicros`, what a line costs that is added to a session which the daemon follows (measureDaemon says
 * how). All in the same run, in turns, medians; each program was started for nothing just before, since the first start
 * on a processor that rested takes longer, whatever is started. All sums must be those of a full parse of every line.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { followTail } from '../src/adapters/claude-code/session-tail.ts'
import { UsageReader } from '../src/adapters/claude-code/transcripts/usage-reader.ts'
import { fullParse, type Totals } from '../tests/e2e/transcripts/full-parse.ts'
import { installCcusage } from './install-ccusage.ts'
import { inTurns, median, rounded } from './measure.ts'
import { TRANSCRIPTS } from './product.ts'
import { exchanges, growSet, writeSet, type GeneratedSet } from './transcript-set.ts'

// A smaller set, to try the benchmark itself: CLOISTER_BENCH_FILES=100.
const FILES = Number(process.env['CLOISTER_BENCH_FILES'] ?? 2000)
const FILE_BYTES = 482_000
const GROWING = Math.ceil(FILES / 100)
const ROUNDS = 5
/** More: ours is so short that whatever else the machine does weighs more. */
const RESCAN_ROUNDS = 9
const LOOKS = 4000

export const built = true

export async function run(): Promise<object> {
  const { program: ccusage, version } = installCcusage()
  const folder = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  try {
    const set = writeSet(folder, { files: FILES, fileBytes: FILE_BYTES })
    const programs = { folder, ccusage, ours: TRANSCRIPTS }
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
      daemonMicros: measureDaemon(programs, set),
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

function measureCold(programs: Programs, { files }: GeneratedSet) {
  return inTurns(
    {
      peer: { prepare: () => wakePeer(programs), run: () => runPeer(programs) },
      ours: { prepare: () => wakeOurs(programs), run: () => runOurs(programs) },
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
    wakeOurs(programs)
  }
  return inTurns(
    {
      ours: { prepare: grow, run: () => runOurs(programs, indexOf(programs.folder)) },
      peer: { prepare: () => wakePeer(programs), run: () => runPeer(programs) },
    },
    RESCAN_ROUNDS,
  )
}

function indexOf(folder: string): string {
  return join(folder, 'index')
}

/**
 * What the daemon's thread does when it is asked about a session that grew: its folder of subagents, its file, the new
 * lines, each message once, the sums by model. The daemon looks 250 ms after a file changed and finds a message with the
 * result of its call there, two to four lines; `perLine` is such a look divided by its lines. `wake` is a whole look
 * for one line that comes alone, `witnessPerLine` what the second witness needs of its own, on the daemon's loop, for a
 * line of such a look. Medians; the mean counts also what the machine did in between.
 */
function measureDaemon({ folder }: Programs, { files }: GeneratedSet) {
  const followed = files.filter((file) => !file.includes('/subagents/')).slice(0, 100)
  const reader = new UsageReader({ projects: join(folder, 'projects') })
  const look = (file: string) => reader.ofSessions([basename(file, '.jsonl')])
  for (const file of followed) look(file)
  const added = exchanges(LOOKS, 999)
  const perLine = lookAtEach(followed, added, look)
  const wake = lookAtEach(
    followed,
    exchanges(LOOKS, 998)
      .flat()
      .slice(0, LOOKS)
      .map((line) => [line]),
    look,
  )
  const places = new Map(followed.map((file) => [file, followTail(file, undefined)]))
  const witness = lookAtEach(followed, exchanges(LOOKS, 997), (file) =>
    places.set(file, followTail(file, places.get(file))),
  )
  reader.close()
  return {
    perLine: perLine.median,
    perLineMean: perLine.mean,
    linesOfALook: rounded(added.flat().length / added.length),
    wake: wake.median,
    witnessPerLine: witness.median,
  }
}

/** Microseconds a line: all the time over all the lines, and the median of the looks. The first tenth warms up. */
function lookAtEach(files: readonly string[], added: readonly string[][], look: (file: string) => void) {
  const looks = added.map((lines, n) => {
    const file = files[n % files.length] ?? ''
    appendFileSync(file, `${lines.join('\n')}\n`)
    return { ms: timed(() => look(file)), lines: lines.length }
  })
  const warm = looks.slice(looks.length / 10)
  const [ms, lines] = [
    warm.reduce((sum, { ms: own }) => sum + own, 0),
    warm.reduce((sum, { lines: own }) => sum + own, 0),
  ]
  return { mean: rounded((1000 * ms) / lines), median: rounded(1000 * median(warm.map((own) => own.ms / own.lines))) }
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
  return [
    ...flagsOf(ours),
    ours,
    join(folder, 'projects'),
    '--json',
    ...(index === undefined ? [] : ['--index', index]),
  ]
}

/** Those with which its first line starts it. */
function flagsOf(program: string): string[] {
  return /^#!.* node (.*)$/m.exec(readFileSync(program, 'utf8'))?.[1]?.split(' ') ?? []
}

const PEER_ARGS = ['claude', 'daily', '--json', '--offline']

function runPeer(programs: Programs): string {
  return start(programs.ccusage, PEER_ARGS, programs)
}

function wakeOurs({ ours, folder }: Programs): void {
  spawnSync(process.execPath, [...flagsOf(ours), ours], surroundings(folder))
}

function wakePeer({ ccusage, folder }: Programs): void {
  spawnSync(ccusage, ['--version'], surroundings(folder))
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
