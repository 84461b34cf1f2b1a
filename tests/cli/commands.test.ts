/** What people see: every command as a process of its own, against a house on a virtual clock. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fingerprint } from '../../src/core/fingerprint.ts'
import { serve } from '../../src/daemon/serve.ts'
import { playedHouse, type ServedHouse } from '../api/served-house.ts'
import { perform } from '../nights/script.ts'
import { runPan, type Ran } from './run-pan.ts'

type Pan = (line: string, env?: Record<string, string>) => Promise<Ran>

/** The house's wall clock stands in its own year. */
function settled({ code, out, err }: Ran): Ran {
  const ago = /(last look(?: was)? +|finished +)\d+ [a-z]+ ago/g
  return { code, out: out.replaceAll(ago, '$1… ago'), err }
}

async function panAt(...lines: string[]): Promise<{ pan: Pan } & ServedHouse> {
  const served = await playedHouse(...lines)
  const serving = await serve(served.options)
  onTestFinished(() => serving.close())
  const pan: Pan = async (line, env = {}) => settled(await runPan(words(line), { home: served.home, env }))
  return { ...served, pan }
}

/** Words, and texts in single quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, text, word]) => text ?? word ?? '')
}

const NIGHT = [
  'set stuck_escalation off',
  'spawn agent-1',
  'spawn agent-2 opus',
  'spawn agent-3',
  'agent-1 ignores pokes',
  'wait 10m',
  'agent-1 hangs',
  'wait 20m',
  'agent-3 idles',
  'agent-2 asks permission rm -rf build',
  'wait 6m',
]

test('status, lists and tables at 80 columns', async () => {
  const { pan } = await panAt(...NIGHT)
  const lines = ['status', 'cloister status', 'agents list', 'agents show agent-1', 'agents health', 'inbox']
  const lines2 = ['agents health agent-1', 'agents logs agent-1 -n 4', 'agents attach agent-1']
  const shown = await Promise.all([...lines, ...lines2].map(async (line) => screen(line, await pan(line))))
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/tables.txt')
  const wide = shown.flatMap((text) => text.split('\n').filter((line) => line.length > 80))
  expect(wide).toEqual([])
})

test('who finished is listed beside what needs you, until somebody looks', async () => {
  const { pan, house } = await panAt(
    ...['set confirms on', 'agents 4', 'wait 5m', 'agent-1 tests vitest passing', 'agent-2 asks Which one?'],
    ...['agent-1 idles', 'agent-3 idles', 'agent-4 idles', 'wait 12m'],
  )
  house.fleet.git.edit('/workspaces/agent-1', 'README.md', '# work\nmore\n')
  const shown: string[] = []
  for (const line of [
    ...['inbox', 'finished', 'status', 'agents show agent-1', 'agents show agent-1', 'finished'],
    'agents show agent-3 --json',
    ...['finished seen', 'finished seen agent-9', 'finished seen agent-3', 'finished seen --all', 'finished', 'inbox'],
  ]) {
    const { out, ...rest } = await pan(line)
    shown.push(screen(line, { ...rest, out: line.endsWith('--json') ? '' : out }))
  }
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/finished.txt')
  const wide = shown.flatMap((text) => text.split('\n').filter((line) => line.length > 80))
  expect(wide.filter((line) => !line.startsWith('Could not'))).toEqual([])
})

test('explain says why, what would change it and what comes next', async () => {
  const { pan } = await panAt(...NIGHT)
  const shown = await Promise.all(
    ['explain agent-1', 'explain agent-2', 'explain agent-3'].map(async (line) => screen(line, await pan(line))),
  )
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/explain.txt')
})

test('an empty house is explained too', async () => {
  const { pan } = await panAt('wait 1m')
  const lines = ['status', 'agents list', 'agents health', 'inbox']
  const shown = await Promise.all(lines.map(async (line) => screen(line, await pan(line))))
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/empty.txt')
})

test('a text is read from standard input', async () => {
  const { house, home } = await panAt('spawn agent-1', 'wait 5m')
  const long = 'x'.repeat(101_381)
  for (const [line, input] of [
    ['agents message agent-1 - --no-wait', `${long}\n`],
    ['work tell agent-1 - --no-wait', 'Go on.'],
  ] as const) {
    expect(await runPan(words(line), { home, input })).toMatchObject({ code: 0, err: '' })
  }
  const { messages = [] } = house.loop.world.agents.get('agent-1') ?? {}
  expect(messages.map((message) => message.fingerprint)).toEqual([fingerprint(long), fingerprint('Go on.')])
  expect(await runPan(words('agents message agent-1 -'), { home })).toMatchObject({
    code: 2,
    err: 'Could not message agent-1: the message is empty. Give a text.\n',
  })
})

test('acts are followed to their outcome', async () => {
  const { pan, house } = await panAt('spawn agent-1', 'spawn agent-2', 'wait 5m', 'agent-2 asks Which one?', 'wait 6m')
  const shown: string[] = []
  for (const line of [
    "agents message agent-1 'Please commit'",
    "agents message agent-2 'When you can' --no-wait",
    'agents messages agent-1',
    'agents messages agent-2',
    'agents messages agent-2 --retry m-1',
    'agents cost agent-1',
    'agents show agent-2',
    'agents suspend agent-1',
    'agents interrupt agent-1',
    'agents suspend agent-1',
    'agents switch agent-1 --model opus',
    "agents resume agent-1 --message 'Go on'",
    'agents kill agent-1 --reason enough',
    'agents spawn agent-1',
    'agents spawn pan-18 --no-wait',
    'agents poke agent-2',
    'agents poke agent-9',
    'agents kill agent-9 --no-wait',
    'answer n-99 yes',
    'cloister stop',
    'status',
    'cloister start',
    'inbox settle n-99',
  ]) {
    shown.push(screen(line, await pan(line)))
    await house.wait(1_000)
  }
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/acts.txt')
})

test('what is wanted of an agent is said wherever it is shown, and how rules have done', async () => {
  const { pan, house } = await panAt(...NIGHT, 'wait 20m')
  const shown: string[] = []
  for (const line of [
    'stats interventions',
    "agents hold agent-1 --until 2026-01-21T06:00:00Z --reason 'we look at it together'",
    'agents show agent-1',
    'agents list',
    'explain agent-1',
    'agents release agent-1',
    'agents release agent-1',
    'agents freeze agent-2 --reason evidence',
    'agents poke agent-2',
    'agents hold agent-2 --until soon',
    "agents assign agent-3 'Fix the login test'",
    'agents show agent-3',
  ]) {
    shown.push(screen(line, await pan(line)))
    await house.wait(1_000)
  }
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/wanted.txt')
})

test('a hand-off is suggested, started, approved or refused, listed and shown', async () => {
  const { pan, house } = await panAt(
    'set auto_escalate off',
    'spawn agent-1 haiku',
    'spawn agent-2',
    'wait 10m',
    'wait 40s',
  )
  const shown: string[] = []
  const say = async (line: string) => shown.push(screen(line, await pan(line)))
  await say('handoff list')
  await say('handoff suggest agent-2')
  await say("handoff start agent-2 --to opus --reason 'it goes round in circles'")
  await say('handoff start agent-2 --to haiku')
  await say('handoff suggest agent-2')
  await perform(house, 'agent-1 hangs')
  await house.wait(12 * 60_000)
  await say('handoff suggest agent-1')
  await say('inbox')
  const id = house.loop.world.agents.get('agent-1')?.handoff?.id ?? ''
  await say(`handoff show ${id}`)
  await say(`handoff refuse ${id} --reason 'it only waits'`)
  await say(`handoff approve ${id}`)
  await say('handoff list')
  const done = house.loop.world.agents.get('agent-2')?.handoffs?.at(-1)?.id ?? ''
  await say(`handoff show ${done}`)
  await say(`handoff judge ${done} no --notes 'it began anew'`)
  await say(`handoff judge ${done} perhaps`)
  await say('handoff list --agent agent-2')
  await say('handoff list --state refused')
  await say('handoff list --state gone')
  await say('handoff auto agent-1 off')
  await say('agents show agent-1')
  await say('handoff auto agent-1 perhaps')
  await say('handoff auto nobody off')
  await say('handoff back agent-1')
  await say('handoff show h-999')
  await say('handoff start nobody --to opus')
  await perform(house, 'agent-1 idles')
  await say('handoff start agent-1 --specialist test-agent')
  await say('handoff list --agent agent-1 --state open')
  await say(`handoff show ${house.loop.world.agents.get('agent-1')?.handoff?.id}`)
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/handoffs.txt')
})

test('a hand-off that was started is named; a proposal is answered in the inbox, a frozen agent is refused', async () => {
  const { pan, house } = await panAt('spawn agent-1 haiku', 'spawn agent-2', 'spawn agent-3', 'wait 10m')
  const idOf = (agent: string) => house.loop.world.agents.get(agent)?.handoff?.id
  const started = await pan('handoff start agent-1 --to steady --json')
  expect(JSON.parse(started.out)).toMatchObject({ agent: 'agent-1', handoff: idOf('agent-1') })
  expect((await pan('handoff start agent-2 --to steady --ask')).out).toBe(
    `Hand-off ${idOf('agent-2')} waits for a yes.\n`,
  )
  const id = idOf('agent-2')
  const item = house.loop.world.agents.get('agent-2')?.needsYou[0]?.id
  expect(await pan(`answer ${item} refuse`)).toMatchObject({
    code: 0,
    out: `Hand-off ${id} is refused; see it with pan handoff show ${id}.\n`,
  })
  await perform(house, 'freeze agent-3')
  expect(await pan('handoff start agent-3 --to steady')).toMatchObject({ code: 1, out: '' })
})

test('JSON everywhere: what the API gave, and errors in the same shape', async () => {
  const { pan } = await panAt(...NIGHT)
  const looks = [
    'status',
    'cloister status',
    'agents list',
    'agents show agent-1',
    'agents health',
    'agents health agent-1',
    'agents activity agent-1',
    'agents messages agent-1',
    'agents cost agent-1',
    'agents logs',
    'agents attach agent-1',
    'explain agent-1',
    'stats interventions',
    'handoff list',
    'handoff suggest agent-1',
    'inbox',
  ]
  const isJson = async (line: string) => {
    const { code, out, err } = await pan(`${line} --json`)
    expect([line, code, err, typeof JSON.parse(out)]).toEqual([line, 0, '', 'object'])
  }
  await Promise.all(looks.map(isJson))
  for (const line of ['cloister stop', 'cloister start', 'agents kill agent-1']) await isJson(line)
  const refused = await pan('explain nobody --json')
  expect({ ...refused, err: JSON.parse(refused.err) as unknown }).toEqual({
    code: 1,
    out: '',
    err: { code: 'not_found', sentence: 'There is no agent nobody', hint: 'List them with `pan agents list`.' },
  })
})

test('what an agent says cannot steer the terminal', async () => {
  const evil = 'a\u001b[2Jb\u0007c\u202Ed'
  const { pan, house } = await panAt('spawn agent-1', 'wait 2m')
  house.fleet.agent('agent-1')?.becomes({ kind: 'question', what: evil }, { busy: false })
  await house.wait(10 * 60_000)
  const lines = ['status', 'agents list', 'agents show agent-1', 'explain agent-1', 'inbox', 'agents logs']
  const shown = await Promise.all(lines.map((line) => pan(line)))
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(shown.map(({ code, out }) => [code, /[\u0000-\u0009\u000b-\u001f\u202e]/.test(out)])).toEqual(
    lines.map(() => [0, false]),
  )
})

test('an emergency stop is taken back, and only then', async () => {
  const { pan } = await panAt('spawn agent-1', 'wait 1m', 'emergency', 'wait 1m')
  const refused = await pan('agents spawn agent-1')
  expect(refused).toEqual({
    code: 1,
    out: '',
    err:
      'Could not start agent-1: agent-1 is not started: an emergency stop is in force. ' +
      'Re-arm with `pan cloister resume` when it is safe.\n',
  })
  expect((await pan('status')).out).toMatch(
    /^Stopped at \d\d:\d\d on 2026-01-20 by you: 1 of 1 ended\.\n {2}Nothing is started or typed until you resume\.\n {2}Run: pan cloister resume\n/,
  )
  expect(await pan('cloister resume')).toEqual({
    code: 0,
    out:
      'The emergency stop is over: agents may be started and typed to again.\n' +
      '  not started since: agent-1\n' +
      '  Start it again with `pan cloister resume --start`.\n',
    err: '',
  })
  expect(await pan('cloister resume --start nobody')).toMatchObject({ code: 1 })
  expect((await pan('cloister resume')).err).toBe(
    'Could not resume: there is no emergency stop to resume from. It is over, and not started since: agent-1. ' +
      'Start them again with `pan cloister resume --start`.\n',
  )
  expect((await pan('cloister resume --start 1')).out).toMatch(/^Being started again: agent-1\./)
  expect((await pan('cloister resume')).err).toBe(
    'Could not resume: there is no emergency stop to resume from. Nothing needs to be done.\n',
  )
})

test.each([
  'agents show',
  'agents health',
  'agents activity',
  'agents logs',
  'agents attach',
  'agents poke',
  'agents message',
  'agents kill',
  'agents forget',
  'agents spawn',
  'explain',
  'inbox settle',
  'answer',
])('pan %s takes no id that is none, daemon or not, and does not repeat all of it', async (line) => {
  const rest = line === 'agents message' || line === 'answer' ? ['yes'] : []
  const bad = `${'x'.repeat(2_000)}/`
  const { code, out, err } = await runPan([...line.split(' '), bad, ...rest], { home: '/nowhere' })
  expect([code, out, err]).toEqual([
    2,
    '',
    `«${'x'.repeat(64)}…» is not a valid id. Use lower-case letters, digits, "-" and "_", starting with a letter or ` +
      'digit, at most 64.\n',
  ])
})

test('an agent is forgotten when it does not run', async () => {
  const { pan, house } = await panAt('spawn agent-1', 'wait 1m')
  expect(await pan('agents forget agent-1')).toEqual({
    code: 1,
    out: '',
    err: 'Could not forget agent-1: agent-1 is active. End it first with `pan agents kill agent-1`.\n',
  })
  house.fleet.git.commit(workspaceOf(house, 'agent-1'))
  await pan('agents kill agent-1')
  expect(await pan('agents forget 1')).toEqual({
    code: 0,
    out: 'agent-1 is forgotten. None of its work had been saved; its folder is left as it is.\n',
    err: '',
  })
  expect([...house.loop.world.agents.keys()]).toEqual([])
  await house.wait(60_000)
  expect((await pan('agents forget agent-1')).err).toContain('there is no agent agent-1')
})

test('who forgets an agent is told where its saved work is', async () => {
  const { pan, house } = await panAt('spawn agent-1', 'wait 1m')
  const workspace = workspaceOf(house, 'agent-1')
  house.fleet.git.edit(workspace, 'new.txt', 'new')
  await pan('agents kill agent-1')
  expect((await pan('agents forget agent-1')).out).toBe(
    `agent-1 is forgotten. What was saved of its work stays: \`pan restore agent-1 --workspace ${workspace}\`.\n`,
  )
})

function workspaceOf({ loop }: ServedHouse['house'], agent: string): string {
  return loop.world.agents.get(agent)?.workspace ?? ''
}

test.each([
  ["agents message agent-1 ''", 'Could not message agent-1: the message is empty. Give a text.'],
  ["answer n-1 ' '", 'Could not answer n-1: the answer is empty. Give a text.'],
  [
    "explain agent-1 --wrong ''",
    'Could not keep what led to the verdict on agent-1: the reason is empty. Give a text.',
  ],
])('pan %s is wrong usage, in words', async (line, sentence) => {
  const { pan } = await panAt('spawn agent-1', 'wait 1m')
  expect(await pan(line)).toEqual({ code: 2, out: '', err: `${sentence}\n` })
})

test('with a token that the daemon does not know, people are told where it lies and what to do', async () => {
  const { pan, home } = await panAt('spawn agent-1', 'wait 1m')
  writeFileSync(join(home, 'token'), `${'0'.repeat(64)}\n`)
  expect(await pan('status')).toEqual({
    code: 1,
    out: '',
    err:
      `Could not get the status: the daemon of ${home} does not know the token in ${home}/token. The file was changed ` +
      'since the daemon started. End the daemon with `kill` (agents stay) and start it with `pan up`, which reads it anew.\n',
  })
})

test('an answer that is none is refused as wrong usage, with what would be one', async () => {
  const { pan, house } = await panAt('spawn agent-1', 'wait 2m')
  const ask = { id: 'ask-1', request: '{}' }
  const asks = async (doing: Parameters<NonNullable<ReturnType<typeof house.fleet.agent>>['becomes']>[0]) => {
    house.fleet.agent('agent-1')?.becomes(doing, { busy: false })
    await house.wait(60_000)
    return house.loop.world.agents.get('agent-1')?.needsYou.find(({ kind }) => kind === 'waiting')?.id ?? ''
  }
  const permission = await asks({ kind: 'permission', what: 'rm -rf build', ask })
  expect(await pan(`answer ${permission} sure, go on`)).toEqual({
    code: 2,
    out: '',
    err:
      `Could not answer ${permission}: «sure, go on» neither allows nor denies. Answer with allow, yes or 1 to allow ` +
      'it; with deny, no or 2 to deny it, and a reason after that if you like.\n',
  })
  const options = [{ label: 'red', about: 'as roses' }, { label: 'blue' }]
  const which = { question: 'Which?', options }
  const question = await asks({ kind: 'question', what: 'Which?', questions: [which], ask: { ...ask, id: 'ask-2' } })
  expect(await pan(`answer ${question} 3`)).toMatchObject({
    code: 2,
    err: `Could not answer ${question}: there is no option 3. Choose 1 to 2, give the text of an option, or answer in words: red · blue.\n`,
  })
  expect((await pan(`answer ${question} 2 --no-wait`)).code).toBe(0)
  await house.wait(1_000)
  const two = [which, { question: 'Where?', options, several: true as const }]
  const both = await asks({ kind: 'question', what: 'Which? · Where?', questions: two, ask: { ...ask, id: 'ask-3' } })
  expect((await pan('inbox')).out).toBe(
    [
      `  ${both}  agent-1 is waiting for your answer: Which? · Where?`,
      ...['(1) Which?', '1. red: as roses', '2. blue', '(2) Where?', '1. red: as roses', '2. blue'],
      'Several may be chosen, with commas between them.',
      `Answer with \`pan answer ${both} <answer 1> <answer 2>\`. It can be answered`,
      'in its terminal, too.\n',
    ].join(`\n${' '.repeat(both.length + 4)}`),
  )
  expect((await pan(`answer ${both} blue`)).err).toContain('it asks 2 things at once')
  expect((await pan(`answer ${both} blue 1,2 --no-wait`)).code).toBe(0)
})

test('agent ids are completed while the daemon runs, commands always', async () => {
  const { pan, home } = await panAt('agents 2', 'wait 1m')
  expect(await pan("complete -- agents show ''")).toEqual({
    code: 0,
    out: 'agent-1\tactive\nagent-2\tactive\n:4\n',
    err: '',
  })
  expect((await runPan(['complete', '--', 'explain', ''], { home: '/nowhere' })).out).toBe(':4\n')
  const commands = await runPan(['complete', '--', 'clo'], { home })
  expect(commands.out).toBe('cloister\tmonitoring as a whole, and the emergency stop\n:4\n')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await pan(`completion ${shell}`)
    expect([shell, code, out.includes('pan complete --')]).toEqual([shell, 0, true])
  }
  expect((await pan('completion tcsh')).code).toBe(2)
})

test.each(['status', 'agents list', 'explain agent-1', 'inbox', 'cloister start', 'agents spawn pan-18', 'down'])(
  'without a daemon pan %s says what to do and ends with 3',
  async (line) => {
    expect(await runPan(line.split(' '), { home: '/nowhere/at-all' })).toEqual({
      code: 3,
      out: '',
      err: 'No daemon runs for /nowhere/at-all. Start it with `pan up`.\n',
    })
  },
)

function screen(line: string, { code, out, err }: Ran): string {
  return `$ pan ${line}\n${out}${err}[${code}]\n`
}

const HELP = 'Run it with --help to see what it takes.'
const KEYS = '`pan config get` shows every key.'

test.each<[string, { sentence: string; hint: string }]>([
  ['confg --json', { sentence: "Unknown command 'confg'", hint: `Did you mean config? ${HELP}` }],
  ['status --json --sinc', { sentence: "Unknown option '--sinc'", hint: HELP }],
  ['agents show --json', { sentence: "Missing required argument 'agent'", hint: HELP }],
  ['config get nothing --json', { sentence: 'There is no key «nothing»', hint: KEYS }],
  ['config set nothing 1 --json', { sentence: 'There is no key «nothing»', hint: KEYS }],
  [
    'restore agent-1 --force --json',
    { sentence: '--force goes with --ref', hint: '`pan restore --help` shows how it is used.' },
  ],
])('pan %s is wrong usage, told to a program', async (line, told) => {
  const { pan } = await panAt()
  const { code, out, err } = await pan(line)
  expect({ code, out, err: JSON.parse(err) as unknown }).toEqual({
    code: 2,
    out: '',
    err: { code: 'invalid', ...told },
  })
})
