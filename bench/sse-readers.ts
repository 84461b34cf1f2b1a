/**
 * The clients of the benchmark `sse`, in a process of their own: so many readers of one stream, and one more that reads
 * every event; of the others it is enough that they all got the same bytes. Says «ready» when everybody is connected, and
 * what was received when every stream has ended.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { SseParser } from '../dashboard/src/live/sse-parser.ts'

export interface Received {
  /** Events of the one that reads them. */
  events: number
  inOrder: boolean
  /** Everybody got the same bytes. */
  alike: boolean
  bytes: number
}

interface Tally {
  crc: number
  bytes: number
}

const [port = '', count = '', kind = ''] = process.argv.slice(2)
const tallies: Tally[] = []
const readers = Number(count) + (kind === 'http' ? 1 : 0)
let ready = 0
let ended = 0
let events = 0
let lastSeq: number | undefined
let inOrder = true

if (kind === 'http') readEvents()
while (tallies.length < Number(count)) readBytes()

/** Bytes as they come, so that reading costs the same whatever is read. */
function readBytes(): void {
  const tally = newTally()
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  if (kind === 'http') socket.write('GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  else socket.once('connect', isReady)
  // The first message may differ: it tells the time.
  let isLater = kind === 'raw'
  socket.on('data', (piece: Buffer) => {
    if (isLater) return add(tally, piece)
    const end = piece.indexOf('\n\n')
    if (end === -1) return
    isLater = true
    isReady()
    add(tally, piece.subarray(end))
  })
  socket.on('close', isOver)
}

/** Beside the counted ones, one that reads every event. */
function readEvents(): void {
  const parser = new SseParser(({ data }) => countEvents(data))
  const decoder = new TextDecoder()
  const asked = request({ host: '127.0.0.1', port: Number(port), path: '/api/stream', agent: false }, (response) => {
    response.once('data', isReady)
    response.on('data', (piece: Buffer) => parser.push(decoder.decode(piece, { stream: true })))
    response.on('close', isOver)
  })
  asked.end()
}

function newTally(): Tally {
  const tally = { crc: 0, bytes: 0 }
  tallies.push(tally)
  return tally
}

function add(tally: Tally, piece: Buffer): void {
  tally.crc = crc32(piece, tally.crc)
  tally.bytes += piece.byteLength
}

function countEvents(data: string): void {
  const message = JSON.parse(data) as { events?: { seq: number }[] }
  for (const { seq } of message.events ?? []) {
    inOrder &&= lastSeq === undefined || seq === lastSeq + 1
    lastSeq = seq
    events += 1
  }
}

function isReady(): void {
  ready += 1
  if (ready === readers) process.send?.('ready')
}

function isOver(): void {
  ended += 1
  if (ended < readers) return
  const [first] = tallies
  const alike = tallies.every(({ crc, bytes }) => crc === first?.crc && bytes === first.bytes)
  const received: Received = { events, inOrder, alike, bytes: first?.bytes ?? 0 }
  process.send?.(received, () => process.disconnect())
}
