/** The one way to do something: ask first where that is needed, do it, and say what became of it. */
import { useCallback } from 'react'
import type { ActKind } from '../../../src/contract/acts.ts'
import { ApiError } from '../live/api.ts'
import { watchChanges } from '../live/store.ts'
import { useConfirm, type Question } from './confirm.tsx'
import { useToast, type News } from './toast.tsx'

export interface Deed {
  ask?: Question
  run: () => Promise<unknown>
  /** «agent-pan-18 is being killed» */
  done: string
  /** What the daemon goes on with after it said yes; how that ends is told in place of `done`. */
  act?: Act
}

interface Act {
  agent: string
  kind: ActKind
}

/** Resolves to whether it was done, or taken on. */
export function useDeed(): (deed: Deed) => Promise<boolean> {
  const confirm = useConfirm()
  const toast = useToast()
  return useCallback(
    async ({ ask, run, done, act }) => {
      if (ask !== undefined && !(await confirm(ask))) return false
      // Before it is asked for: the end may be known sooner than the answer.
      const end = act === undefined ? undefined : watchEnd(act)
      try {
        await run()
        const sayInstead = toast({ title: done })
        void end?.news.then(sayInstead)
        return true
      } catch (error) {
        end?.stop()
        toast({ ...failure(error), isFailure: true })
        return false
      }
    },
    [confirm, toast],
  )
}

/** Given up when the stream had a gap: the end may have been in it. */
function watchEnd({ agent, kind }: Act): { news: Promise<News>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<News>()
  const stop = watchChanges(({ events, anew }) => {
    const ended = events.find((event) => event.type === 'act.ended' && event.agent === agent && event.act === kind)
    if (ended?.type === 'act.ended') resolve({ title: ended.sentence, isFailure: ended.result !== 'done' })
    if (ended !== undefined || anew) stop()
  })
  return { news: promise, stop }
}

function failure(error: unknown): { title: string; text: string } {
  if (error instanceof ApiError) return { title: error.sentence, text: error.hint }
  return { title: 'That did not work', text: error instanceof Error ? error.message : String(error) }
}
