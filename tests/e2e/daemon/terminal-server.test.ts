/** The agents' terminal server ends or stands still under a daemon that lives on; what is not ours is left alone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lives, readStat, type ProcStat } from '../../../src/adapters/process/proc-stat.ts'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import type { Event } from '../../../src/contract/events.ts'
import type { InboxView } from '../../../src/contract/views.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { LiveHome } from './live-home.ts'
import { built } from '../../programs.ts'

const EMERGENCY_STOP = built('hook/emergency-stop')
const AGENTS = ['agent-1', 'agent-2'] as const

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  await live.up()
  for (const id of AGENTS) await live.spawn(id, 'steady', 'Begin.')
  await live.until(async () => (await healths()).every((health) => health === 'active'), 'both are judged active')
})

afterEach(() => live.remove())

function healths(): Promise<(string | undefined)[]> {
  return Promise.all(AGENTS.map(async (id) => (await live.agent(id)).health))
}

function serverPid(): number {
  const pid = Number(live.tmux('display-message', '-p', '#{pid}'))
  if (!(pid > 1)) throw new Error('the terminal server does not say its pid')
  return pid
}

function typesSince(since: number): Event['type'][] {
  return live.events.slice(since).map(({ type }) => type)
}

const acted = (since: number) => typesSince(since).filter((type) => type.startsWith('act.'))

describe('the server is killed', () => {
  test('both are reported dead, one item each and one for both, nothing is done; then they can be started again', async () => {
    const since = live.events.length
    process.kill(serverPid(), 'SIGKILL')
    await live.until(async () => (await inbox()).length === 3, 'three items')
    // The next looks must not add to them.
    const looked = (await status()).lastCheckWallAt ?? 0
    await live.until(async () => ((await status()).lastCheckWallAt ?? 0) > looked, 'one more look')
    expect(await inbox()).toEqual(['dead agent-1', 'dead agent-2', 'mass'])
    expect({ acts: acted(since), healths: await healths() }).toEqual({ acts: [], healths: ['stuck', 'stuck'] })

    for (const id of AGENTS) await live.client.post(`/api/agents/${id}/kill`)
    await live.until(async () => (await lifecycles()).every((each) => each === 'stopped'), 'both are stopped')
    for (const id of AGENTS) {
      const body = { id, project: 'live', workspace: join(live.root, `work-${id}`), runtime: 'understudy' }
      await live.client.post('/api/agents', { ...body, model: 'steady' })
    }
    // Without a prompt they soon rest.
    const lives = (each: string) => each === 'active' || each === 'idle'
    await live.until(async () => (await lifecycles()).every(lives), 'both live again')
    await live.until(async () => (await inbox()).length === 0, 'nothing is asked any more')
    expect((await Promise.all(AGENTS.map((id) => live.agent(id)))).map(({ generation }) => generation)).toEqual([2, 2])
  })
})

describe('the server stands still', () => {
  test('the house is blind, nobody is judged, and it sees again afterwards', async () => {
    const since = live.events.length
    const pid = serverPid()
    process.kill(pid, 'SIGSTOP')
    try {
      await live.event('house.blinded', undefined, since)
      expect({ inbox: await inbox(), lifecycles: await lifecycles() }).toEqual({
        inbox: [],
        lifecycles: ['active', 'active'],
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await live.event('house.sighted', undefined, since)
    await live.until(async () => (await healths()).every((health) => health === 'active'), 'both are judged active')
    const judged = live.events.slice(since).flatMap((event) => (event.type === 'agent.health-changed' ? event.to : []))
    expect({ acts: acted(since), bad: judged.filter((to) => to !== 'active' && to !== 'unknown') }).toEqual({
      acts: [],
      bad: [],
    })
    expect(live.events.filter(({ type }) => type === 'agent.started')).toHaveLength(2)
  })
})

describe('what is not ours', () => {
  const elsewhere = `cloister-canary-${randomBytes(6).toString('hex')}`

  /** A session by hand, with nothing of ours in its environment; gives its process. */
  function canary(socket: string): ProcStat {
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: live.env, encoding: 'utf8' })
    tmux('new-session', '-d', '-s', 'agent-1-canary', 'sleep', '300')
    const stat = readStat(Number(tmux('list-panes', '-t', '=agent-1-canary:', '-F', '#{pane_pid}')))
    if (stat === undefined) throw new Error('the canary has not come up')
    return stat
  }

  afterEach(() => {
    spawnSync('tmux', ['-L', elsewhere, 'kill-server'], { env: live.env, stdio: 'ignore' })
  })

  test('a kill leaves a session by hand on our socket and one elsewhere alone; so does the daemon’s emergency stop', async () => {
    const canaries = [canary(`cloister-${live.id}`), canary(elsewhere)]
    await live.client.post('/api/agents/agent-1/kill')
    await live.until(async () => (await live.agent('agent-1')).lifecycle === 'stopped', 'it is stopped')
    expect(canaries.filter(lives)).toEqual(canaries)
    await live.client.post('/api/cloister/emergency-stop')
    await live.event('emergency.ended')
    expect(canaries.filter(lives)).toEqual(canaries)
    expect(await livingRuns()).toEqual([])
  })

  test('the emergency-stop program ends the agents alone: neither the server nor a session of a person', async () => {
    const canaries = [canary(`cloister-${live.id}`), canary(elsewhere)]
    const server = readStat(serverPid())
    execFileSync(process.execPath, [EMERGENCY_STOP, '--home', live.home], { env: live.env })
    expect(await livingRuns()).toEqual([])
    expect([server, ...canaries].map((one) => one !== undefined && lives(one))).toEqual([true, true, true])
  })
})

async function livingRuns(): Promise<string[]> {
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const runs = live.events.flatMap((event) => (event.type === 'act.decided' ? (event.act.run ?? []) : []))
  const looks = await Promise.all(runs.map(async (run) => ({ run, ...(await trees.lookAt(run)) })))
  return looks.filter(({ alive }) => alive).map(({ run }) => run)
}

function lifecycles(): Promise<string[]> {
  return Promise.all(AGENTS.map(async (id) => (await live.agent(id)).lifecycle))
}

function status(): Promise<StatusView> {
  return live.client.get('/api/cloister/status')
}

async function inbox(): Promise<string[]> {
  const { items } = await live.client.get<InboxView>('/api/inbox')
  return items.map(({ kind, agent }) => (agent === undefined ? kind : `${kind} ${agent}`)).toSorted()
}
