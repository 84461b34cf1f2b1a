/** The real Claude Code, whose model begins an answer and says nothing more. */
import { expect, test } from 'vitest'
import { clientFor } from '../claude-code/real-claude.ts'
import { configText } from './stage.ts'

test('a silent stream is hung after its minutes, however its screen ticks, and not before', async (ctx) => {
  const config = configText({ stale: 0.05, warning: 0.1, stuck: 0.15 })
  const { live, api, spawn, seen, registry } = await clientFor(ctx, { config })
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
