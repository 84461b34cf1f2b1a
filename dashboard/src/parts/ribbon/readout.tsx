/** What was true at the minute that is pointed at, in words; read out politely. */
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import { usePointed } from './cursor.tsx'
import { sayAt } from './said.ts'

interface ReadoutProps {
  ribbons: readonly Ribbon[]
  now: number
  /** What stands there while nobody points. */
  idle: string
}

export function RibbonReadout({ ribbons, now, idle }: ReadoutProps) {
  const pointed = usePointed()
  const ribbon = pointed && ribbons.find(({ agent }) => agent === pointed.agent)
  return (
    <p aria-live="polite" className={`min-h-10 sm:min-h-5 ${pointed === undefined ? 'text-ink-faint' : 'text-ink'}`}>
      {pointed === undefined || ribbon === undefined ? idle : sayAt(ribbon, pointed.at, now)}
    </p>
  )
}
