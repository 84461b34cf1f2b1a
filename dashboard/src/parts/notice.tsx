/** What stands where there is nothing to show, and what is said when the page cannot be trusted. */
import { Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnection, useStatus } from '../live/store.ts'
import { Quoted } from './quoted.tsx'
import { Since } from './time.tsx'

interface EmptyProps {
  title: string
  /** There is nothing else on the page. */
  isPage?: boolean
  children?: ReactNode
}

/** Nothing is here, why, and what to do. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={`flex flex-col items-start gap-2 py-8 text-ink-soft ${isPage ? '' : 'border-t border-line'}`}>
      <Title className="text-large text-ink">{title}</Title>
      {children}
    </div>
  )
}

interface LoadingProps {
  what: string
  rows?: number
  height?: number
}

/** Rows in the size of what will come, so that nothing moves when it is there. */
export function Loading({ what, rows = 6, height = 32 }: LoadingProps) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading {what}…</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="loading-row rounded-small bg-line" style={{ height: height - 8 }} />
      ))}
    </div>
  )
}

/** Until the first snapshot: rows that wait, or why nothing comes. */
export function NotYet(waiting: LoadingProps) {
  const { state, reason } = useConnection()
  if (state !== 'offline') return <Loading {...waiting} />
  return (
    <Empty isPage title={`Cannot show ${waiting.what} yet.`}>
      <p>
        <Quoted text={reason ?? ''} />
      </p>
      <p>This page tries again by itself.</p>
    </Empty>
  )
}

/** Above the content while the daemon is away: what is shown may be old. */
export function OfflineNotice() {
  const { state, reason, since } = useConnection()
  const status = useStatus()
  if (state !== 'offline') return null
  return (
    <Strip icon={<Unplug size={16} aria-hidden="true" />}>
      <strong className="font-medium">Offline</strong> since <Since at={since} />. <Quoted text={reason ?? ''} />{' '}
      {status !== undefined && 'What you see was true then.'}
    </Strip>
  )
}

function Strip({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-2 border-b border-line bg-surface px-4 py-2 text-warning">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <p className="text-ink">{children}</p>
    </div>
  )
}
