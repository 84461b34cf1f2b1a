/** What is known of the agent, as plain facts. */
import type { ReactNode } from 'react'
import { useNow, type LiveAgent } from '../../live/store.ts'
import { ContextGauge, contextInWords } from '../../parts/context-gauge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { cycleWords } from '../../parts/handoff/cycle-words.ts'
import { keptOf, wakingOf } from '../../parts/kept.ts'
import { shadeOf } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { clock, duration, exact, percent } from '../../parts/words.ts'
import { Section } from './section.tsx'

export function Facts({ agent }: { agent: LiveAgent }) {
  const { health, lifecycle, reason, model, runtime, simulated, branch, workspace, sessionId, generation } = agent
  return (
    <Section title="Facts">
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="State">
          <span className="flex flex-wrap gap-x-3">
            <StateMark shade={shadeOf(agent)} isNow />
            {health !== undefined && <span className="text-ink-soft">lifecycle {lifecycle}</span>}
          </span>
        </Fact>
        {reason !== undefined && <Fact name="Cause">{reason}</Fact>}
        <Fact name="Wanted">
          {agent.desired === undefined ? 'to run' : `${keptOf(agent.desired, agent.asOf)}: ${agent.desired.reason}`}
        </Fact>
        {agent.resume !== undefined && <Fact name="To wake it">{wakingOf(agent.resume)}</Fact>}
        {agent.waitingWork !== undefined && <Fact name="Work waits">{agent.waitingWork}</Fact>}
        <Fact name="Last sign">
          <Ago at={Date.parse(agent.lastActive)} />
        </Fact>
        {agent.issue !== undefined && (
          <Fact name="Issue" isMono>
            {agent.issue}
          </Fact>
        )}
        {agent.project !== undefined && <Fact name="Project">{agent.project}</Fact>}
        <Fact name="Model">{model}</Fact>
        <Fact name="Runtime">
          {runtime}
          {simulated && <span className="text-ink-soft"> · simulated</span>}
        </Fact>
        <Told agent={agent} />
        <Fact name="Branch" isMono={branch !== undefined}>
          {branch ?? <span className="text-ink-soft">none</span>}
        </Fact>
        <Fact name="Workspace" isMono copied={workspace}>
          {workspace}
        </Fact>
        {sessionId !== undefined && (
          <Fact name="Session" isMono copied={sessionId}>
            {sessionId}
          </Fact>
        )}
        <Fact name="Generation">{generation}</Fact>
      </dl>
    </Section>
  )
}

/** What its program says of itself: how it is heard, how full it is, what it may do, and its account's limits. */
function Told({ agent: { heartbeat, context, cycle, limits = [], permissionMode, asOf } }: { agent: LiveAgent }) {
  const now = useNow()
  const grownMs = Math.max(0, now - asOf)
  return (
    <>
      {heartbeat !== undefined && (
        <Fact name="Heartbeat">
          {heartbeat.source}
          <span className="text-ink-soft">
            {`, by ${heartbeat.witness}, ${duration(heartbeat.ageMs + grownMs)} ago, ${heartbeat.confidence} confidence`}
          </span>
        </Fact>
      )}
      {context !== undefined && (
        <Fact name="Context">
          <ContextGauge context={context} grownMs={grownMs} />
          <span className="block text-ink-soft">{contextInWords(context, grownMs)}</span>
        </Fact>
      )}
      {cycle !== undefined && (
        <Fact name="Next cycle">
          {cycleWords(cycle, grownMs)}
          {cycle.warning !== undefined && <span className="block text-warning">{cycle.warning}</span>}
        </Fact>
      )}
      {limits.map(({ name, share, resetsWallAt }) => (
        <Fact key={name} name={limitName(name)}>
          {percent(share)} used
          {resetsWallAt !== undefined && (
            <span className="text-ink-soft" title={exact(resetsWallAt)}>
              {`, ${resetsWallAt > now ? 'begins' : 'began'} anew at ${clock(resetsWallAt, now)}`}
            </span>
          )}
        </Fact>
      ))}
      {permissionMode !== undefined && <Fact name="Permissions">{permissionMode}</Fact>}
    </>
  )
}

/** «five_hour» is the client's word. */
function limitName(name: string): string {
  const words = name.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} limit`
}

interface FactProps {
  name: string
  isMono?: boolean
  /** What the button beside it copies. */
  copied?: string
  children: ReactNode
}

function Fact({ name, isMono = false, copied, children }: FactProps) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="flex min-w-0 items-start gap-1">
        <span className={`min-w-0 wrap-anywhere ${isMono ? 'font-mono' : ''}`}>{children}</span>
        {copied !== undefined && <CopyButton label={`Copy ${name.toLowerCase()}`} text={copied} />}
      </dd>
    </>
  )
}
