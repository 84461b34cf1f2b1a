/** Whether a daemon answers on the socket of a home, and which process says that it holds the home. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

const TIMEOUT_MS = 2_000

export function answers(home: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { socketPath: join(home, 'daemon.sock'), path: '/healthz', agent: false, timeout: TIMEOUT_MS },
      (response) => {
        response.resume()
        resolve(response.statusCode === 200)
      },
    )
    asked.on('error', () => resolve(false))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}

/** Undefined when nobody says so, or when the process that did is gone. */
export function holderOf(home: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, 'daemon.lock.json'), 'utf8')) as { pid: unknown }
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
