/** What is known of the last emergency stop, and the way to start again those whom it ended: all of them, or some. */
import { Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { LastStopView } from '../../../src/contract/last-stop.ts'
import { call, useStatus } from '../live/store.ts'
import { ActButton, Button } from './button.tsx'
import { useDeed } from './deed.tsx'
import { Dialog } from './dialog.tsx'
import { count } from './words.ts'

/** Beside its item in the inbox. */
export function StopEvidence() {
  const stop = useStatus()?.lastStop
  if (stop === undefined) return null
  const { survivors, questions, handoffs, leftAlone = [], dead = [], asleep = [], startable } = stop
  return (
    <dl className="flex flex-col gap-2 text-small">
      <Saved stop={stop} />
      <Part name="Asked, and not answered" lines={questions.map(({ sentence }) => sentence)} />
      <Part name="Hand-offs cut off" lines={handoffs.map(({ sentence }) => sentence)} />
      <Part name="Survived" lines={survivors} />
      <Part name="Left alone, since adopted" lines={leftAlone} />
      {dead.length > 0 && <Part name="Dead before it came" lines={[dead.join(', ')]} />}
      {asleep.length > 0 && <Part name="Asleep before it came" lines={[asleep.join(', ')]} />}
      {startable.length > 0 && <Part name="Not started since" lines={[startable.join(', ')]} />}
    </dl>
  )
}

function Saved({ stop: { ended, saved } }: { stop: LastStopView }) {
  const kept = saved.filter(({ ref }) => ref !== undefined).toSorted((a, b) => (a.agent < b.agent ? -1 : 1))
  const unsaved = saved.flatMap((each) => (each.unsaved === undefined ? [] : `${each.agent}: ${each.unsaved}`))
  const clean = saved.length - kept.length - unsaved.length
  const open = ended.filter((id) => !saved.some(({ agent }) => agent === id)).length
  const words = [
    `Saved of ${kept.length}`,
    ...(clean > 0 ? [`nothing to save of ${clean}`] : []),
    ...(open > 0 ? [`${open} not looked after yet`] : []),
  ]
  return (
    <>
      {ended.length + saved.length > 0 && (
        <Row name="Work">
          <details>
            <summary className="cursor-pointer">{words.join(', ')}</summary>
            <ul className="mt-1 font-mono">
              {kept.map(({ agent, ref }) => (
                <li key={agent} className="wrap-anywhere">
                  {ref}
                </li>
              ))}
            </ul>
          </details>
        </Row>
      )}
      <Part name="Not saved" lines={unsaved} />
    </>
  )
}

function Part({ name, lines }: { name: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Row name={name}>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Row>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[12rem_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Nothing where nobody is left to start. */
export function StartAgain({ isOff }: { isOff: boolean }) {
  const startable = useStatus()?.lastStop?.startable ?? []
  const [isOpen, setIsOpen] = useState(false)
  if (startable.length === 0) return null
  return (
    <>
      <ActButton kind="quiet" disabled={isOff} onClick={() => setIsOpen(true)}>
        <Play size={16} aria-hidden="true" />
        Start {startable.length === 1 ? 'it' : 'them'} again…
      </ActButton>
      {isOpen && <StartDialog startable={startable} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function StartDialog({ startable, onClose }: { startable: readonly string[]; onClose: () => void }) {
  const isInForce = useStatus()?.emergency !== 'armed'
  const deed = useDeed()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = startable.filter((id) => !left.has(id))
  const toggle = (id: string): void =>
    setLeft((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]))
  const start = async (): Promise<void> => {
    const isTaken = await deed({
      run: () => call('POST /api/cloister/resume', { body: { start: chosen } }),
      done: `${count(chosen.length, 'agent')} being started again`,
    })
    if (isTaken) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Start again whom the emergency stop ended?"
      description={`${isInForce ? 'The emergency stop is over then. ' : ''}Each goes on with its session where it can, else begins anew with its whole task. Who was at work is told to go on.`}
    >
      <fieldset className="flex max-h-72 flex-col overflow-y-auto border-y border-line py-2">
        <legend className="sr-only">Whom</legend>
        {startable.map((id) => (
          <label key={id} className="flex min-h-9 cursor-pointer items-center gap-3 font-mono text-small">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={!left.has(id)}
              onChange={() => toggle(id)}
            />
            {id}
          </label>
        ))}
      </fieldset>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <ActButton kind="accent" disabled={chosen.length === 0} onClick={() => void start()}>
          {isInForce ? 'Resume and start' : 'Start'} {count(chosen.length, 'agent')}
        </ActButton>
      </div>
    </Dialog>
  )
}
