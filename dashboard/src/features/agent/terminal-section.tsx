/** Its live terminal; it stays in sight while the rest is scrolled. */
import type { LiveAgent } from '../../live/store.ts'
import { isRunning } from '../../parts/agent-deeds.tsx'
import { LiveTerminal } from '../../parts/terminal/live-terminal.tsx'
import { Section } from './section.tsx'

export function TerminalSection({ agent }: { agent: LiveAgent }) {
  const { id, generation } = agent
  return (
    <div className="min-w-0">
      <div className="lg:sticky lg:top-16">
        <Section title="Terminal">
          {agent.adopted !== undefined ? (
            <p className="py-2 text-ink-soft">
              It is where you started it; Cloister opens no view on a terminal of yours.
            </p>
          ) : isRunning(agent) ? (
            <LiveTerminal agent={id} generation={generation} />
          ) : (
            <p className="py-2 text-ink-soft">It does not run. Its terminal is here when it is started again.</p>
          )}
        </Section>
      </div>
    </div>
  )
}
