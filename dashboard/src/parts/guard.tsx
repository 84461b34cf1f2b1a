/** The guard before what stops everything: hold the button for a second and a half, or type the word. */
import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'

const HOLD_MS = 1_500

interface GuardProps {
  word: string
  verb: string
  onDone: () => void
}

export function Guard({ word, verb, onDone }: GuardProps) {
  const [typed, setTyped] = useState('')
  return (
    <div className="flex flex-col gap-3">
      <HoldButton verb={verb} onDone={onDone} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isWord(typed, word)) onDone()
        }}
      >
        <TextField
          label={`Or type «${word}» and press Enter`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </div>
  )
}

function HoldButton({ verb, onDone }: Omit<GuardProps, 'word'>) {
  const [isHeld, setIsHeld] = useState(false)
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => done.current(), HOLD_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  const release = (): void => setIsHeld(false)
  return (
    <button
      type="button"
      className="relative h-12 w-full cursor-pointer touch-none overflow-hidden rounded-small border border-stuck font-semibold text-stuck select-none"
      onPointerDown={() => setIsHeld(true)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onBlur={release}
      onKeyDown={({ key }) => (key === ' ' || key === 'Enter') && setIsHeld(true)}
      onKeyUp={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span
        aria-hidden="true"
        className={`absolute inset-0 origin-left bg-stuck-soft ${isHeld ? 'scale-x-100 transition-transform ease-linear' : 'scale-x-0'}`}
        style={{ transitionDuration: isHeld ? `${HOLD_MS}ms` : '0ms' }}
      />
      <span className="relative">{isHeld ? 'Keep holding…' : `Hold to ${verb.toLowerCase()}`}</span>
    </button>
  )
}

function isWord(typed: string, word: string): boolean {
  return typed.trim().toLowerCase() === word.toLowerCase()
}
