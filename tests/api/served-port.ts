/** A served house with a port of its own and a small dashboard. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { serve, type Serving } from '../../src/daemon/serve.ts'
import { homeToken } from '../../src/daemon/token.ts'
import { rawAsk, rawText, type RawAnswer } from './raw-socket.ts'
import { playedHouse, type ServedHouse } from './served-house.ts'

export const PAGE = '<!doctype html><title>Cloister</title>'

export interface ServedPort extends ServedHouse {
  serving: Serving
  port: number
  host: string
  /** Headers with which a request of the owner passes. */
  good: readonly string[]
  token: string
  said: string[]
  ask: (line: string, headers: readonly string[], body?: string) => Promise<RawAnswer>
}

export async function servedPort(...lines: string[]): Promise<ServedPort> {
  const house = await playedHouse(...lines)
  const folder = join(house.home, 'page')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'assets/index-1a2b.js'), 'export {}\n')
  writeFileSync(join(folder, 'assets/index-1a2b.js.map'), '{}')
  const said: string[] = []
  const dashboard = { host: '127.0.0.1', port: 0, folder }
  const serving = await serve({ ...house.options, dashboard, say: (sentence) => void said.push(sentence) })
  onTestFinished(() => serving.close())
  const port = Number(new URL(serving.url ?? '').port)
  const host = `127.0.0.1:${port}`
  const token = homeToken(house.home)
  return {
    ...house,
    serving,
    port,
    host,
    token,
    said,
    good: [`Host: ${host}`, `Authorization: Bearer ${token}`],
    ask: (line, headers, body) => rawAsk(port, rawText({ line, headers, ...(body === undefined ? {} : { body }) })),
  }
}
