/** The one way to do something: ask first where that is needed, do it, and say what became of it. */
import { useCallback } from 'react'
import { ApiError } from '../live/api.ts'
import { useConfirm, type Question } from './confirm.tsx'
import { useToast } from './toast.tsx'

export interface Deed {
  ask?: Question
  run: () => Promise<unknown>
  /** «agent-pan-18 is being killed» */
  done: string
}

/** Resolves to whether it was done. */
export function useDeed(): (deed: Deed) => Promise<boolean> {
  const confirm = useConfirm()
  const toast = useToast()
  return useCallback(
    async ({ ask, run, done }) => {
      if (ask !== undefined && !(await confirm(ask))) return false
      try {
        await run()
        toast({ title: done })
        return true
      } catch (error) {
        toast({ ...failure(error), isFailure: true })
        return false
      }
    },
    [confirm, toast],
  )
}

function failure(error: unknown): { title: string; text: string } {
  if (error instanceof ApiError) return { title: error.sentence, text: error.hint }
  return { title: 'That did not work', text: error instanceof Error ? error.message : String(error) }
}
