/** One part of the page under its heading. */
import type { ReactNode } from 'react'

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
