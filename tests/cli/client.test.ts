/** The client against a server that does not behave. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openClient } from '../../src/cli/client.ts'
import { exchange } from '../../src/cli/exchange.ts'

/** Answers the n-th request with the n-th text; a text that is undefined is a connection that breaks. */
async function serverOf(...answers: (string | undefined)[]): Promise<{ home: string; requests: string[] }> {
  const home = mkdtempSync(join(tmpdir(), 'cloister-cli-'))
  writeFileSync(join(home, 'token'), `${'a'.repeat(64)}\n`)
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      requests.push(chunk.toString())
      const answer = answers[requests.length - 1]
      if (answer === undefined) socket.destroy()
      else socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(join(home, 'daemon.sock'), resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(home, { recursive: true, force: true })
  })
  return { home, requests }
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('a request that was cut off is sent once more, with the same id', async () => {
  const { home, requests } = await serverOf(undefined, ok('{"seq":7}'))
  expect(await openClient(home).call('POST /api/cloister/stop')).toEqual({ seq: 7 })
  const ids = requests.map((text) => /x-request-id: (\S+)/.exec(text)?.[1])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  expect(requests[0]).toContain(`authorization: Bearer ${'a'.repeat(64)}\r\n`)
})

test('inside an agent it has the token of the run and no other', async () => {
  const { home, requests } = await serverOf(ok('{}'), 'HTTP/1.1 401 No\r\n\r\n{}')
  vi.stubEnv('CLOISTER_RUN', 'h1.run-1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const beat = { id: 'agent-1', body: { state: 'idle' } } as const
  const call = () => openClient(home).call('POST /api/agents/:id/heartbeat', beat)
  await expect(call()).rejects.toThrow('This is an agent’s own process, and it has no token to ask with')
  vi.stubEnv('CLOISTER_TOKEN', 'run.mine')
  await call()
  await expect(call()).rejects.toThrow('The daemon does not know the token of this agent’s process')
  expect(requests.map((text) => /authorization: (.*)\r/.exec(text)?.[1])).toEqual([
    'Bearer run.mine',
    'Bearer run.mine',
  ])
})

test('what is too long to be heard is not sent', async () => {
  const { home, requests } = await serverOf(ok('{}'))
  const body = { message: 'z'.repeat(1_100_000) }
  await expect(openClient(home).call('POST /api/agents/:id/message', { id: 'agent-1', body })).rejects.toMatchObject({
    error: { code: 'too_large', sentence: expect.stringMatching(/^What was given is \d+ bytes long/) as string },
  })
  expect(requests).toEqual([])
})

test.each<[string, (string | undefined)[], object]>([
  ['only hangs up', [undefined, undefined], { code: 'no_answer' }],
  ['sends half an answer', [ok('{}').slice(0, -1), ok('{}').slice(0, -1)], { code: 'no_answer' }],
  ['speaks another language', ['SSH-2.0\r\n\r\n', 'SSH-2.0\r\n\r\n'], { code: 'no_answer' }],
  ['answers with an error that is no JSON', ['HTTP/1.1 502 No\r\n\r\n<html>'], { code: 'failed' }],
])('a server that %s is a failure with a sentence', async (_, answers, error) => {
  const { home } = await serverOf(...answers)
  await expect(openClient(home).call('GET /api/agents')).rejects.toMatchObject({ name: 'Failure', error })
})

test('an answer without an end and one without a beginning are given up', async () => {
  const { home } = await serverOf('x'.repeat(100))
  const sent = { method: 'GET', path: '/', headers: {}, body: '' } as const
  const socket = join(home, 'daemon.sock')
  await expect(exchange(socket, sent, { firstByteMs: 1000, timeoutMs: 1000, maxBytes: 10 })).rejects.toMatchObject({
    code: 'EMSGSIZE',
  })
  const mute = createServer((client) => onTestFinished(() => void client.destroy()))
  await new Promise<void>((resolve) => {
    mute.listen(`${socket}2`, resolve)
  })
  onTestFinished(() => void mute.close())
  const waiting = exchange(`${socket}2`, sent, { firstByteMs: 20, timeoutMs: 1000, maxBytes: 10 })
  await expect(waiting).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})
