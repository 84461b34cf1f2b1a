/** The real Claude Code, whose model begins an answer and says nothing more. */
import { afterEach, expect, test } from 'vitest'
import { realClaude, type RealClaude } from '../claude-code/real-claude.ts'
import { configText } from './stage.ts'

let real: RealClaude | undefined
afterEach(() => real?.remove())

test('a silent stream is hung after its minutes, however its screen ticks, and not before', async (ctx) => {
  real = await realClaude({ config: configText({ stale: 0.05, warning: 0.1, stuck: 0.15 }) })
  if (real === undefined) return ctx.skip(true, 'the pinned Claude Code cannot be installed; why is printed above')
  const { live, api, spawn, seen, registry } = real
  await spawn('begin', [{ hangs: true }])
  await live.until(() => api.requests.length > 0, 'the answer has begun')
  await live.until(() => registry()?.['status'] === 'busy', 'the client is busy')
  const hung = await seen('it hangs', ({ cause }) => cause?.kind === 'hung')
  expect(hung).toMatchObject({ lifecycle: 'active', doing: { kind: 'thinking' } })
  expect(['warning', 'stuck']).toContain(hung.health)
  const heard = () =>
    live.events
      .flatMap((event) => (event.type === 'agent.health-changed' && event.cause.kind === 'hung' ? event.citations : []))
      .find(({ witness }) => witness === 'hook')
  await live.until(() => heard() !== undefined, 'that it hangs is told')
  expect(heard()?.ageMs).toBeGreaterThanOrEqual(6_000)
}, 120_000)
