/**
 * Ending 100 agents in real tmux, every fifth of which ignores SIGHUP and SIGTERM and all of which have a child in a
 * session of its own: our emergency stop, verified, against one `kill-session` per agent, and against the limit,
 * killing process groups that are already known and checking nothing. Survivors are counted by a scan of `/proc`.
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

const AGENTS = 100
const PROCESSES = 4
const ROUNDS = 3
const TREE = 'setsid sleep 600 & sleep 600 & sleep 600 & wait'
const STUBBORN = `trap '' HUP TERM; setsid sleep 600 & sleep 600 & sleep 600 & while :; do wait; sleep 600; done`

const run_ = promisify(execFile)

interface Fleet {
  home: string
  homeId: string
  tmux: (...args: string[]) => Promise<string>
  leaders: readonly Member[]
}

type Way = (fleet: Fleet) => Promise<void>

export async function run(): Promise<object> {
  const ways: Record<string, Way> = { ours, peer: killSessions, limit: killGroups, program }
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
    unit: `ms to end ${AGENTS} agents of ${PROCESSES} processes`,
    ratio: rounded(ms('peer') / ms('ours')),
    survivors: survivors['ours'],
    peerSurvivors: survivors['peer'],
    limitSurvivors: survivors['limit'],
    program: ms('program'),
    programSurvivors: survivors['program'],
    ...brokenOf({ 'nothing survives': survivors['ours'] === 0 && survivors['program'] === 0 }),
  }
}

async function ours({ home, homeId }: Fleet): Promise<void> {
  await new ProcessTrees({ home, homeId }).stopFleet()
}

async function killSessions({ tmux }: Fleet): Promise<void> {
  for (let n = 0; n < AGENTS; n += 1) await tmux('kill-session', '-t', `=agent-${n}`)
}

async function killGroups({ leaders }: Fleet): Promise<void> {
  for (const { pid } of leaders) process.kill(-pid, 'SIGKILL')
}

/** As a person starts it, the start of Node included. */
async function program({ home }: Fleet): Promise<void> {
  await run_(process.execPath, [join(import.meta.dirname, '../src/hook/emergency-stop.ts'), '--home', home], {
    env: { ...process.env, TMUX_TMPDIR: home },
  })
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
  const env = { PATH: process.env['PATH'] ?? '', TMUX_TMPDIR: home, LANG: 'C.UTF-8' }
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
  return { home, homeId, tmux, leaders }
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
