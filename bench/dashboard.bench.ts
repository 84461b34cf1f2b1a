/**
 * The built overview in Chromium, 500 agents, 1,000 events a second: how long its slow frames are, against a page that
 * draws everything anew at every message, and against the limit: the same dashboard with nothing happening. Also the
 * first paint and the compressed size of the first route.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { build } from 'vite'
import { serveFleet, type FleetServer } from './dashboard-server.ts'
import { median, rounded } from './measure.ts'
import { DASHBOARD } from './product.ts'

const AGENTS = 500
const EVENTS_PER_SECOND = 1_000
const ROUNDS = 3
const MEASURED_MS = 3_000
const SIZE_LIMIT_KB = 200

export const built = true

type Name = 'ours' | 'peer' | 'limit'

interface Seen {
  /** 95 of 100 frames come within this time. */
  slowFrameMs: number
  framesPerSecond: number
  /** How much of the time the page's one thread is at work. */
  busy: number
  firstPaintMs: number
  gzipKb: number
}

export async function run(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'cloister-dashboard-'))
  const browser = await launch()
  const servers: FleetServer[] = []
  try {
    const [ours, peer] = [DASHBOARD, await buildPeer(folder)]
    const rates: Record<Name, { folder: string; eventsPerSecond: number }> = {
      ours: { folder: ours, eventsPerSecond: EVENTS_PER_SECOND },
      peer: { folder: peer, eventsPerSecond: EVENTS_PER_SECOND },
      limit: { folder: ours, eventsPerSecond: 0 },
    }
    const seen: Record<Name, Seen[]> = { ours: [], peer: [], limit: [] }
    const candidates: [Name, FleetServer][] = []
    for (const [name, rate] of Object.entries(rates) as [Name, (typeof rates)[Name]][]) {
      const server = await serveFleet({ ...rate, agents: AGENTS })
      servers.push(server)
      candidates.push([name, server])
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, server] of candidates) seen[name].push(await look(browser, server, name === 'peer'))
    }
    return report(seen)
  } finally {
    await browser.close()
    await Promise.all(servers.map((server) => server.close()))
    await rm(folder, { recursive: true })
  }
}

function launch(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
  })
}

async function buildPeer(outDir: string): Promise<string> {
  const root = join(import.meta.dirname, 'dashboard-peer')
  await build({ logLevel: 'error', configFile: false, root, build: { outDir } })
  return outDir
}

async function look(browser: Browser, server: FleetServer, isPeer: boolean): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    server.takeGzipBytes()
    await page.goto(`${server.address}/#login=benchmark-code`)
    await page.waitForSelector(isPeer ? 'svg rect' : '[role=slider] canvas')
    const gzipKb = server.takeGzipBytes() / 1024
    const firstPaintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    const { frames, busy } = await framesOf(page)
    const slowFrameMs = frames[Math.floor(frames.length * 0.95)] ?? Number.NaN
    return { slowFrameMs, framesPerSecond: frames.length / (MEASURED_MS / 1000), busy, firstPaintMs, gzipKb }
  } finally {
    await context.close()
  }
}

/** Milliseconds from each frame to the next, shortest first; the first second is warming up. */
async function framesOf(page: Page): Promise<{ frames: number[]; busy: number }> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  const busySeconds = async (): Promise<number> => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await countFrames(page, 1_000)
  const before = await busySeconds()
  const frames = await countFrames(page, MEASURED_MS)
  const busy = ((await busySeconds()) - before) / (MEASURED_MS / 1000)
  return { frames: frames.toSorted((a, b) => a - b), busy }
}

function countFrames(page: Page, forMs: number): Promise<number[]> {
  return page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = []
        const from = performance.now()
        let before = from
        const onFrame = (): void => {
          const now = performance.now()
          frames.push(now - before)
          before = now
          if (now < from + ms) requestAnimationFrame(onFrame)
          else resolve(frames)
        }
        requestAnimationFrame(onFrame)
      }),
    forMs,
  )
}

function report(seen: Record<Name, readonly Seen[]>): object {
  const middle = (name: Name, key: keyof Seen): number => rounded(median(seen[name].map((one) => one[key])))
  const [ours, peer] = [middle('ours', 'slowFrameMs'), middle('peer', 'slowFrameMs')]
  const gzipKb = middle('ours', 'gzipKb')
  const all = (key: keyof Seen): object => {
    return { ours: middle('ours', key), peer: middle('peer', key), limit: middle('limit', key) }
  }
  return {
    bench: 'dashboard',
    ours,
    peer,
    limit: middle('limit', 'slowFrameMs'),
    unit: `ms, the 95th of 100 frames with ${AGENTS} agents at ${EVENTS_PER_SECOND} events/s`,
    ratio: rounded(peer / ours),
    framesPerSecond: all('framesPerSecond'),
    busyShare: all('busy'),
    firstPaintMs: { ours: middle('ours', 'firstPaintMs'), peer: middle('peer', 'firstPaintMs') },
    firstRouteGzipKb: { ours: gzipKb, limit: SIZE_LIMIT_KB, isWithin: gzipKb <= SIZE_LIMIT_KB },
  }
}
