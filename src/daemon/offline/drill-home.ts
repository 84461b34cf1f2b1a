/**
 * A home for one drill: a real daemon of its own with small thresholds, a terminal server of its own, no port of the
 * network that anybody knows. When it is closed nothing of it is left: no process, no terminal server, no folder.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild, type Child } from '../../adapters/process/start-child.ts'
import type { StatusView } from '../../contract/status-view.ts'
import { clearHome } from './demo-sweep.ts'
import { drillApi, NoDaemon, type DrillApi } from './drill-api.ts'
import { CLOCK_FILE, DRILL_CLOCK } from './drill-flags.ts'
import { DRILL_PREFIX, signHome } from './drill-sweep.ts'

const PATIENCE_MS = 30_000
const LEAVE_MS = 10_000
const LOOK_EVERY_MS = 50
/** Of our own environment: what programs need to be found and to find their terminal server. */
const KEPT_ENV = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TMUX_TMPDIR'] as const

/** Where they lie, as file URLs. */
export interface DrillPrograms {
  daemon: string
  clock: string
}

export interface HomeWish {
  /** The text of its cloister.yaml. */
  config: string
  programs: DrillPrograms
  signal: AbortSignal
}

export interface DrillHome {
  home: string
  api: DrillApi
  /** Sets the wall clock of its daemon off by so much. */
  moveClock: (offsetMs: number) => void
  close: () => Promise<void>
}

export async function openDrillHome({ config, programs, signal }: HomeWish): Promise<DrillHome> {
  const home = mkdtempSync(join(tmpdir(), DRILL_PREFIX))
  signHome(home)
  mkdirSync(join(home, 'user'))
  writeFileSync(join(home, 'cloister.yaml'), config)
  const daemon = startChild([process.execPath, '--import', programs.clock, fileURLToPath(programs.daemon), '--json'], {
    cwd: home,
    onlyEnv: environment(home),
    // It leaves when nobody listens any more, so that it does not outlive a drill that was killed.
    listen: true,
    listenToErrors: true,
    detached: true,
  })
  const close = () => closeHome(home, daemon)
  try {
    const api = drillApi(home)
    await untilItAnswers(api, daemon, signal)
    const moveClock = (offsetMs: number) => writeFileSync(join(home, CLOCK_FILE), String(Math.round(offsetMs)))
    return { home, api, moveClock, close }
  } catch (error) {
    await close()
    throw error
  }
}

function environment(home: string): Record<string, string> {
  const kept = KEPT_ENV.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    HOME: join(home, 'user'),
    PANOPTICON_HOME: home,
    PANOPTICON_PORT: '0',
    [DRILL_CLOCK]: home,
  }
}

async function untilItAnswers(api: DrillApi, daemon: Child, signal: AbortSignal): Promise<void> {
  let end: { stderr: string } | undefined
  void daemon.ended.then((ended) => (end = ended))
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    signal.throwIfAborted()
    const status = await api.get<StatusView>('/api/cloister/status').catch((error: unknown) => {
      if (!(error instanceof NoDaemon)) throw error
    })
    if (status?.running === true) return
    if (end !== undefined) throw new Error(`The daemon of the temporary home ended at once: ${reasonIn(end.stderr)}`)
    if (performance.now() > deadline) throw new Error('The daemon of the temporary home does not answer.')
    await sleep(LOOK_EVERY_MS)
  }
}

/** Of a stack trace the line that names the error, else what it said last. */
function reasonIn(stderr: string): string {
  const said = stderr.trim().split('\n')
  return said.find((line) => /^\w*Error\b/.test(line)) ?? said.at(-1) ?? ''
}

/** The daemon first, then whatever it watched. */
async function closeHome(home: string, daemon: Child): Promise<void> {
  daemon.kill('SIGTERM')
  const late = new AbortController()
  const ended = await Promise.race([
    daemon.ended,
    sleep(LEAVE_MS, 'late' as const, { signal: late.signal }).catch(() => 'late' as const),
  ])
  late.abort()
  if (ended === 'late') daemon.kill('SIGKILL')
  await daemon.ended
  await clearHome(home)
  rmSync(home, { recursive: true, force: true })
}
