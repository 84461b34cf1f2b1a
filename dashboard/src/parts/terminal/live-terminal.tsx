/**
 * The live terminal of one agent: watched by default, typed into after a take-over that was confirmed, by one person
 * at a time.
 */
import { Ear, EarOff, Eye, Keyboard, Maximize2, RotateCcw, Unplug } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../button.tsx'
import { useConfirm } from '../confirm.tsx'
import { AttachCommand } from './attach-command.tsx'
import { useTerminal, type LiveTerminalState } from './use-terminal.ts'

export interface LiveTerminalProps {
  agent: string
  /** With a new one the terminal begins anew. */
  generation?: number
  /** Asks the person before he takes over; left out, the page's own question is asked. */
  confirmTakeOver?: () => Promise<boolean>
}

const READ_ALOUD = 'cloister.terminal.read-aloud'

export function LiveTerminal({ agent, generation, confirmTakeOver }: LiveTerminalProps) {
  const place = useRef<HTMLDivElement>(null)
  const label = `Terminal of ${agent}`
  const [isReadAloud, setIsReadAloud] = useState(() => localStorage.getItem(READ_ALOUD) === 'on')
  const terminal = useTerminal({ agent, generation, label, place, isReadAloud })
  const hint = useId()
  const { link, writer, size } = terminal
  const turnReadAloud = (isOn: boolean): void => {
    setIsReadAloud(isOn)
    localStorage.setItem(READ_ALOUD, isOn ? 'on' : 'off')
  }
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Badge terminal={terminal} />
        {size !== undefined && (
          <span className="text-small text-ink-faint">
            {size.cols} × {size.rows}
          </span>
        )}
        <span className="flex-1" />
        <IconButton
          label={isReadAloud ? 'Stop reading the terminal to a screen reader' : 'Read the terminal to a screen reader'}
          aria-pressed={isReadAloud}
          onClick={() => turnReadAloud(!isReadAloud)}
        >
          {isReadAloud ? <Ear size={16} aria-hidden="true" /> : <EarOff size={16} aria-hidden="true" />}
        </IconButton>
        <Deeds agent={agent} terminal={terminal} confirmTakeOver={confirmTakeOver} />
      </div>
      <Notices terminal={terminal} hint={hint} />
      <div
        ref={place}
        role="group"
        aria-label={`Screen of ${agent}`}
        aria-describedby={hint}
        className={`live-terminal min-h-40 overflow-x-auto rounded-box border p-2 ${writer.you ? 'border-accent' : 'border-line'} ${link.state === 'live' ? '' : 'opacity-60'}`}
      />
      <AttachCommand agent={agent} generation={generation} />
    </section>
  )
}

function Badge({ terminal: { link, writer } }: { terminal: LiveTerminalState }) {
  const [icon, word, colour] = badgeOf(link, writer)
  return (
    <span role="status" className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
      {icon}
      {word}
    </span>
  )
}

function badgeOf(link: LiveTerminalState['link'], writer: LiveTerminalState['writer']): [ReactNode, string, string] {
  if (link.state === 'connecting')
    return [<Unplug key="i" size={16} aria-hidden="true" />, 'Connecting…', 'text-ink-soft']
  if (link.state === 'offline') return [<Unplug key="i" size={16} aria-hidden="true" />, 'Offline', 'text-warning']
  if (link.state === 'gone') return [<Unplug key="i" size={16} aria-hidden="true" />, 'Ended', 'text-ink-soft']
  if (writer.you) return [<Keyboard key="i" size={16} aria-hidden="true" />, 'You type', 'text-accent']
  const word = writer.taken ? 'Read-only, somebody types' : 'Read-only'
  return [<Eye key="i" size={16} aria-hidden="true" />, word, 'text-ink-soft']
}

interface DeedsProps {
  agent: string
  terminal: LiveTerminalState
  confirmTakeOver: (() => Promise<boolean>) | undefined
}

function Deeds({ agent, terminal, confirmTakeOver }: DeedsProps) {
  const confirm = useConfirm()
  const { link, writer, takeOver, giveBack, fitHere, again } = terminal
  if (link.state === 'gone' || link.state === 'offline') {
    return (
      <Button onClick={again}>
        <RotateCcw size={16} aria-hidden="true" />
        Try again
      </Button>
    )
  }
  if (writer.you) {
    return (
      <>
        <IconButton label="Fit it to this window; give-back restores its size" onClick={fitHere}>
          <Maximize2 size={16} aria-hidden="true" />
        </IconButton>
        <Button kind="accent" onClick={giveBack}>
          Give back
        </Button>
      </>
    )
  }
  const ask = confirmTakeOver ?? (() => confirm(questionAbout(agent)))
  return (
    <Button
      disabled={link.state !== 'live' || writer.taken}
      onClick={() => void ask().then((agreed) => agreed && takeOver())}
    >
      <Keyboard size={16} aria-hidden="true" />
      Take over
    </Button>
  )
}

function questionAbout(agent: string) {
  return {
    title: `Take over the terminal of ${agent}?`,
    text:
      'What you type goes to the agent as it is. While you have the terminal, Cloister types nothing to it: pokes and ' +
      'messages are held. Give it back when you are done; after ten minutes without a key that happens by itself.',
    verb: 'Take over',
  }
}

/** What was not done, why the screen is old, and how to leave it. */
function Notices({ terminal: { link, writer, refusal }, hint }: { terminal: LiveTerminalState; hint: string }) {
  const trouble = link.state === 'offline' || link.state === 'gone' ? link : refusal
  return (
    <>
      {trouble !== undefined && (
        <p role="alert" className="border-l-2 border-warning pl-2">
          {trouble.sentence}. <span className="text-ink-soft">{trouble.hint}</span>
        </p>
      )}
      <p id={hint} className={writer.you ? 'text-small text-ink-soft' : 'sr-only'}>
        {writer.you
          ? 'All keys go to the agent. Ctrl+Shift+Enter gives the terminal back.'
          : 'Shift with Page Up and Page Down scrolls back.'}
      </p>
    </>
  )
}
