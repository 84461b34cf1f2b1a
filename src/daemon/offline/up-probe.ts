/** Whether a daemon answers on the socket of a home. */
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
