/** What is said while something is asked for, and when it could not be had. */
import type { UseQueryResult } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Loading } from './notice.tsx'

interface AskedProps<Data> {
  what: string
  rows?: number
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/** What was known stays while it is asked for anew, and when that fails. */
export function Asked<Data>({ what, rows = 4, query, children }: AskedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading what={what} rows={rows} height={28} />
  return (
    <div role="alert" className="flex flex-col items-start gap-2 text-ink-soft">
      <p>
        Could not get {what}: {query.error.message}
      </p>
      <Button onClick={() => void query.refetch()}>
        <RotateCw size={16} aria-hidden="true" />
        Try again
      </Button>
    </div>
  )
}
