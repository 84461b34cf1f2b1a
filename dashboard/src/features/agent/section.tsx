/** One part of the page under its heading, with what is said while it is asked for and when it could not be had. */
import type { UseQueryResult } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Loading } from '../../parts/notice.tsx'

interface SectionProps {
  title: string
  /** Small, beside the heading. */
  aside?: ReactNode
  children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  const id = sectionId(title)
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 border-b border-line pb-1">
        <h2 id={id} className="scroll-mt-24 text-large font-semibold sm:scroll-mt-16">
          {title}
        </h2>
        {aside !== undefined && <span className="text-ink-soft">{aside}</span>}
      </div>
      {children}
    </section>
  )
}

/** What an address on the page names it by. */
export function sectionId(title: string): string {
  return title.toLowerCase()
}

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
