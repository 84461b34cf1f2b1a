/**
 * The peer of the dashboard benchmark: the usual page that keeps all agents in one state and draws everything anew at
 * every message: no list cut to what is in sight, one SVG ribbon per agent.
 */
import { createElement as h, useEffect, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Ribbon, RibbonsView } from '../../src/contract/ribbon.ts'
import type { StreamChange, StreamSnapshot } from '../../src/contract/stream.ts'
import type { AgentView } from '../../src/contract/views.ts'

const COLOURS: Record<string, string> = { active: '#3c8a5d', stale: '#d8bd3c', warning: '#f08c3a', stuck: '#f4706a' }

function Page(): ReactNode {
  const [agents, setAgents] = useState<Record<string, AgentView>>({})
  const [ribbons, setRibbons] = useState<RibbonsView>()
  useEffect(() => {
    void fetch('/api/ribbons?hours=8').then(async (answer) => setRibbons((await answer.json()) as RibbonsView))
    const stream = new EventSource('/api/stream')
    const take = (event: MessageEvent<string>): void => {
      const message = JSON.parse(event.data) as StreamSnapshot | StreamChange
      setAgents((before) => ({ ...before, ...Object.fromEntries(message.agents.map((agent) => [agent.id, agent])) }))
      setRibbons((before) => before && { ...before, ribbons: before.ribbons.map((one) => carriedOn(one, message)) })
    }
    stream.addEventListener('snapshot', take)
    stream.addEventListener('change', take)
    return () => stream.close()
  }, [])
  const byAgent = new Map(ribbons?.ribbons.map((ribbon) => [ribbon.agent, ribbon]))
  return h(
    'div',
    {},
    Object.values(agents).map((agent) =>
      h(Row, { key: agent.id, agent, ribbon: byAgent.get(agent.id), span: lastHours() }),
    ),
  )
}

function carriedOn(ribbon: Ribbon, { agents, at }: StreamSnapshot | StreamChange): Ribbon {
  const agent = agents.find(({ id }) => id === ribbon.agent)
  const last = ribbon.segments.at(-1)
  if (agent === undefined || last === undefined) return ribbon
  const next = { from: at, to: at, shade: agent.health ?? 'unknown', generation: agent.generation } as const
  return { ...ribbon, segments: [...ribbon.segments.slice(0, -1), { ...last, to: at }, next] }
}

function lastHours(): Span {
  return { from: Date.now() - 8 * 3_600_000, to: Date.now() }
}

type Span = Pick<RibbonsView, 'from' | 'to'>

interface RowProps {
  agent: AgentView
  ribbon: Ribbon | undefined
  span: Span
}

function Row({ agent, ribbon, span }: RowProps): ReactNode {
  return h(
    'div',
    { style: { display: 'flex', gap: 16, height: 44 } },
    h('span', { style: { width: 200, color: COLOURS[agent.health ?? ''] } }, agent.id),
    h('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', style: { flex: 1, height: 28 } }, bars(ribbon, span)),
    h('span', { style: { width: 250 } }, `${agent.health ?? agent.lifecycle}: ${agent.reason ?? ''}`),
  )
}

function bars(ribbon: Ribbon | undefined, span: Span): ReactNode {
  if (ribbon === undefined) return null
  const place = (at: number): number => (at - span.from) / (span.to - span.from)
  return ribbon.segments.map(({ from, to, shade }, n) =>
    h('rect', {
      key: n,
      x: place(from),
      width: Math.max(0, place(to) - place(from)),
      height: 1,
      fill: COLOURS[shade] ?? '#888',
    }),
  )
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(h(Page))
