/** Who is shown out when there are too many, on a listener with few places. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Crowd } from './listen-crowd.ts'

const LIMITS = { most: 3, mostLong: 1, mostAtOnce: 2, slowMs: 60_000, strangerBodyMs: 60_000 }

async function listener(given: Partial<typeof LIMITS> = {}) {
  const crowd = new Crowd({ ...LIMITS, ...given })
  const asked: [IncomingMessage, ServerResponse][] = []
  let heard = () => {}
  const server = createServer((request, response) => {
    if (!crowd.serve(request, response)) return
    if (request.headers.authorization !== undefined) crowd.know(request.socket)
    asked.push([request, response])
    heard()
  })
  server.on('connection', (socket) => crowd.enter(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    crowd.disperse()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** Resolves when the server has had so many requests. */
  const had = async (count: number) => {
    while (asked.length < count) {
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }
  const come = async (text = ''): Promise<Socket> => {
    const counted = crowd.count()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    await expect.poll(() => crowd.count()).not.toEqual(counted)
    return socket.resume()
  }
  return { crowd, asked, had, come }
}

const isGone = (socket: Socket) => (socket.destroyed ? undefined : once(socket, 'close'))
const head = (...more: string[]) => ['POST / HTTP/1.1', 'Host: x', ...more, '', ''].join('\r\n')
const SLOW = `${head('Content-Length: 5')}{`
const KNOWN = `${head('Content-Length: 5', 'Authorization: yes')}{`
const WHOLE = head('Content-Length: 0')

test('first a stranger whose body does not come, then who is longest there, and never whom we know', async () => {
  const { had, come, crowd } = await listener()
  const known = await come(KNOWN)
  await had(1)
  const waiting = await come()
  const slow = await come(SLOW)
  await had(2)
  const answered = await come(WHOLE)
  await isGone(slow)
  await had(3)
  await come(KNOWN)
  await isGone(waiting)
  await had(4)
  await come(KNOWN)
  await isGone(answered)
  await had(5)
  // Only known ones are left: the newcomer has to go.
  const late = connect({ port: known.remotePort ?? 0, host: '127.0.0.1' }).on('error', () => undefined)
  await isGone(late)
  expect([known.destroyed, crowd.count()]).toEqual([false, { open: 3, long: 0, dropped: 4 }])
})

test('a stranger has little time for the body, the owner has more', async () => {
  const { had, come, crowd } = await listener({ strangerBodyMs: 20 })
  const known = await come(KNOWN)
  const slow = await come(SLOW)
  await had(2)
  await isGone(slow)
  expect([known.destroyed, crowd.count()]).toEqual([false, { open: 1, long: 0, dropped: 1 }])
})

test('who asks for more before he took the answers is hung up on, and the rest is not heard', async () => {
  const { asked, come } = await listener()
  await isGone(await come(WHOLE.repeat(40)))
  expect(asked).toHaveLength(2)
})

test('a known one that takes nothing for long makes room', async () => {
  const { had, come } = await listener({ slowMs: -1 })
  const first = await come(KNOWN)
  for (let n = 0; n < 2; n += 1) await come(KNOWN)
  await had(3)
  await come()
  await isGone(first)
})
