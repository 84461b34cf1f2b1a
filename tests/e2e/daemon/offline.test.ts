/** What is shown of agents while no daemon runs, after a kill -9 and after a clean end; and forgetting one. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentsView } from '../../../src/contract/views.ts'
import { runPan, type Ran } from '../../cli/run-pan.ts'
import { LiveHome } from './live-home.ts'

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  await live.up()
})

afterEach(() => live.remove())

function pan(...args: string[]): Promise<Ran> {
  return runPan(args, { home: live.home, env: { ...live.env, COLUMNS: '' } })
}

const STATUS =
  /^Cannot see the agents: no daemon watches\.\n {2}Nobody is judged, helped or stopped by a rule until one is started\.\n {2}Run: pan up\nLast known of the agents:\n\nAGENT +STATE[^]*agent-1\* +(active|stale) [^]*\nNothing needed you then\.\n$/

const AS_OF =
  /^(The daemon of \S+ died \(kill -9 or crash\)|No daemon runs for \S+); as of \S+ \(\d+ s ago\)\. Start it with `pan up`\.\n$/

async function expectReadable(): Promise<void> {
  const files = () => readdirSync(live.home).filter((name) => name.startsWith('cloister.db'))
  const before = files()
  const seen: Record<string, RegExp> = {
    status: STATUS,
    'cloister status': STATUS,
    inbox: /^Nothing needs you\.\n$/,
    'explain agent-1':
      /^agent-1 {2}(active|stale) for \d+ s {2}\(generation 1\)\n[^]*nothing by itself until a daemon watches again\n$/,
    'agents list': /agent-1\* +(active|stale) .*steady/,
    'agents show agent-1': /^agent-1 {2}(active|stale) {2}\(simulated\)\n/,
    'agents health': /agent-1 +(active|stale)/,
    'agents health agent-1': /active/,
    'agents activity 1': /TOOL +ACTION/,
    'agents logs agent-1': /agent-1 started, generation 1\.\n/,
    'agents logs': /Cloister started\.\n/,
  }
  for (const [line, shown] of Object.entries(seen)) {
    const [shownNow, json] = await Promise.all([pan(...line.split(' ')), pan(...line.split(' '), '--json')])
    const { code, out, err } = shownNow
    const expected = line.endsWith('status') ? 3 : 0
    expect({ line, code, out, err }).toEqual({
      line,
      code: expected,
      out: expect.stringMatching(shown) as string,
      err: expect.stringMatching(AS_OF) as string,
    })
    expect([line, json.code, json.err]).toEqual([line, expected, ''])
    expect(JSON.parse(json.out)).toMatchObject({
      daemon: false,
      why: 'no_daemon',
      asOf: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    })
  }
  // A reader leaves no trace that the next daemon would have to look into.
  expect(files()).toEqual(before)
}

/** Its hooks were heard, and the first looks after the boot are over. */
async function startJudged(): Promise<void> {
  await live.spawn('agent-1', 'steady', 'Begin.')
  const isJudged = async () => {
    const { health, citations } = await live.agent('agent-1')
    return health !== 'unknown' && citations.some(({ witness }) => witness === 'hook')
  }
  await live.until(isJudged, 'hooks, and a verdict')
}

test('after a kill -9 agents are shown as they were last known, and attached to by tmux alone', async () => {
  await startJudged()
  await live.crash()
  await expectReadable()
  const attach = await pan('agents', 'attach', '1', '--json')
  expect([attach.code, attach.err]).toEqual([0, ''])
  const { daemon, command } = JSON.parse(attach.out) as { daemon: boolean; command: string[] }
  expect([daemon, command[0], command.at(-3)]).toEqual([false, 'tmux', 'attach-session'])
  expect(live.tmux('has-session', '-t', command.at(-1) ?? '', ';', 'display-message', '-p', 'there')).toBe('there\n')
  expect(await pan('agents', 'attach', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Could not attach to nobody: there is no terminal of nobody in tmux.') as string,
  })
  expect(await pan('agents', 'show', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/as of .*\nCould not show nobody: there is no agent nobody\. /) as string,
  })
  const follow = await pan('agents', 'logs', 'agent-1', '--follow')
  expect([follow.code, follow.err.split('\n').at(-2)]).toEqual([
    3,
    `The daemon of ${live.home} died (kill -9 or crash). Start it with \`pan up\`.`,
  ])
})

test('after a clean end, too', async () => {
  await startJudged()
  expect(await live.down()).toBe(0)
  await expectReadable()
})

test('an agent that could not be started is forgotten, for good; one that runs is not', async () => {
  await live.spawn('agent-1', 'steady', 'Begin.')
  const body = { id: 'agent-2', project: 'live', workspace: join(live.root, 'nowhere'), runtime: 'understudy' }
  await live.client.post('/api/agents', { ...body, model: 'steady' })
  const failed = await live.event('needs-you.raised', undefined)
  expect(failed.item).toMatchObject({ kind: 'spawn_failed', agent: 'agent-2' })
  const folder = (id: string) => join(live.home, 'agents', id)
  await live.until(() => existsSync(folder('agent-2')), 'it is published')

  expect(await pan('agents', 'forget', 'agent-1')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Could not forget agent-1: processes of agent-1 still live\. End them first/) as string,
  })
  expect(await pan('agents', 'forget', 'agent-2')).toEqual({
    code: 0,
    out: 'agent-2 is forgotten. None of its work had been saved; its folder is left as it is.\n',
    err: '',
  })
  expect((await live.event('agent.forgotten', 'agent-2')).by).toBe('you')
  expect((await live.event('needs-you.settled')).item.id).toBe(failed.item.id)
  await live.until(() => !existsSync(folder('agent-2')), 'its files are gone')
  await live.crash()
  await live.up()
  const { projectAgents } = await live.client.get<AgentsView>('/api/agents')
  expect(projectAgents.map(({ id }) => id)).toEqual(['agent-1'])
  expect((await pan('agents', 'forget', 'agent-2')).err).toContain('there is no agent agent-2')
})
