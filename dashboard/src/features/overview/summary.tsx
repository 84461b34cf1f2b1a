/** How many agents are in which state; a state that nobody is in is left out. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAgents } from '../../live/store.ts'
import { shadeOf, SHADES } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'

export function Summary() {
  const agents = useAgents()
  const counts = useMemo(() => Map.groupBy(agents, shadeOf), [agents])
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {SHADES.flatMap((shade) => {
        const inIt = counts.get(shade)?.length ?? 0
        if (inIt === 0) return []
        return (
          <li key={shade}>
            <Link to="/agents" search={{ states: [shade] }} className="flex items-center gap-1 hover:underline">
              <span className="font-medium">{inIt}</span>
              <StateMark shade={shade} isNow />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
