/** One live terminal of an agent in an element: connects, draws, and knows who types. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { TerminalFromServer } from '../../../../src/contract/terminal.ts'
import { connectTerminal, type Link, type TerminalConnection } from './terminal-connection.ts'
import type { Screen, Size } from './terminal-screen.ts'

/** More than this undrawn and it is quicker to begin anew. */
const TOO_MUCH = 8 * 1024 * 1024
/** What one message may hold. */
const PART = /[^]{1,32768}/gu
const MARGIN = 32

export interface LiveTerminalState {
  link: Link
  size: Size | undefined
  writer: { you: boolean; taken: boolean }
  /** Why something was not done. */
  refusal: { sentence: string; hint: string } | undefined
  takeOver: () => void
  giveBack: () => void
  /** Makes the pane as large as the window here; only while typing. */
  fitHere: () => void
  again: () => void
}

export interface TerminalWish {
  agent: string
  /** Another one is another terminal. */
  generation: number | undefined
  label: string
  place: RefObject<HTMLElement | null>
  isReadAloud: boolean
}

const NOBODY = { you: false, taken: false }

export function useTerminal({ agent, generation, label, place, isReadAloud }: TerminalWish): LiveTerminalState {
  const [link, setLink] = useState<Link>({ state: 'connecting' })
  const [size, setSize] = useState<Size>()
  const [writer, setWriter] = useState(NOBODY)
  const [refusal, setRefusal] = useState<LiveTerminalState['refusal']>()
  const screen = useRef<Screen>(undefined)
  const connection = useRef<TerminalConnection>(undefined)
  const say = useCallback<TerminalConnection['say']>((message) => connection.current?.say(message), [])

  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    return show({
      ...{ agent, label, element, screen, connection, setLink },
      hear: (message) => {
        if (message.type === 'screen') setSize({ cols: message.cols, rows: message.rows })
        if (message.type === 'writer') setWriter({ you: message.you, taken: message.taken })
        setRefusal(message.type === 'refused' ? { sentence: message.sentence, hint: message.hint } : undefined)
      },
    })
  }, [agent, generation, label, place])

  const types = link.state === 'live' && writer.you
  useEffect(() => {
    screen.current?.setTyping(types)
  }, [types])
  // Told again whenever a screen is there.
  useEffect(() => {
    screen.current?.setReadAloud(isReadAloud)
  }, [isReadAloud, link.state])

  return {
    ...{ link, size, refusal },
    writer: link.state === 'live' ? writer : NOBODY,
    takeOver: () => say({ type: 'take-over' }),
    giveBack: () => say({ type: 'give-back' }),
    fitHere: () => {
      const top = place.current?.getBoundingClientRect().top ?? 0
      const fitting = screen.current?.fitting(innerHeight - Math.max(0, top) - MARGIN)
      if (fitting !== undefined) say({ type: 'resize', ...fitting })
    },
    again: () => connection.current?.again(),
  }
}

interface Showing {
  agent: string
  label: string
  element: HTMLElement
  screen: RefObject<Screen | undefined>
  connection: RefObject<TerminalConnection | undefined>
  setLink: (link: Link) => void
  hear: (message: TerminalFromServer) => void
}

/** Loads the screen, then connects; returns how to end both, whenever that is. */
function show({ agent, label, element, screen, connection, setLink, hear }: Showing): () => void {
  let isOver = false
  const failed = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error)
    const sentence = `The terminal could not be loaded: ${why}`
    if (!isOver) setLink({ state: 'gone', sentence, hint: 'Load the page again.' })
  }
  const begin = async (): Promise<void> => {
    const { openScreen } = await import('./terminal-screen.ts')
    if (isOver) return
    const opened = openScreen({
      ...{ place: element, label },
      onKeys: (keys) => {
        for (const data of inParts(keys)) connection.current?.say({ type: 'keys', data })
      },
      onLeave: () => connection.current?.say({ type: 'give-back' }),
    })
    screen.current = opened
    connection.current = connectTerminal(agent, {
      link: setLink,
      message: (message) => {
        if (message.type === 'screen' && message.reset) opened.begin(message)
        hear(message)
      },
      print: (bytes) => {
        opened.print(bytes)
        if (opened.pendingBytes() > TOO_MUCH) connection.current?.again()
      },
    })
  }
  const stopPaste = catchPaste(element, (data) => connection.current?.say({ type: 'paste', data }))
  begin().catch(failed)
  return () => {
    isOver = true
    stopPaste()
    connection.current?.close()
    screen.current?.dispose()
    connection.current = undefined
    screen.current = undefined
  }
}

/** Before xterm sees it: only tmux knows whether the program wants to be told that it is a paste. */
function catchPaste(element: HTMLElement, give: (text: string) => void): () => void {
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    for (const part of inParts(event.clipboardData?.getData('text/plain') ?? '')) give(part)
  }
  element.addEventListener('paste', paste, { capture: true })
  return () => element.removeEventListener('paste', paste, { capture: true })
}

/** No part ends in the middle of a letter. */
function inParts(text: string): string[] {
  return text.match(PART) ?? []
}
