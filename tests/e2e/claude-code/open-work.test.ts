/** What the real client has open stays known: whatever is typed to it, and however often the daemon goes and comes back. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ActivityView, AgentView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { clientFor, ID, killed, rested, started, type RealClaude } from './real-claude.ts'

/** Runs until a file of that name is there; so does no other. */
const until = (name: string) => ({
  name: 'Bash',
  input: { command: `until [ -e ${name} ]; do sleep 0.2; done; echo ${name}`, description: `wait for ${name}` },
})

const isInTool = ({ doing, act }: AgentView) => doing?.kind === 'tool' && act === undefined

/** A hook of the user's own that is slower than ours: what it has noted, ours has reported. */
function slowly(kind: string): object {
  const command = `cat >/dev/null; sleep 1; echo ${kind} >>"$HOME/noted"`
  return { hooks: { [kind]: [{ hooks: [{ type: 'command', command }] }] }, permissions: { allow: ['Bash'] } }
}

/** So many reports of the kind were made, and the daemon has taken in all that there is. */
async function heard({ live }: RealClaude, kind: string, times: number): Promise<void> {
  const noted = () => readIfThere(join(live.root, 'noted')).split(kind).length - 1
  await live.until(() => noted() >= times, `${times} times ${kind}`)
  const spool = join(live.home, 'spool/new')
  await live.until(() => readdirSync(spool).length === 0, 'every report is taken in')
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** After a restart the daemon looks twice before it says anything. */
const judged = ({ cause }: AgentView) => cause !== undefined && cause.kind !== 'unknown'

const acts = ({ live }: RealClaude) =>
  live.events.flatMap((event) => (event.type === 'act.decided' ? [event.act.kind] : []))

test('a message to an agent with an open tool is heard, and the tool stays open', async (ctx) => {
  const real = await started(ctx, { settings: slowly('UserPromptSubmit') })
  const { live, seen, type, workspace } = real
  type(scripted('Wait.', [{ tools: [until('go')] }, { text: 'done' }]))
  await seen('its tool is open', isInTool)
  await live.client.post(`/api/agents/${ID}/message`, { message: 'Note this.' })
  await live.event('message.heard', ID)
  await heard(real, 'UserPromptSubmit', 3)
  expect(await real.agent()).toMatchObject({ doing: { kind: 'tool' }, cause: { kind: 'working_tool', name: 'Bash' } })
  await killed(real)
  expect(await seen('its tool is known again', isInTool)).toMatchObject({ doing: { kind: 'tool', what: 'Bash' } })
  writeFileSync(join(workspace, 'go'), '')
  await rested(real)
  expect(acts(real)).toEqual(['spawn', 'message'])
})

test.for([
  ['the first', 'a', 'b'],
  ['the last', 'b', 'a'],
] as const)(
  'of two calls side by side %s ends after a restart: the other one is still open',
  async ([, one, two], ctx) => {
    const real = await clientFor(ctx, { settings: slowly('PostToolUse') })
    const { seen, workspace, live } = real
    await real.spawn('begin', [{ tools: [until('a'), until('b')] }, { text: 'done' }])
    await live.until(async () => (await opened(real)) === 2, 'both run')
    await killed(real)
    writeFileSync(join(workspace, one), '')
    await heard(real, 'PostToolUse', 1)
    expect(await seen('it is judged again', judged)).toMatchObject({ doing: { kind: 'tool' } })
    await killed(real)
    expect(await seen('it is judged again', judged)).toMatchObject({ doing: { kind: 'tool' } })
    writeFileSync(join(workspace, two), '')
    await rested(real)
    expect(acts(real)).toEqual(['spawn'])
  },
)

/** How many of its calls were reported. */
async function opened({ live }: RealClaude): Promise<number> {
  const { activities } = await live.client.get<ActivityView>(`/api/agents/${ID}/activity`)
  return activities.filter(({ action = '' }) => action.startsWith('Bash: until')).length
}

test('a bound of thirty minutes is that of its own settings, also after a restart', async (ctx) => {
  const env = { BASH_DEFAULT_TIMEOUT_MS: '1800000', BASH_MAX_TIMEOUT_MS: '60000' }
  const real = await clientFor(ctx, { settings: { permissions: { allow: ['Bash'] }, env } })
  await real.spawn('begin', [{ tools: [until('go')] }, { text: 'done' }])
  const cause = { kind: 'working_tool', name: 'Bash', boundMs: 1_800_000 }
  expect(await real.seen('its tool is open', isInTool)).toMatchObject({ cause })
  await killed(real)
  expect(await real.seen('its tool is known again', judged)).toMatchObject({ cause })
})

test('fourteen times killed while three calls run: no call is forgotten, and nobody is poked', async (ctx) => {
  const env = { BASH_DEFAULT_TIMEOUT_MS: '1800000' }
  const config = 'monitoring: { check_interval: 1 }\nthresholds: { stale: 0.03, warning: 0.06, stuck: 10 }\n'
  const real = await clientFor(ctx, { settings: { ...slowly('PostToolUse'), env }, config })
  const { live, seen, workspace } = real
  const names = ['a', 'b', 'c']
  await real.spawn('begin', [{ tools: names.map(until) }, { text: 'done' }])
  await live.until(async () => (await opened(real)) === names.length, 'all run')
  // Long enough that whoever takes it for thinking would poke it.
  const isSilent = (agent: AgentView) => judged(agent) && agent.silentMs > 5_000
  for (let kills = 0; kills < 14; kills += 1) {
    await killed(real)
    expect(await seen('it is silent in its call', isSilent)).toMatchObject({
      health: 'active',
      cause: { kind: 'working_tool', name: 'Bash', boundMs: 1_800_000 },
    })
    const [name] = kills % 5 === 4 ? names.splice(kills % names.length, 1) : []
    if (name === undefined || names.length === 0) continue
    writeFileSync(join(workspace, name), '')
    await heard(real, 'PostToolUse', 3 - names.length)
  }
  for (const name of names) writeFileSync(join(workspace, name), '')
  await rested(real)
  expect(acts(real)).toEqual(['spawn'])
}, 300_000)
