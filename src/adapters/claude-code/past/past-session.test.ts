import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedHooks } from '../../../../tests/samples/recorded-hooks.ts'
import { parseBody } from '../hook-body.ts'
import { noCounts, pastSession } from './past-session.ts'

/** What no transcript tells: a dialog, what a subagent in a file of its own did, the end of the program. */
const UNTOLD = ['StatusLine', 'PermissionRequest', 'SubagentStart', 'SubagentStop', 'SessionEnd']

/** Both were written by one real client in one session. */
test('the transcript of a real session tells the hooks that its client sent', () => {
  const [first] = recordedHooks()
  const session = parseBody(first?.body ?? '')?.['session_id']
  const sent = recordedHooks().flatMap(({ kind, body }) => {
    const fields = parseBody(body) ?? {}
    const isOfMain = fields['session_id'] === session && fields['agent_id'] === undefined
    return isOfMain && !UNTOLD.includes(kind) && fields['source'] !== 'compact' ? kind : []
  })
  const path = join(import.meta.dirname, '../fixtures/session.jsonl')
  const counts = noCounts()
  const moments = [...pastSession({ path, counts, nowWallAt: Date.UTC(2026, 11) })]
  const told = moments.flatMap(({ hooks }) => hooks.map(({ kind }) => kind)).filter((kind) => !UNTOLD.includes(kind))
  expect(told).toEqual(sent)
  expect(counts).toMatchObject({ unreadable: 0, untimed: 0, closed: 0, clients: ['2.1.325'] })
})
