/** `pan drill` as people run it: in temporary homes and in a live one; it passes, it can fail, and nothing remains. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { drillView, type DrillView } from '../../../src/contract/drill.ts'
import type { AgentsView } from '../../../src/contract/views.ts'
import { configure } from '../judgement/stage.ts'
import { LiveHome } from './live-home.ts'
import { COMPILE_CACHE, built } from '../../programs.ts'

const PAN = built('cli/main')
/** Of a temporary home whose drill was cut off by a failing test: Ctrl-C clears it away. */
const LONGEST_MS = 150_000

let root: string
let apart: Promise<Ran>
let live: LiveHome | undefined

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cloister-drills-'))
  mkdirSync(join(root, 'tmux'), { mode: 0o700 })
  // They mostly wait, so that the live ones run meanwhile.
  apart = pan(['drill', 'hang', 'crash', 'mass-death', '--temporary', '--json'], homeless())
})

afterEach(async () => {
  await live?.remove()
  live = undefined
})

afterAll(async () => {
  await apart
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

interface Ran {
  code: number | null
  out: string
  err: string
}

async function pan(args: readonly string[], env: Readonly<Record<string, string>>, cutAt?: string): Promise<Ran> {
  const child = spawn(process.execPath, [PAN, ...args], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGINT'), LONGEST_MS)
  let [out, err] = ['', '']
  let isCut = false
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString()
    if (isCut || cutAt === undefined || !out.includes(cutAt)) return
    isCut = child.kill('SIGINT')
  })
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  await once(child, 'close')
  clearTimeout(timer)
  return { code: child.exitCode, out, err }
}

function homeless(): Record<string, string> {
  const places = { HOME: root, PANOPTICON_HOME: join(root, 'home'), TMPDIR: root, TMUX_TMPDIR: join(root, 'tmux') }
  return { ...COMPILE_CACHE, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...places }
}

/** Processes that have this folder in their environment, but for ourselves. */
function livingIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PANOPTICON_HOME=${folder}`)
    } catch {
      return false
    }
  })
}

/** What a home holds of agents: their files, transcripts and registry entries. */
function tracesIn(home: string): string[] {
  const folders = ['agents', 'understudy/projects', 'understudy/sessions'].map((name) => join(home, name))
  return folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
}

async function agentsOf({ client }: LiveHome): Promise<string[]> {
  const { specialists, issueAgents, projectAgents } = await client.get<AgentsView>('/api/agents')
  return [...specialists, ...issueAgents, ...projectAgents].map(({ id }) => id)
}

function viewIn({ out }: Ran): DrillView {
  return drillView.parse(JSON.parse(out))
}

/** What a drill makes outside of the home lies in its root, too. */
function inside({ env, root: TMPDIR }: LiveHome): Record<string, string> {
  return { ...env, TMPDIR }
}

async function liveHome(): Promise<LiveHome> {
  live = new LiveHome()
  configure(live, undefined)
  await live.up()
  return live
}

test('in a live home a simulated agent gets the fault and is gone afterwards; a real one is refused', async () => {
  const home = await liveHome()
  const ran = await pan(['drill', 'silent-prompt', '--json'], inside(home))
  expect(ran.code, ran.err).toBe(0)
  const view = viewIn(ran)
  expect(view).toMatchObject({
    passed: true,
    drills: [{ fault: 'silent-prompt', home: 'live', agents: ['agent-drill-silent-prompt-1'], passed: true }],
  })
  expect(ran.err).toContain('injected: silent-prompt')
  expect(home.events.flatMap((event) => (event.type === 'agent.registered' ? [event.simulated] : []))).toEqual([true])
  expect(await agentsOf(home)).toEqual([])
  expect(tracesIn(home.home)).toEqual([])

  const real = { id: 'agent-real', project: 'live', workspace: home.workspace('real'), runtime: 'claude-code' }
  await home.client.post('/api/agents', real)
  const refused = await pan(['drill', 'hang', '--agent', 'agent-real'], inside(home))
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('Drill hang') as string })
  expect(refused.err).toContain('agent-real is a real agent (claude-code): a drill would harm its work')
  const typed = home.events.filter((event) => event.type === 'message.queued' && event.agent === 'agent-real')
  expect(typed).toEqual([])
})

test('what is not noticed in time fails the drill; Ctrl-C in the middle of one clears away, too', async () => {
  const home = await liveHome()
  // A hang takes a quarter of an hour here.
  const late = await pan(['drill', 'hang', '--timeout', '3s', '--json'], inside(home))
  expect(late.code, late.err).toBe(1)
  const outcome = 'not noticed in time: the verdict hung was not seen'
  expect(viewIn(late)).toMatchObject({ passed: false, drills: [{ fault: 'hang', passed: false, outcome }] })
  expect(late.err).toContain('This home calls an agent hung after 15 min of silence.')

  const cut = await pan(['drill', 'hang'], inside(home), 'injected: hang')
  expect(cut).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted') as string })
  expect(await agentsOf(home)).toEqual([])
  expect(tracesIn(home.home)).toEqual([])
  expect(readdirSync(home.root).filter((name) => name.startsWith('cloister-drill'))).toEqual([])
})

test('in temporary homes they are noticed within their bounds, and nothing remains', async () => {
  const ran = await apart
  const view = viewIn(ran)
  const outline = view.drills.map(({ fault, home, passed, seenAs }) => ({ fault, home, passed, seenAs }))
  expect(outline, ran.err).toEqual([
    { fault: 'hang', home: 'temporary', passed: true, seenAs: 'hung' },
    { fault: 'crash', home: 'temporary', passed: true, seenAs: 'dead, exit code 3' },
    { fault: 'mass-death', home: 'temporary', passed: true, seenAs: expect.stringMatching(/^mass event/) as string },
  ])
  expect(ran.code).toBe(0)
  for (const { detectedMs = Infinity, boundMs } of view.drills) expect(detectedMs).toBeLessThanOrEqual(boundMs)
  expect(readdirSync(root)).toEqual(['tmux'])
  const sockets = readdirSync(join(root, 'tmux')).flatMap((name) => readdirSync(join(root, 'tmux', name)))
  expect(sockets).toEqual([])
  expect(livingIn(root)).toEqual([])
}, 120_000)
