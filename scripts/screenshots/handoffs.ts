/** The hand-offs of the made-up night: what they cost, and what their successors were given to read. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tierPrices } from '../../src/adapters/prices/list-prices.ts'
import { makeContext, type Findings } from '../../src/core/handoffs/make-context.ts'
import { successorPrompt } from '../../src/core/handoffs/prompt.ts'
import type { House } from '../../tests/nights/house.ts'

/** Before the first of them: real prices, and files in a home. */
export function furnish(house: House, home: string): void {
  const { world } = house.loop
  world.prices = tierPrices(world.settings.routing.tiers)
  const prompts = new Map<string, string>()
  house.handoffs.writeDown = async (agent, { id, nonce, reason, startedWallAt: wallAt }) => {
    const text = successorPrompt(makeContext(agent, FINDINGS, { wallAt, handoffCount: 0 }), { nonce, reason })
    prompts.set(id, text)
    mkdirSync(join(home, 'handoffs', id), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'handoffs', id, 'prompt.md'), text, { mode: 0o600 })
    const digest = createHash('sha256').update(text).digest('hex')
    return {
      result: 'done',
      captured: { digest, bytes: Buffer.byteLength(text), parts: ['stateFile', 'lastCommit', 'whatRemains'] },
    }
  }
  house.handoffs.prompt = async ({ id }) => prompts.get(id)
}

export function tellCost(house: House, agent: string, usd: number): void {
  const generation = house.loop.world.agents.get(agent)?.generation ?? 1
  house.fleet.receive({ agent, generation, witness: 'hook', gauges: { sessionCostUsd: usd } })
}

const STATE = `# State

## Done
- The parser reads all old spellings.

## Remaining
- Two of the fourteen tests still fail: numbers with a unit, and an empty section.

Next: let a number keep its unit.
`

const FINDINGS: Findings = {
  stateFile: { found: { path: '.planning/STATE.md', text: STATE, cut: false } },
  claudeMd: { why: 'there is none' },
  git: {
    found: {
      branch: 'feature/pan-101',
      head: {
        hash: '4be1d0c2'.repeat(5),
        subject: 'Read the old spellings',
        committedWallAt: Date.UTC(2026, 0, 20, 23),
      },
      dirty: [{ path: 'src/contract/config/aliases.ts', state: 'modified', staged: false }],
      dirtyTotal: 1,
      upstream: undefined,
    },
  },
  tasks: { why: 'its list was not read' },
  lastWords: { found: ['I let a number keep its unit next.'] },
  use: { why: 'nothing is simulated of it' },
}
