/** The frame around every page: skip link, rail, control bar, what is wrong, content. */
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { ControlBar } from './features/control-bar/control-bar.tsx'
import { RemedyNotice } from './features/control-bar/house.tsx'
import { SignIn } from './features/sign-in/sign-in.tsx'
import { KeyHelp } from './key-help.tsx'
import { useConnection } from './live/store.ts'
import { OfflineNotice } from './parts/notice.tsx'
import { Rail } from './rail.tsx'
import { useShortcuts } from './shortcuts.ts'

export function Shell() {
  const { state } = useConnection()
  return state === 'signed-out' ? <SignIn /> : <House />
}

function House() {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const isStale = useConnection().state !== 'live'
  useShortcuts(() => setIsHelpOpen(true))
  return (
    <div className="flex min-h-dvh flex-col sm:flex-row" {...(isStale ? { 'data-stale': '' } : {})}>
      <a
        href="#content"
        className="sr-only z-50 rounded-small bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Rail />
      <div className="flex min-w-0 flex-1 flex-col">
        <ControlBar />
        <RemedyNotice />
        <OfflineNotice />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 pt-4 pb-24 outline-none sm:pb-8">
          <Outlet />
        </main>
      </div>
      <KeyHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </div>
  )
}
