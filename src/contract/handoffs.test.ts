import { expect, test } from 'vitest'
import { command } from './commands.ts'
import { handoffTarget } from './handoffs.ts'
import { spawnBody } from './bodies.ts'

const GOOD = ['opus', 'claude-opus-4-5-20251101', 'sonnet[1m]', 'anthropic/claude-3.5-sonnet', 'eu.anthropic.claude:0']
const BAD = ['', '../../etc', 'a/../../etc', 'opus\n', 'a\u001b[31m', '--help', 'a b', 'a'.repeat(101)]

test.each([...GOOD.map((model) => [model, true] as const), ...BAD.map((model) => [model, false] as const)])(
  'a model name at every door: %j is taken: %s',
  (model, isTaken) => {
    const doors = [
      handoffTarget.safeParse({ model }),
      spawnBody.safeParse({ id: 'agent-1', model }),
      command.safeParse({ type: 'agent.switch-model', agent: 'agent-1', model }),
      command.safeParse({ type: 'handoff.start', agent: 'agent-1', to: { model } }),
    ]
    expect(doors.map(({ success }) => success)).toEqual(doors.map(() => isTaken))
  },
)
