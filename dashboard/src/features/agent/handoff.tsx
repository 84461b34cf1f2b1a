/** Who could take its work over, what is suggested, and how far an open hand-off is. */
import { Link } from '@tanstack/react-router'
import type { LiveAgent } from '../../live/store.ts'
import { HandoffPanel } from '../../parts/handoff/panel.tsx'
import { Section } from './section.tsx'

export function Handoff({ agent }: { agent: LiveAgent }) {
  return (
    <Section
      title="Hand-off"
      aside={
        <Link to="/handoffs" search={{ agent: agent.id }} className="text-accent hover:underline">
          Its hand-offs
        </Link>
      }
    >
      <HandoffPanel agent={agent} />
    </Section>
  )
}
