import { expect, test } from 'vitest'
import { heartbeatFile, stateFile } from '../contract/published-files.ts'
import { sampleAgent } from '../../tests/contract/journal-samples.ts'
import { publishedFiles } from './published.ts'

const verdict = {
  health: 'stale' as const,
  cause: { kind: 'waiting_user' as const, what: 'a question' },
  reason: 'it asked',
  citations: [],
  sinceAt: 1,
  sinceLook: 1,
  judgedAt: 2,
}

test('a working agent', () => {
  const files = publishedFiles(
    sampleAgent('pan-18', {
      issue: 'pan-18',
      verdict,
      sessionId: '286e638d-add1-490d-b6f4-6b99c8514f58',
      pid: 77,
      activities: [
        { ts: '2026-01-20T15:29:00.000Z', state: 'idle' },
        { ts: '2026-01-20T15:30:00.000Z', tool: 'Edit', action: 'Editing src/button.tsx', state: 'active' },
      ],
    }),
  )
  expect(stateFile.strict().parse(JSON.parse(files['state.json'] ?? ''))).toEqual({
    id: 'pan-18',
    issue: 'pan-18',
    workspace: '/workspaces/pan-18',
    runtime: 'virtual',
    model: 'sonnet',
    lifecycle: 'active',
    health: 'stale',
    cause: 'waiting_user',
    shown: 'waiting',
    lastActivity: '2026-01-20T15:30:00.000Z',
    handoffCount: 0,
    sessionId: '286e638d-add1-490d-b6f4-6b99c8514f58',
    generation: 1,
  })
  expect(heartbeatFile.strict().parse(JSON.parse(files['heartbeat.json'] ?? ''))).toEqual({
    timestamp: '2026-01-20T15:30:00.000Z',
    agent_id: 'pan-18',
    tool_name: 'Edit',
    last_action: 'Editing src/button.tsx',
    pid: 77,
    session_id: '286e638d-add1-490d-b6f4-6b99c8514f58',
  })
  expect(files['activity.jsonl']).toBe(
    '{"ts":"2026-01-20T15:29:00.000Z","state":"idle"}\n' +
      '{"ts":"2026-01-20T15:30:00.000Z","tool":"Edit","action":"Editing src/button.tsx","state":"active"}\n',
  )
  expect(files['session.id']).toBe('286e638d-add1-490d-b6f4-6b99c8514f58')
})

test('when an agent was last put to sleep and woken', () => {
  const slept = { suspendedWallAt: Date.UTC(2026, 0, 20, 22), resumedWallAt: Date.UTC(2026, 0, 21, 6, 30) }
  const { 'state.json': state } = publishedFiles(sampleAgent('pan-1', slept))
  expect(stateFile.strict().parse(JSON.parse(state ?? ''))).toMatchObject({
    suspendedAt: '2026-01-20T22:00:00.000Z',
    resumedAt: '2026-01-21T06:30:00.000Z',
  })
})

test('an agent of which only the registration is known has a state and no other file', () => {
  const { 'state.json': state, ...others } = publishedFiles(sampleAgent('pan-1', { lifecycle: 'uninitialized' }))
  expect(stateFile.strict().parse(JSON.parse(state ?? ''))).toEqual({
    id: 'pan-1',
    issue: 'pan-18',
    workspace: '/workspaces/pan-1',
    runtime: 'virtual',
    model: 'sonnet',
    lifecycle: 'uninitialized',
    health: null,
    cause: null,
    shown: 'uninitialized',
    handoffCount: 0,
    generation: 1,
  })
  expect(others).toEqual({ 'heartbeat.json': undefined, 'activity.jsonl': undefined, 'session.id': undefined })
})

test.each([
  { activity: { tool: 'Bash', action: 'npm test' }, tool_name: 'Bash', last_action: 'npm test' },
  { activity: { tool: 'Bash' }, tool_name: 'Bash', last_action: 'Bash' },
  { activity: { action: 'thinking' }, tool_name: null, last_action: 'thinking' },
  { activity: {}, tool_name: null, last_action: 'idle' },
])('a heartbeat of $activity says $last_action', ({ activity, tool_name, last_action }) => {
  const agent = sampleAgent('pan-1', { activities: [{ ts: 't', state: 'idle', ...activity }] })
  expect(JSON.parse(publishedFiles(agent)['heartbeat.json'] ?? '')).toEqual({
    timestamp: 't',
    agent_id: 'pan-1',
    tool_name,
    last_action,
    pid: null,
    session_id: null,
  })
})
