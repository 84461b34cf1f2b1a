/**
 * Ending 100 agents in real tmux, every fifth of which ignores SIGHUP and SIGTERM and all of which have a child in a
 * session of its own. All three are programs, from their start to their end: our emergency stop as it is built, which
 * verifies that nobody is left, against a shell that runs one `tmux kill-session` per agent, and against the limit, a
 * shell that kills process groups which it already knows and checks nothing. `pan` is the same through the CLI, as a
 * person types it; `inProcess` only the work, without the start of node. Survivors are counted by a scan of `/proc`.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Census, type Member } from '../src/adapters/process/census.ts'
import { lives } from '../src/adapters/process/proc-stat.ts'
import { ProcessTrees } from '../src/adapters/process/process-trees.ts'
import { prepareSentinel } from '../src/adapters/process/sentinel.ts'
import { brokenOf, median, rounded } from './measure.ts'
import { EMERGENCY_STOP, PAN } from './product.ts'

const AGENTS = 100
const PROCESSES = 4
const ROUNDS = 3
const TREE = 'setsid sleep 600 & sleep 600 & sleep 600 & wait'
const STUBBORN = `trap '' HUP TERM; setsid sleep 600 & sleep 600 & sleep 600 & while :; do wait; sleep 600; done`

const run_ = promisify(execFile)

export const built = true

interface Fleet {
  home: string
  homeId: string
  env: Record<string, string>
  leaders: readonly Member[]
}

type Way = (fleet: Fleet) => Promise<void>

export async function run(): Promise<object> {
  const ways: Record<string, Way> = { ours, peer: killSessions, limit: killGroups, pan, inProcess }
  const times: Record<string, number[]> = {}
  const survivors: Record<string, number> = {}
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const { tookMs, left } = await measure(way)
      survivors[name] = Math.max(survivors[name] ?? 0, left)
      // Round -1 warms the machine up.
      if (round >= 0) (times[name] ??= []).push(tookMs)
    }
  }
  const ms = (name: string) => rounded(median(times[name] ?? []))
  return {
    bench: 'estop',
    ours: ms('ours'),
    peer: ms('peer'),
    limit: ms('limit'),
    unit: `ms to end ${AGENTS} agents of ${PROCESSES} processes, start of the program included`,
    ratio: rounded(ms('peer') / ms('ours')),
    survivors: survivors['ours'],
    peerSurvivors: survivors['peer'],
    limitSurvivors: survivors['limit'],
    pan: ms('pan'),
    inProcess: ms('inProcess'),
    ...brokenOf({ 'nothing survives': OURS.every((name) => survivors[name] === 0) }),
  }
}

const OURS = ['ours', 'pan', 'inProcess']

async function ours({ home, env }: Fleet): Promise<void> {
  await run_(process.execPath, [EMERGENCY_STOP, '--home', home], { env })
}

async function pan({ env }: Fleet): Promise<void> {
  await run_(process.execPath, [PAN, 'cloister', 'emergency-stop', '--yes'], { env })
}

async function inProcess({ home, homeId }: Fleet): Promise<void> {
  await new ProcessTrees({ home, homeId }).stopFleet()
}

const KILL_SESSIONS = 'n=0; while [ $n -lt $2 ]; do tmux -L "$1" kill-session -t "=agent-$n"; n=$((n + 1)); done'

async function killSessions({ homeId, env }: Fleet): Promise<void> {
  await run_('sh', ['-c', KILL_SESSIONS, 'stop', `cloister-${homeId}`, String(AGENTS)], { env })
}

async function killGroups({ leaders, env }: Fleet): Promise<void> {
  await run_('sh', ['-c', 'kill -s KILL -- "$@"', 'stop', ...leaders.map(({ pid }) => `-${pid}`)], { env })
}

async function measure(way: Way): Promise<{ tookMs: number; left: number }> {
  const home = mkdtempSync(join(tmpdir(), 'cloister-estop-'))
  const homeId = `b${randomBytes(6).toString('hex')}`
  try {
    const fleet = await start(home, homeId)
    const before = performance.now()
    await way(fleet)
    const tookMs = performance.now() - before
    return { tookMs, left: await survivorsOf(fleet) }
  } finally {
    await new ProcessTrees({ home, homeId }).stopFleet()
    await run_('tmux', ['-L', `cloister-${homeId}`, 'kill-server'], { env: { TMUX_TMPDIR: home } }).catch(
      () => undefined,
    )
    rmSync(home, { recursive: true, force: true })
  }
}

async function start(home: string, homeId: string): Promise<Fleet> {
  const env = { PATH: process.env['PATH'] ?? '', TMUX_TMPDIR: home, LANG: 'C.UTF-8', PANOPTICON_HOME: home, HOME: home }
  const tmux = async (...args: string[]) =>
    (await run_('tmux', ['-L', `cloister-${homeId}`, '-f', '/dev/null', ...args], { env })).stdout
  writeFileSync(join(home, 'home.id'), homeId)
  await prepareSentinel(home)
  const sessions = Array.from({ length: AGENTS }, (_, n) => {
    const tree = n % 5 === 0 ? STUBBORN : TREE
    return ['new-session', '-d', '-s', `agent-${n}`, '-e', `CLOISTER_RUN=${homeId}.run-${n}`, 'sh', '-c', tree, ';']
  })
  for (let n = 0; n < AGENTS; n += 20) await tmux(...sessions.slice(n, n + 20).flat())
  const members = await settled(homeId)
  const leaders = members.filter(({ pid, session, command }) => pid === session && command === 'sh')
  if (leaders.length !== AGENTS) throw new Error(`${leaders.length} of ${AGENTS} agents came up`)
  return { home, homeId, env, leaders }
}

async function settled(homeId: string): Promise<readonly Member[]> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { members } = await new Census(homeId).take()
    if (members.length === AGENTS * PROCESSES && members.filter(isSleep).length === AGENTS * (PROCESSES - 1)) {
      return members
    }
    await sleep(20)
  }
  throw new Error('The agents did not come up within 10 s. Is the machine too busy?')
}

function isSleep({ command }: Member): boolean {
  return command === 'sleep'
}

/** What tmux has hung up gets half a second to end. */
async function survivorsOf({ homeId }: Fleet): Promise<number> {
  const left = (await new Census(homeId).take()).members
  if (left.length > 0) await sleep(500)
  return left.filter(lives).length
}
