import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import type { Sighting } from '../../contract/evidence.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE } from '../durations.ts'
import { step } from '../step.ts'
import { createWorld } from '../world.ts'

const AT = 10 * MINUTE
const ID = 'agent-pan-18'
const proving: Partial<Handoff> = { state: 'proving', startedAt: AT, stateAt: AT, deadlineAt: AT + 5 * MINUTE }
const begun: Partial<AgentRecord> = { generation: 2, startedAt: AT, producedAt: AT, progressedAt: AT }
const helps = { model: 'haiku', runtime: 'virtual', specialist: 'test-agent' }

/** Who has to show that it works, by how the work was handed over. */
const METHODS: Record<string, AgentRecord[]> = {
  kill_spawn: [agentRecord({ ...begun, handoff: handoffRecord(proving) })],
  context_cycle: [
    agentRecord({
      ...begun,
      handoff: handoffRecord({
        ...proving,
        method: 'context_cycle',
        cycle: { document: '.planning/handoff.md', nonce: 'docu1234', tries: {} },
      }),
    }),
  ],
  specialist_wake: [
    agentRecord({ ...begun, id: 'test-agent', kind: 'specialist' }),
    agentRecord({
      lifecycle: 'idle',
      lent: { to: 'test-agent', handoff: 'h-7', at: AT, deadlineAt: AT + 60 * MINUTE },
      handoff: handoffRecord({ ...proving, method: 'specialist_wake', to: helps }),
    }),
  ],
}

type Said = Partial<Sighting>
const echo = { nonce: 'abcd1234', task: 'The tests', step: 'Run them' }
const thinking = { doing: { kind: 'thinking' } } as const
const call = { kind: 'call', tool: 'Bash', result: 'r', ok: true, wallAt: 1 } as const
const bash = { kind: 'tool', name: 'Bash', boundMs: MINUTE } as const
const opensEcho: Said = { doing: { ...bash, says: true } }
const echoes: Said = { ...thinking, echo, trace: { ...call, call: 'echo', says: true } }
const inWords: Said = { witness: 'transcript', echo }
const calls: Said = { ...thinking, trace: { ...call, call: 'npm test' } }
const opens: Said = { doing: bash }
const clean: Said = { witness: 'git', stamp: 'g1', progress: 'a' }
const changed: Said = { witness: 'git', stamp: 'g2', progress: 'b' }

function stateAfter(agents: AgentRecord[], said: readonly Said[]): string | undefined {
  const world = createWorld(SETTINGS, { agents })
  world.house = { ...world.house, observedAt: AT }
  step(world, { id: 'i-0', wallAt: 1_000_000, monoAt: 0, type: 'boot', openEffects: 0 })
  const agent = agents[0]?.id ?? ID
  said.forEach((each, n) => {
    const sighting: Sighting = { agent, generation: 2, witness: 'hook', stamp: `s${n}`, ...each }
    const at = (n + 1) * 1000
    step(world, { id: `i-${n + 1}`, wallAt: 1_000_000 + at, monoAt: at, type: 'report', sighting })
  })
  step(world, { id: 'i-99', wallAt: 1_010_000, monoAt: 10_000, lateMs: 0, type: 'tick' })
  const { handoff, handoffs } = world.agents.get(ID) ?? {}
  return handoff?.state ?? handoffs?.[0]?.state
}

test.each<[what: string, said: Said[], state: 'proving' | 'done']>([
  ['the echo by a command, and nothing more', [opensEcho, echoes], 'proving'],
  ['the echo in words and by a command that is open', [inWords, opensEcho], 'proving'],
  ['the echo in words and by a command', [inWords, opensEcho, echoes], 'proving'],
  ['the echo by a command, then a call', [opensEcho, echoes, calls], 'done'],
  ['the echo by a command, then a call that is open', [opensEcho, echoes, opens], 'done'],
  ['the echo by a command, then a change of the work tree', [clean, opensEcho, echoes, changed], 'done'],
  ['the echo in words together with a call', [inWords, opens], 'done'],
  ['a call before the echo', [calls, echoes], 'done'],
  ['a call and no echo', [opens, calls], 'proving'],
])('%s', (_, said, state) => {
  const states = Object.entries(METHODS).map(([method, agents]) => [method, stateAfter(agents, said)])
  expect(states).toEqual(Object.keys(METHODS).map((method) => [method, state]))
})
