/** Always in sight: whether Cloister watches, when it last looked, who needs you, and the emergency stop. */
import { Link } from '@tanstack/react-router'
import { Bell, Flag, Pause, Play, Unplug } from 'lucide-react'
import { useEffect } from 'react'
import type { StatusView } from '../../../../src/contract/views.ts'
import { call, useConnection, useStatus } from '../../live/store.ts'
import { IconButton } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'
import { StateShape } from '../../parts/state-mark.tsx'
import { Ago, Since } from '../../parts/time.tsx'
import { EmergencyButton } from './emergency-button.tsx'
import { attentionWords } from './attention-words.ts'

export function ControlBar() {
  const status = useStatus()
  const isLive = useConnection().state === 'live'
  const words = attentionWords(status?.needsYou ?? [])
  useEffect(() => {
    document.title = words === undefined ? 'Cloister' : `${words} · Cloister`
  }, [words])
  return (
    <header className="sticky top-0 z-30 flex h-22 flex-wrap items-center gap-x-4 border-b border-line bg-ground px-4 sm:h-14 sm:flex-nowrap">
      <Link to="/" className="flex items-center gap-2 text-large font-semibold max-sm:h-11">
        <Bell size={20} className="text-accent" aria-hidden="true" />
        Cloister
      </Link>
      {status === undefined || !isLive ? <NotLive /> : <Monitoring status={status} />}
      <div className="order-last flex min-w-0 items-center gap-x-4 max-xl:text-small max-sm:h-9 max-sm:w-full max-sm:justify-between max-sm:gap-x-2 sm:order-none sm:flex-1 sm:max-xl:flex-col sm:max-xl:items-start">
        {status !== undefined && (
          <>
            <Facts status={status} isLive={isLive} />
            <Attention words={words} />
          </>
        )}
      </div>
      <div className="max-sm:ml-auto">
        <EmergencyButton isOff={status !== undefined && status.emergency !== 'armed'} />
      </div>
    </header>
  )
}

/** Whether it runs is not known then. */
function NotLive() {
  const { state, since } = useConnection()
  if (state !== 'offline') return <span className="text-ink-soft">Connecting…</span>
  return (
    <span className="flex items-center gap-1.5 font-medium text-warning">
      <Unplug size={16} aria-hidden="true" />
      <span className="whitespace-nowrap">
        Offline
        <span className="max-sm:sr-only">
          {' '}
          since <Since at={since} />
        </span>
      </span>
    </span>
  )
}

function Monitoring({ status: { running } }: { status: StatusView }) {
  const deed = useDeed()
  const toggle = (): Promise<boolean> =>
    running
      ? deed({
          ask: {
            title: 'Pause Cloister?',
            text: 'Agents go on untouched, but nobody looks after them: nothing is judged, poked or started again until you press start.',
            verb: 'Pause',
          },
          run: () => call('POST /api/cloister/stop'),
          done: 'Cloister is paused',
        })
      : deed({ run: () => call('POST /api/cloister/start'), done: 'Cloister watches again' })
  return (
    <span className="flex items-center gap-1">
      <span className={`flex items-center gap-1.5 font-medium ${running ? 'text-active' : 'text-ink-soft'}`}>
        <StateShape shade={running ? 'active' : 'suspended'} isRinging />
        {running ? 'Running' : 'Paused'}
      </span>
      <IconButton label={running ? 'Pause watching' : 'Start watching'} onClick={() => void toggle()}>
        {running ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
      </IconButton>
    </span>
  )
}

function Facts({ status: { lastCheckWallAt, watching }, isLive }: { status: StatusView; isLive: boolean }) {
  return (
    <span className={`truncate ${isLive ? 'text-ink-soft' : 'text-ink-faint'}`}>
      {lastCheckWallAt !== undefined && (
        <>
          <span className="max-sm:hidden">last </span>look <Ago at={lastCheckWallAt} />
          {' · '}
        </>
      )}
      {isLive ? 'watching' : 'watched'} {watching}
    </span>
  )
}

function Attention({ words }: { words: string | undefined }) {
  if (words === undefined) return <span className="truncate text-ink-faint max-sm:hidden">Nothing needs you</span>
  return (
    <Link to="/inbox" className="flex min-w-0 items-center gap-1.5 font-medium text-accent hover:underline">
      <Flag size={14} className="shrink-0" aria-hidden="true" />
      <span className="truncate max-sm:hidden">{words}</span>
      <span className="truncate sm:hidden">{words.replace(/ (agent|thing)s?/, '')}</span>
    </Link>
  )
}
