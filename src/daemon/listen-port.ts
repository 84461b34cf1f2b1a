/**
 * A port on loopback for the dashboard: the one it had before, else the wanted one, else the next that is free. Which
 * one it became is kept in dashboard.json, where scripts find it. Any other address than loopback is refused.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod'
import { readOwn, writeOwn } from './secret-file.ts'

/** How many ports after the wanted one are tried. */
const FURTHER = 100
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1'])

const kept = z.object({ port: z.int().min(1).max(65_535), wanted: z.int(), url: z.string() })

export interface PortWish {
  home: string
  host: string
  /** 0 takes any free one. */
  port: number
}

export interface Address {
  url: string
  /** What a Host header may say. */
  hosts: ReadonlySet<string>
  /** Why it is not the wanted port; undefined when it is. */
  instead?: string
}

export async function listenOnLoopback(server: Server, wish: PortWish): Promise<Address> {
  const { home, host, port: wanted } = wish
  if (!LOOPBACK.has(host)) {
    throw new Error(
      `Refused to listen on ${host}: whoever reaches the dashboard can type into your shells, so that only 127.0.0.1 ` +
        'and ::1 are allowed. From another machine use a tunnel, such as `ssh -L 3011:127.0.0.1:3011 <machine>`.',
    )
  }
  const last = keptAddress(home)
  const port = await firstFree(server, host, candidates(wanted, last?.wanted === wanted ? last.port : undefined))
  const name = host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${port}`
  writeOwn(fileIn(home), `${JSON.stringify({ port, wanted, url })}\n`)
  const hosts = new Set([`${name}:${port}`, `localhost:${port}`])
  const instead = insteadOf({ wanted, port })
  return instead === undefined ? { url, hosts } : { url, hosts, instead }
}

/** Why it is another port than the wanted one; undefined when it is that one. */
export function insteadOf({ wanted, port }: { wanted: number; port: number }): string | undefined {
  if (wanted === 0 || port === wanted) return undefined
  return `Port ${wanted} is or was taken by somebody else; the dashboard has ${port}, and keeps it.`
}

function fileIn(home: string): string {
  return join(home, 'dashboard.json')
}

/** Where the dashboard is, or was when a daemon last ran. */
export function keptAddress(home: string): z.infer<typeof kept> | undefined {
  try {
    return kept.parse(JSON.parse(readOwn(fileIn(home)) ?? 'null'))
  } catch {
    return undefined
  }
}

function candidates(wanted: number, last: number | undefined): number[] {
  const further = wanted === 0 ? [0] : Array.from({ length: FURTHER + 1 }, (_, n) => wanted + n)
  const all = [...(last === undefined ? [] : [last]), ...further]
  return [...new Set(all)].filter((port) => port <= 65_535)
}

async function firstFree(server: Server, host: string, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const error = await tryPort(server, host, port)
    if (error === undefined) return (server.address() as AddressInfo).port
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
  }
  throw new Error(`No port from ${ports[0]} to ${ports.at(-1)} is free on ${host}. Set another \`dashboard.port\`.`)
}

function tryPort(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening)
      resolve(error)
    }
    const listening = () => {
      server.off('error', failed)
      resolve(undefined)
    }
    server.once('error', failed)
    server.once('listening', listening)
    server.listen({ host, port, exclusive: true })
  })
}
