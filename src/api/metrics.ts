/** Figures for Prometheus. What the house looks like is asked for when it is read; only requests are counted as they come. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StatusView } from '../contract/status-view.ts'

export interface Metrics {
  answered: (request: { method: string; route: string; status: number; ms: number }) => void
  /** Turned away by the door, for this reason. */
  refused: (reason: string) => void
  /** How many are connected to a listener, asked when the figures are read. */
  watch: (listener: string, connections: () => { open: number; long: number; dropped: number }) => void
  type: string
  text: (status: StatusView, lastSeq: number) => Promise<string>
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    ...{ name: 'cloister_http_requests_total', help: 'Requests answered.', registers },
    labelNames: ['method', 'route', 'status'],
  })
  const seconds = new Histogram({
    ...{ name: 'cloister_http_request_seconds', help: 'Time until an answer began.', registers },
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  })
  const refusals = new Counter({
    ...{ name: 'cloister_http_refused_total', help: 'Requests turned away by the door.', registers },
    labelNames: ['reason'],
  })
  const house = houseGauges(registers)
  const connections = connectionGauges(registers)
  return {
    answered: ({ method, route, status, ms }) => {
      requests.inc({ method: METHODS.has(method) ? method : 'other', route, status })
      seconds.observe(ms / 1000)
    },
    refused: (reason) => refusals.inc({ reason }),
    watch: (listener, ask) => connections.set(listener, ask),
    type: registry.contentType,
    text: (status, lastSeq) => {
      house(status, lastSeq)
      return registry.metrics()
    },
  }
}

function houseGauges(registers: Registry[]): (status: StatusView, lastSeq: number) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `cloister_${name}`, help, labelNames, registers })
  const agents = gauge('agents', 'Active agents by what they are shown as: their health, or waiting, or limited.', [
    'health',
  ])
  const needsYou = gauge('needs_you', 'Things that only a person can settle.')
  const running = gauge('monitoring_running', '1 while monitoring runs, 0 while it is paused.')
  const emergency = gauge('emergency', '1 while an emergency stop is in force.')
  const seq = gauge('journal_seq', 'The last event of the journal.')
  const memory = gauge('resident_memory_bytes', 'Memory of the daemon.')
  const cpu = gauge('cpu_seconds_total', 'CPU time of the daemon.')
  const uptime = gauge('uptime_seconds', 'Time since the daemon started.')
  return (status, lastSeq) => {
    for (const [health, count] of Object.entries(status.summary)) agents.set({ health }, count)
    needsYou.set(status.needsYouCount)
    running.set(status.running ? 1 : 0)
    emergency.set(status.emergency === 'armed' ? 0 : 1)
    seq.set(lastSeq)
    const { user, system } = process.cpuUsage()
    cpu.set((user + system) / 1e6)
    memory.set(process.memoryUsage.rss())
    uptime.set(process.uptime())
  }
}

function connectionGauges(registers: Registry[]): Map<string, Parameters<Metrics['watch']>[1]> {
  const watched = new Map<string, Parameters<Metrics['watch']>[1]>()
  const gauge = new Gauge({
    ...{ name: 'cloister_connections', help: 'Connections by listener; dropped ones are counted.', registers },
    labelNames: ['listener', 'kind'],
    collect: () => {
      for (const [listener, ask] of watched) {
        for (const [kind, count] of Object.entries(ask())) gauge.set({ listener, kind }, count)
      }
    },
  })
  return watched
}
