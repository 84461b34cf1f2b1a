/** The settings as they are, the draft over them, and saving it. Asked for anew only when the stream says they changed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ConfigKeyView, ConfigView } from '../../../../src/contract/config-view.ts'
import { ApiError } from '../../live/api.ts'
import { call, watchChanges } from '../../live/store.ts'
import {
  changeOf,
  NO_DRAFT,
  NO_PROBLEMS,
  problemsAt,
  rebased,
  withEdit,
  withoutEdit,
  type Draft,
  type Edit,
  type Problems,
} from './draft.ts'

const KEY = ['config']
const CONFIG = { queryKey: KEY, queryFn: () => call('GET /api/cloister/config') }

export function useConfig() {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchChanges(({ events, anew }) => {
        if (anew || events.some(({ type }) => type === 'house.settings-changed'))
          void queries.invalidateQueries({ queryKey: KEY })
      }),
    [queries],
  )
  return useQuery(CONFIG)
}

export type Saved = 'saved' | 'refused' | 'conflict'

export interface Editing {
  draft: Draft
  problems: Problems
  isSaving: boolean
  /** The file was changed by somebody else while this was edited. */
  isOvertaken: boolean
  edit: (key: ConfigKeyView, edit: Edit) => void
  undo: (path: string) => void
  undoAll: () => void
  save: () => Promise<Saved>
}

export function useEditing(view: ConfigView): Editing {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(NO_DRAFT)
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const [isSaving, setIsSaving] = useState(false)
  const [isOvertaken, setIsOvertaken] = useState(false)
  const change = (next: Draft): void => {
    setDraft(next)
    setIsOvertaken(false)
  }
  const without = (path: string): void =>
    setProblems(({ byKey, others }) => ({ byKey: new Map([...byKey].filter(([key]) => key !== path)), others }))

  const refused = async (error: unknown): Promise<Saved> => {
    if (!(error instanceof ApiError) || error.code !== 'conflict') {
      setProblems(linesOf(error, view))
      return 'refused'
    }
    setDraft(rebased(draft, await queries.fetchQuery({ ...CONFIG, staleTime: 0 })))
    setIsOvertaken(true)
    return 'conflict'
  }

  const save = async (): Promise<Saved> => {
    setIsSaving(true)
    setProblems(NO_PROBLEMS)
    try {
      queries.setQueryData(KEY, await call('PUT /api/cloister/config', { body: changeOf(draft, view) }))
      change(NO_DRAFT)
      return 'saved'
    } catch (error) {
      return await refused(error)
    } finally {
      setIsSaving(false)
    }
  }

  return {
    draft,
    problems,
    isSaving,
    isOvertaken,
    edit: (key, edit) => {
      change(withEdit(draft, key, edit))
      without(key.path)
    },
    undo: (path) => {
      change(withoutEdit(draft, path))
      without(path)
    },
    undoAll: () => {
      change(NO_DRAFT)
      setProblems(NO_PROBLEMS)
    },
    save,
  }
}

function linesOf(error: unknown, view: ConfigView): Problems {
  if (!(error instanceof ApiError)) return { ...NO_PROBLEMS, others: [String(error)] }
  if (error.problems.length > 0) return problemsAt(error.problems, view)
  return { ...NO_PROBLEMS, others: [`${error.sentence}. ${error.hint}`] }
}
