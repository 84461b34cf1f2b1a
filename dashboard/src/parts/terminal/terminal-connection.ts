/** The connection to a live terminal: it comes back by itself when it is lost, unless the daemon said that it is over. */
import type { TerminalFromClient, TerminalFromServer } from '../../../../src/contract/terminal.ts'
import { token } from '../../live/session.ts'

export type Link =
  | { state: 'connecting' }
  | { state: 'live' }
  /** Lost; it is tried again. */
  | { state: 'offline'; sentence: string; hint: string }
  /** Nothing more comes unless somebody asks for it. */
  | { state: 'gone'; sentence: string; hint: string }

export interface TerminalNews {
  link: (link: Link) => void
  message: (message: TerminalFromServer) => void
  print: (bytes: Uint8Array) => void
}

export interface TerminalConnection {
  say: (message: TerminalFromClient) => void
  /** Lets go of what it has and begins anew. */
  again: () => void
  close: () => void
}

const FIRST_MS = 500
const LONGEST_MS = 10_000
/** The daemon stops and may come back. */
const GOING_AWAY = 1001

const LOST = { sentence: 'The terminal cannot be reached', hint: 'It is tried again; the daemon may be starting.' }

export function connectTerminal(agent: string, news: TerminalNews): TerminalConnection {
  let socket: WebSocket | undefined
  let timer: number | undefined
  let tries = 0
  let last: { sentence: string; hint: string } | undefined

  const open = (): void => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const address = `${scheme}://${location.host}/api/agents/${encodeURIComponent(agent)}/terminal`
    const opened = new WebSocket(address, ['cloister.terminal', `token.${token() ?? 'none'}`])
    opened.binaryType = 'arraybuffer'
    socket = opened
    last = undefined
    news.link({ state: 'connecting' })
    opened.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (socket === opened) take(data)
    })
    opened.addEventListener('close', ({ code }) => {
      if (socket === opened) lost(code)
    })
  }

  const take = (data: ArrayBuffer | string): void => {
    if (typeof data !== 'string') return news.print(new Uint8Array(data))
    const message = JSON.parse(data) as TerminalFromServer
    if (message.type === 'screen') {
      tries = 0
      news.link({ state: 'live' })
    }
    if (message.type === 'gone') last = { sentence: message.sentence, hint: message.hint }
    else news.message(message)
  }

  const lost = (code: number): void => {
    socket = undefined
    if (last !== undefined && code !== GOING_AWAY) return news.link({ state: 'gone', ...last })
    news.link({ state: 'offline', ...(last ?? LOST) })
    timer = setTimeout(open, Math.min(LONGEST_MS, FIRST_MS * 2 ** tries))
    tries += 1
  }

  const close = (): void => {
    clearTimeout(timer)
    const closing = socket
    socket = undefined
    closing?.close()
  }

  open()
  return {
    say: (message) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    again: () => {
      close()
      open()
    },
    close,
  }
}
