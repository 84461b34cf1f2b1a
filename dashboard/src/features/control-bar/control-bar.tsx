/** Always in sight: what is to be said of the house, when it last looked, who needs you, and the emergency stop. */
import { Link } from '@tanstack/react-router'
import { Bell, Flag, Unplug } from 'lucide-react'
import { useEffect } from 'react'
import type { StatusView } from '../../../../src/contract/status-view.ts'
import { useConnection, useStatus } from '../../live/store.ts'
import { Ago, Since } from '../../parts/time.tsx'
import { EmergencyButton } from './emergency-button.tsx'
import { attentionWords } from './attention-words.ts'
import { barGround, HouseDeed, HouseSentence } from './house.tsx'

export function ControlBar() {
  const status = useStatus()
  const { state } = useConnection()
  const [isLive, isOffline] = [state === 'live', state === 'offline']
  const words = attentionWords(status?.needsYouCount ?? 0)
  useEffect(() => {
    document.title = words === undefined ? 'Cloister' : `${words} · Cloister`
  }, [words])
  return (
    <header
      className={`sticky top-0 z-30 flex min-h-22 flex-wrap items-center gap-x-4 border-b px-4 max-sm:gap-x-2 sm:h-14 sm:min-h-14 sm:flex-nowrap ${barGround(isLive ? status?.house.condition : isOffline ? undefined : 'watching')}`}
    >
      <Link to="/" className="flex items-center gap-2 text-large font-semibold max-sm:h-11">
        <Bell size={20} className="text-accent" aria-hidden="true" />
        <span className="max-[23.4rem]:sr-only">Cloister</span>
      </Link>
      {status === undefined || !isLive ? (
        <NotLive />
      ) : (
        <>
          <div className="min-w-0 max-sm:order-2 max-sm:flex-1 max-sm:text-small">
            <HouseSentence house={status.house} />
          </div>
          <HouseDeed house={status.house} isRunning={status.running} />
        </>
      )}
      <div className="flex min-w-0 items-center gap-x-4 max-xl:text-small max-sm:order-3 max-sm:h-9 max-sm:shrink-0 sm:flex-1 sm:max-xl:flex-col sm:max-xl:items-start">
        {status !== undefined && (
          <>
            <Facts status={status} isLive={isLive} />
            <Attention words={words} />
          </>
        )}
      </div>
      {/* The second line of a narrow bar begins here. */}
      <span className="order-1 basis-full sm:hidden" />
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

function Facts({ status: { lastCheckWallAt, watching }, isLive }: { status: StatusView; isLive: boolean }) {
  if (lastCheckWallAt === undefined) return null
  return (
    <span className={`truncate text-ink-soft ${isLive ? 'max-sm:hidden' : ''}`}>
      <span className="max-sm:hidden">last </span>look <Ago at={lastCheckWallAt} />
      {!isLive && ` · watched ${watching}`}
    </span>
  )
}

function Attention({ words }: { words: string | undefined }) {
  if (words === undefined) return <span className="truncate text-ink-soft max-sm:hidden">Nothing needs you</span>
  return (
    <Link to="/inbox" className="flex min-w-0 items-center gap-1.5 font-medium text-accent hover:underline">
      <Flag size={14} className="shrink-0" aria-hidden="true" />
      <span className="truncate max-sm:hidden">{words}</span>
      <span className="truncate sm:hidden">{words.replace(/ things?/, '')}</span>
    </Link>
  )
}
