import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenOnLoopback, type Address } from './listen-port.ts'

let home: string
let servers: Server[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-port-'))
  servers = []
})
afterEach(async () => {
  for (const server of servers) await closed(server)
  rmSync(home, { recursive: true, force: true })
})

function server(): Server {
  const made = createServer()
  servers.push(made)
  return made
}

function closed(given: Server): Promise<void> {
  return new Promise((resolve) => {
    given.close(() => resolve())
  })
}

function on(port: number, host = '127.0.0.1', given = server()): Promise<Address> {
  return listenOnLoopback(given, { home, host, port })
}

/** A port that is taken, and the next few of which are most likely free. */
async function taken(): Promise<number> {
  const other = server()
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  return (other.address() as AddressInfo).port
}

test.each(['0.0.0.0', '::', '192.168.1.1', 'localhost', '', '127.0.0.2'])('«%s» is refused', async (host) => {
  await expect(on(0, host)).rejects.toThrow(`Refused to listen on ${host}: `)
})

test('a taken port is passed over, the next is kept and said, and taken again at the next start', async () => {
  const wanted = await taken()
  const first = server()
  const { url, hosts, instead } = await on(wanted, '127.0.0.1', first)
  const port = Number(new URL(url).port)
  expect(port).toBeGreaterThan(wanted)
  expect([...hosts]).toEqual([`127.0.0.1:${port}`, `localhost:${port}`])
  expect(instead).toBe(`Port ${wanted} is or was taken by somebody else; the dashboard has ${port}, and keeps it.`)
  expect(JSON.parse(readFileSync(join(home, 'dashboard.json'), 'utf8'))).toEqual({ port, wanted, url })
  await closed(first)
  await closed(servers[0] as Server)
  expect((await on(wanted)).url).toBe(url)
})

test('any port will do for 0, and it is the same again', async () => {
  const first = server()
  const { url, instead } = await on(0, '127.0.0.1', first)
  expect(instead).toBeUndefined()
  await closed(first)
  expect((await on(0)).url).toBe(url)
})

test('another wish in the settings counts more than what is kept', async () => {
  const kept = await on(0)
  const wanted = await taken()
  await closed(servers[1] as Server)
  const { url } = await on(wanted)
  expect(url).not.toBe(kept.url)
})
