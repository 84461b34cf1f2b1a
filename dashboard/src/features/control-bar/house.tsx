/** The one sentence on the house, in the words of the daemon, and its remedy. What is not normal colours the whole bar. */
import { EyeOff, Hand, OctagonX, Pause, Play, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Condition, HouseView, Remedy } from '../../../../src/contract/house-view.ts'
import { call, useConnection, useStatus } from '../../live/store.ts'
import { ActButton, IconButton } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { Quoted } from '../../parts/quoted.tsx'
import { StateShape } from '../../parts/state-mark.tsx'

interface Look {
  ink: string
  ground: string
  Icon?: LucideIcon
}

const RED = { ink: 'text-stuck', ground: 'bg-stuck-soft border-stuck' }
const ORANGE = { ink: 'text-warning', ground: 'bg-warning-soft border-warning' }

const LOOKS: Record<Condition, Look> = {
  stopped: { ...RED, Icon: OctagonX },
  blind: { ...RED, Icon: EyeOff },
  degraded: { ...ORANGE, Icon: TriangleAlert },
  held: { ...ORANGE, Icon: Hand },
  paused: { ink: 'text-accent', ground: 'bg-accent-soft border-accent', Icon: Pause },
  watching: { ink: 'text-active', ground: 'bg-ground border-line' },
}

/** What the whole bar is painted with; what nobody knows is not normal either. */
export function barGround(condition: Condition | undefined): string {
  return condition === undefined ? ORANGE.ground : LOOKS[condition].ground
}

export function HouseSentence({ house: { condition, sentence } }: { house: HouseView }) {
  const { ink, Icon } = LOOKS[condition]
  return (
    <span className={`flex min-w-0 items-center gap-1.5 font-medium ${ink}`}>
      {Icon === undefined ? (
        <StateShape shade="active" isRinging />
      ) : (
        <Icon size={16} className="shrink-0" aria-hidden="true" />
      )}
      <span role="status" title={sentence} className="line-clamp-2">
        {sentence}
      </span>
    </span>
  )
}

/** What puts it right where one press does; else whether it watches at all. */
export function HouseDeed({ house: { remedy }, isRunning }: { house: HouseView; isRunning: boolean }) {
  if (remedy?.act === 'resume') return <Resume />
  if (remedy?.act === 'settle' && remedy.item !== undefined) return <Settle item={remedy.item} />
  if (remedy?.act === 'start') return <Start />
  return <Toggle isRunning={isRunning} />
}

function Resume() {
  const deed = useDeed()
  const resume = (): Promise<boolean> =>
    deed({
      ask: {
        title: 'Resume after the emergency stop?',
        text: 'Agents may be started and typed to again. No agent starts by itself because of this.',
        verb: 'Resume',
      },
      run: () => call('POST /api/cloister/resume'),
      done: 'Resume asked for',
    })
  return <ActButton onClick={() => void resume()}>Resume</ActButton>
}

function Settle({ item }: { item: string }) {
  const deed = useDeed()
  const settle = (): Promise<boolean> =>
    deed({ run: () => call('POST /api/inbox/:id/settle', { id: item }), done: 'Cloister may act again' })
  return <ActButton onClick={() => void settle()}>Allow acts</ActButton>
}

function Start() {
  const start = useStart()
  return <ActButton onClick={() => void start()}>Start watching</ActButton>
}

function useStart(): () => Promise<boolean> {
  const deed = useDeed()
  return () => deed({ run: () => call('POST /api/cloister/start'), done: 'Cloister watches again' })
}

function Toggle({ isRunning }: { isRunning: boolean }) {
  const deed = useDeed()
  const start = useStart()
  const pause = (): Promise<boolean> =>
    deed({
      ask: {
        title: 'Pause Cloister?',
        text: 'Agents go on untouched, but nobody looks after them: nothing is judged, poked or started again until you press start.',
        verb: 'Pause',
      },
      run: () => call('POST /api/cloister/stop'),
      done: 'Cloister is paused',
    })
  return (
    <IconButton
      label={isRunning ? 'Pause watching' : 'Start watching'}
      onClick={() => void (isRunning ? pause() : start())}
    >
      {isRunning ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
    </IconButton>
  )
}

/** Under the bar and in its colour: what to do about what is not normal. */
export function RemedyNotice() {
  const isLive = useConnection().state === 'live'
  const house = useStatus()?.house
  if (house?.remedy === undefined || !isLive) return null
  return (
    <p className={`border-b px-4 py-2 ${barGround(house.condition)}`}>
      <Quoted text={remedyText(house.remedy)} />
    </p>
  )
}

function remedyText({ sentence, command }: Remedy): string {
  return command === undefined ? sentence : `${sentence} In a terminal: \`${command}\``
}
