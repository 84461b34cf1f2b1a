/**
 * The text of a night: one deed per line, in order. `#` begins a comment. Everything above the line `---` is
 * the script, everything below it the transcript that it must give.
 *
 *   begin 22:00                        set thresholds warning 20m        set poke_on_warning off
 *   spawn agent-pan-18 [haiku]         wait 15m                          agents 5
 *   spawn agent-pan-18 sonnet with Fix the login.   show agent-pan-18 (what it was told at its start)
 *   resume start [agent-pan-18]
 *   agent-pan-18 works                 agent-pan-18 falls silent         agent-pan-18 hangs
 *   agent-pan-18 runs Bash for 20m bound 10m                             agent-pan-18 waits on Bash bound 10m
 *   agent-pan-18 asks permission rm -rf build                            agent-pan-18 asks Which framework?
 *   agent-pan-18 is limited            agent-pan-18 loops npm test       agent-pan-18 idles
 *   agent-pan-18 writes its transcript                                   agent-pan-18 is signed out
 *   agent-pan-18 starts                agent-pan-18 ticks                agent-pan-18 stops ticking
 *   agent-pan-18 repeats npm test every 20s, failing|with the same result|with other results
 *   agent-pan-18 opens Bash as a bound 10m   agent-pan-18 opens mcp__db__query as b       agent-pan-18 closes a
 *   agent-pan-18 waits out a limit for 20m   agent-pan-18 says that it waits for input
 *   agent-pan-18 dies 1                agent-pan-18 ignores pokes        agent-pan-18 will not die
 *   agent-pan-18 answers in words (whatever it is told, and does nothing)
 *   agent-pan-18 is typed in           agent-pan-18 has an empty line    agent-pan-18 loses its terminal
 *   sleep 8h      stall 10m            terminal down|up                  crash      boot      outcomes lost|heard
 *   poke|kill agent-pan-18             emergency stop     resume         pause      start     settle mass
 *   emergency program (the one that needs no daemon)                     emergency stop adopted   disk full|free
 *   alone own-shop (as a person starts it)   adopt own-shop [message,kill]   forget own-shop
 *   salvage fails [late]               spawns fail                       sessions lost      resumes die
 *   break|mend agent-pan-18 (its repository) vanish|reappear agent-pan-18 (its workspace)
 *   overfill agent-pan-18 (too many files to save all plainly)   link agent-pan-18 (in the place of its workspace)
 *   agent-pan-18 writes until its end
 *   set confirms on                    agent-pan-18 loses texts          agent-pan-18 takes texts
 *   message agent-pan-18 Go on.        retry agent-pan-18                agent-pan-18 hears Go on.
 *   suspend|interrupt|rest|clear agent-pan-18      wake agent-pan-18 [text]      switch agent-pan-18 opus
 *   specialist merge-agent             agent-pan-18 is limited for 2h    agent-pan-18 has read 120000
 *   hold|freeze agent-pan-18 2h why    release agent-pan-18              assign agent-pan-18 what is to be done
 *   set interrupt_on_stuck|kill_on_stuck|restart_on_kill|restart_on_crash|nudge_assigned|auto_suspend|auto_resume on|off
 *   agent-pan-18 is failed by its service               agent-pan-18 is failed for now (its program tries again)
 *   handoff agent-pan-18 opus [other]  propose agent-pan-18 opus         approve|refuse agent-pan-18
 *   auto agent-pan-18 on|off
 *   successors work|rest|die           capture fails                     set require_approval escalate_to_opus
 *   lend agent-pan-18 test-agent       back agent-pan-18
 *   set stuck_escalation|auto_escalate on|off
 *   cycle agent-pan-18                 agent-pan-18 has read 153000 of 200000    agent-pan-18 has tasks 3 done 2 open
 *   agent-pan-18 writes half a document|no document|a document        agent-pan-18 is not cleared
 *   agent-pan-18 says no next step
 *   set keep_awake agent-pan-18        set max_resume_usd 0.5
 *   agent-pan-18 tests vitest failing|passing                            agent-pan-18 leaves plan mode
 *   plan agent-pan-18 (whole)          conflict agent-pan-18 a.ts b.ts   agent-pan-18 has cost 6
 *   task agent-pan-18 open|closed trivial Fix a typo                     take|close agent-pan-18 t-1
 *   report agent-pan-18 review failed|passed by review-agent [security]
 *   set usage on (what is used is known)     set models on (the runtime says which it knows)
 *   seen agent-pan-18                 agent-pan-18 is cut short (as by Escape in its own terminal)
 *   settings broken|mended             status (what is said of the house now, and of each agent)
 *   set trigger planningComplete off   set trigger testFailure on 2_consecutive
 */
import type { Command } from '../../src/contract/commands.ts'
import type { Gauges } from '../../src/contract/evidence.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { TestRun } from '../../src/contract/test-run.ts'
import { HOUR, MINUTE, SECOND } from '../../src/core/durations.ts'
import { quiet } from '../fakes/virtual-clock.ts'
import type { House } from './house.ts'

type Deed = (house: House, words: readonly string[]) => Promise<void> | void

export async function perform(house: House, line: string): Promise<void> {
  const words = line.trim().split(/\s+/)
  const [first = '', ...rest] = words
  const deed = HOUSE_DEEDS[first]
  if (deed !== undefined) return deed(house, rest)
  const targets = first === 'all' ? house.fleet.living() : [house.fleet.agent(first)]
  for (const agent of targets) {
    if (agent === undefined) throw new Error(`«${line}»: ${first} is neither a deed nor an agent`)
    const agentDeed = AGENT_DEEDS.find(([start]) => rest.join(' ').startsWith(start))
    if (agentDeed === undefined) throw new Error(`«${line}»: an agent cannot do that`)
    agentDeed[1](agent, rest)
  }
}

export function parseDuration(text: string | undefined): number {
  const match = /^(-?\d+)(s|m|h)$/.exec(text ?? '')
  if (match === null) throw new Error(`«${text}» is not a duration such as 90s, 15m or 8h`)
  return Number(match[1]) * { s: SECOND, m: MINUTE, h: HOUR }[match[2] as 's' | 'm' | 'h']
}

const OUTAGE = { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true } as const

type AgentDeed = (agent: NonNullable<ReturnType<House['fleet']['agent']>>, words: readonly string[]) => true

const AGENT_DEEDS: readonly (readonly [string, AgentDeed])[] = [
  ['starts', (agent) => did(agent.becomes({ kind: 'starting' }, { busy: true }))],
  ['works', (agent) => did(agent.works())],
  ['ticks', (agent) => did((agent.ticking = true))],
  ['stops ticking', (agent) => did((agent.ticking = false))],
  ['repeats', (agent, words) => did(agent.repeats(...repetition(words)))],
  ['falls silent', (agent) => did(agent.silent({ rests: false }))],
  ['hangs', (agent) => did(agent.silent({ rests: true }))],
  ['runs', (agent, words) => did(agent.runs(toolOf(words)))],
  ['waits on', (agent, words) => did(agent.becomes(openTool(words), { busy: false }))],
  ['opens', (agent, words) => did(agent.opens(...callOf(words)))],
  ['closes', (agent, words) => did(agent.closes(words[1] ?? ''))],
  ['waits out a limit for', (agent, words) => did(agent.waitsOut(parseDuration(words.at(-1))))],
  ['says that it waits for input', (agent) => did(agent.notices())],
  ['asks permission', (agent, words) => did(agent.becomes({ kind: 'permission', what: tail(words, 2) }, { busy: false }))],
  ['asks', (agent, words) => did(agent.becomes({ kind: 'question', what: tail(words, 1) }, { busy: false }))],
  ['is signed out', (agent) => did(agent.becomes({ kind: 'auth_needed', what: 'its login has expired' }, { busy: false }))],
  ['is typed in', (agent) => did((agent.draft = 'half a li'))],
  ['has an empty line', (agent) => did((agent.draft = ''))],
  ['loses its terminal', (agent) => did((agent.lost = true))],
  ['is limited for', (agent, words) => did(agent.isLimited(parseDuration(words[3])))],
  ['is limited', (agent) => did(agent.becomes({ kind: 'limited' }, { busy: false }))],
  ['is failed for now', (agent) => did(agent.becomes({ kind: 'api_error', what: '529' }, { busy: false }))],
  ['is failed by its service', (agent) => did(agent.becomes(OUTAGE, { busy: false }))],
  ['writes its transcript', (agent) => did(agent.tell({ witness: 'transcript', stamp: 'first' }))],
  ['has read', (agent, words) => did(agent.measures(contextOf(words)))],
  ['has cost', (agent, words) => did(agent.measures({ sessionCostUsd: Number(words[2]) }))],
  ['tests', (agent, words) => did(agent.called('Bash', { test: testRunOf(words) }))],
  ['leaves plan mode', (agent) => did(agent.called('ExitPlanMode', { planned: true }))],
  ['has tasks', (agent, words) => did(agent.tell(tasksOf(Number(words[2]), Number(words[4]))))],
  ['writes half', (agent) => did((agent.writes = 'half'))],
  ['writes no', (agent) => did((agent.writes = 'nothing'))],
  ['writes a', (agent) => did((agent.writes = 'whole'))],
  ['is not cleared', (agent) => did((agent.clears = false))],
  ['says no next step', (agent) => did((agent.echoes = false))],
  ['loops', (agent, words) => did(agent.becomes({ kind: 'looping', what: tail(words, 1), times: 8 }, { busy: true }))],
  ['idles', (agent) => did(agent.becomes({ kind: 'idle' }, { busy: false }))],
  ['is cut short', (agent) => did(agent.cutShort())],
  ['dies', (agent, words) => did(agent.dies(words[1] === undefined ? undefined : Number(words[1])))],
  ['ignores pokes', (agent) => did((agent.temper = 'ignores'))],
  ['answers in words', (agent) => did((agent.temper = 'talks'))],
  ['obeys pokes', (agent) => did((agent.temper = 'obeys'))],
  ['loses texts', (agent) => did((agent.loses = true))],
  ['takes texts', (agent) => did((agent.loses = false))],
  ['hears', (agent, words) => did(agent.hears(tail(words, 1)))],
  ['writes until its end', (agent) => did((agent.writesToTheEnd = true))],
  ['will not die', (agent) => did((agent.immortal = true))],
]

const HOUSE_DEEDS: Record<string, Deed> = {
  set: set,
  boot: (house) => house.boot(),
  crash: (house) => house.crash(),
  wait: (house, [time]) => house.wait(parseDuration(time)),
  plan: (house, [agent = '']) => house.writePlan(agent),
  conflict: (house, [agent = '', ...files]) => house.fleet.git.conflict(`/workspaces/${agent}`, files),
  task: (house, [agent = '', state = '', complexity = '', ...title]) =>
    house.addTask(agent, title.join(' '), { state, complexity }),
  take: (house, [agent = '', task = '']) => house.changeTask(agent, task, 'in_progress'),
  close: (house, [agent = '', task = '']) => house.changeTask(agent, task, 'closed'),
  report: async (house, words) => void (await house.submit(reportOf(words))),
  sleep: (house, [time]) => house.sleep(parseDuration(time)),
  stall: (house, [time]) => house.stall(parseDuration(time)),
  spawn: async (house, [id = '', model, , ...words]) =>
    void (await house.spawn(id, model, words.length === 0 ? {} : { prompt: words.join(' ') })),
  show: (house, [id = '']) => house.onShown(house.fleet.toldAtStart.get(id) ?? 'nothing'),
  agents: async (house, [count]) => {
    for (let n = 1; n <= Number(count); n += 1) await house.spawn(`agent-${n}`)
  },
  specialist: async (house, [id = '', model]) => void (await house.spawn(id, model, { kind: 'specialist' })),
  hold: async (house, words) => holdBy(house, 'hold', words),
  freeze: async (house, words) => holdBy(house, 'frozen', words),
  release: async (house, [agent = '']) => void (await house.submit({ type: 'agent.release', agent })),
  seen: async (house, [agent = '']) => void (await house.submit({ type: 'agent.seen', agent })),
  assign: async (house, [agent = '', ...words]) =>
    void (await house.submit({ type: 'agent.assign', agent, what: words.join(' ') })),
  terminal: (house, [state]) => void (house.fleet.faults.terminalDown = state === 'down'),
  disk: (house, [state]) => void (house.fleet.faults.diskFull = state === 'full'),
  outcomes: (house, [state]) => void (house.fleet.faults.outcomesLost = state === 'lost'),
  settings: async (house, [state]) => {
    house.loop.setTrouble('settings', state === 'broken' ? 'thresholds.stuck: expected a number, got "soon"' : undefined)
    await quiet()
  },
  salvage: (house, [, late]) => void (house.fleet.faults[late === 'late' ? 'lateSalvageFails' : 'salvageFails'] = true),
  break: (house, [agent = '']) => void house.fleet.git.broken.add(`/workspaces/${agent}`),
  mend: (house, [agent = '']) => void house.fleet.git.broken.delete(`/workspaces/${agent}`),
  vanish: (house, [agent = '']) => void house.fleet.git.gone.add(`/workspaces/${agent}`),
  overfill: (house, [agent = '']) => void house.fleet.git.overfull.add(`/workspaces/${agent}`),
  link: (house, [agent = '']) => void house.fleet.git.linked.add(`/workspaces/${agent}`),
  reappear: (house, [agent = '']) => void house.fleet.git.gone.delete(`/workspaces/${agent}`),
  spawns: (house) => void (house.fleet.faults.spawnFails = true),
  alone: async (house, [id = '']) => void house.alone.set(id, await house.fleet.startAlone(id)),
  adopt: async (house, [id = '', allow]) => void (await house.adopt(id, allow)),
  forget: async (house, [agent = '']) => void (await house.submit({ type: 'agent.forget', agent })),
  poke: async (house, [agent = '']) => void (await house.submit({ type: 'agent.poke', agent })),
  kill: async (house, [agent = '']) => void (await house.submit({ type: 'agent.kill', agent })),
  message: async (house, [agent = '', ...words]) =>
    void (await house.submit({ type: 'agent.message', agent, text: words.join(' ') })),
  retry: async (house, [agent = '']) => {
    const lost = house.loop.world.agents.get(agent)?.messages?.findLast(({ state }) => state === 'undelivered')
    await house.submit({ type: 'agent.retry-message', agent, message: lost?.id ?? 'm-0' })
  },
  wake: async (house, [agent = '', ...words]) =>
    void (await house.submit({
      type: 'agent.resume',
      agent,
      ...(words.length === 0 ? {} : { prompt: words.join(' ') }),
    })),
  switch: async (house, [agent = '', model = '']) =>
    void (await house.submit({ type: 'agent.switch-model', agent, model })),
  suspend: async (house, [agent = '']) => void (await house.submit({ type: 'agent.suspend', agent })),
  interrupt: async (house, [agent = '']) => void (await house.submit({ type: 'agent.interrupt', agent })),
  rest: async (house, [agent = '']) => void (await house.submit({ type: 'agent.rest', agent })),
  clear: async (house, [agent = '']) => void (await house.submit({ type: 'agent.clear', agent })),
  handoff: async (house, [agent = '', model, runtime]) =>
    void (await house.submit({ type: 'handoff.start', agent, to: targetOf(model, runtime) })),
  cycle: async (house, [agent = '']) =>
    void (await house.submit({ type: 'handoff.start', agent, to: {}, method: 'context_cycle' })),
  lend: async (house, [agent = '', specialist = '']) =>
    void (await house.submit({ type: 'handoff.start', agent, to: { specialist } })),
  back: async (house, [agent = '']) => void (await house.submit({ type: 'handoff.back', agent })),
  propose: async (house, [agent = '', model, runtime]) =>
    void (await house.submit({
      ...{ type: 'handoff.start', agent, to: targetOf(model, runtime) },
      ...{ ask: true, reason: 'it might be better' },
    })),
  approve: (house, words) => decide(house, 'handoff.approve', words),
  refuse: (house, words) => decide(house, 'handoff.refuse', words),
  auto: async (house, [agent = '', on]) =>
    void (await house.submit({ type: 'handoff.auto', agent, on: on === 'on' })),
  successors: (house, [what]) => void (house.fleet.faults.successors = what as 'work' | 'rest' | 'die'),
  capture: (house) => void (house.fleet.faults.captureFails = true),
  sessions: (house) => void house.lostSessions.add('all'),
  resumes: (house) => void (house.fleet.faults.resumesDie = true),
  emergency: async (house, [how, whom]) => {
    if (how === 'program') await house.fleet.stopFleet()
    else await house.submit({ type: 'cloister.emergency-stop', reason: 'rehearsed', ...(whom === 'adopted' ? { adopted: true } : {}) })
  },
  resume: async (house, [how, ...ids]) => {
    if (!house.isUp) return house.fleet.resumeUnrecorded()
    await house.submit({
      type: 'cloister.resume',
      ...(how === undefined ? {} : { start: ids.length === 0 ? (true as const) : ids }),
    })
  },
  pause: async (house) => void (await house.submit({ type: 'cloister.stop' })),
  start: async (house) => void (await house.submit({ type: 'cloister.start' })),
  settle: settle,
}

function targetOf(model: string | undefined, runtime: string | undefined) {
  return { ...(model === undefined ? {} : { model }), ...(runtime === undefined ? {} : { runtime }) }
}

async function decide(
  house: House,
  type: 'handoff.approve' | 'handoff.refuse',
  [agent = '']: readonly string[],
): Promise<void> {
  const { handoff, handoffs } = house.loop.world.agents.get(agent) ?? {}
  await house.submit({ type, handoff: (handoff ?? handoffs?.at(-1))?.id ?? 'h-0' })
}

async function holdBy(house: House, state: 'hold' | 'frozen', words: readonly string[]): Promise<void> {
  const [agent = '', time = '', ...why] = words
  const until = time === '' ? {} : { untilWallAt: house.clock.now().wallAt + parseDuration(time) }
  const reason = why.length === 0 ? {} : { reason: why.join(' ') }
  await house.submit({ type: 'agent.hold', agent, state, ...until, ...reason })
}

async function settle(house: House, [kind]: readonly string[]): Promise<void> {
  const { world } = house.loop
  const items = [...world.house.needsYou, ...[...world.agents.values()].flatMap((agent) => agent.needsYou)]
  const item = items.find((each) => each.kind === kind) ?? fail(`there is no item of kind ${kind}`)
  await house.submit({ type: 'needs-you.settle', item: item.id })
}

function set(house: House, [key, ...words]: readonly string[]): void {
  const { thresholds } = house.settings
  if (key === 'confirms') house.confirms = words[0] === 'on'
  else if (key === 'usage') house.usage = words[0] === 'on'
  else if (key === 'models') house.models = words[0] === 'on'
  else if (key === 'trigger') setTrigger(house, words)
  else if (key === 'require_approval') {
    const requireApproval = words as Settings['handoffs']['requireApproval']
    house.settings = { ...house.settings, handoffs: { ...house.settings.handoffs, requireApproval } }
  } else if (key === 'stuck_escalation' || key === 'auto_escalate') {
    const { handoffs } = house.settings
    const on = words[0] === 'on'
    const changed = key === 'auto_escalate' ? { autoEscalate: on } : { stuck: { ...handoffs.stuck, enabled: on } }
    house.settings = { ...house.settings, handoffs: { ...handoffs, ...changed } }
  } else if (key !== undefined && key in SWITCHES) {
    house.settings = { ...house.settings, [SWITCHES[key] ?? '']: words[0] === 'on' }
  } else if (key !== undefined && key in LIFECYCLE) {
    const lifecycle = { ...house.settings.lifecycle, ...LIFECYCLE[key]?.(words[0] ?? '') }
    house.settings = { ...house.settings, lifecycle }
  } else if (key === 'thresholds') {
    house.settings = { ...house.settings, thresholds: { ...thresholds, [`${words[0]}Ms`]: parseDuration(words[1]) } }
  } else fail(`«set ${key}» is not known`)
}

function setTrigger(house: House, [name = '', state, on]: readonly string[]): void {
  const { handoffs } = house.settings
  const before = handoffs[name as 'testFailure'] ?? fail(`there is no trigger «${name}»`)
  const changed = { ...before, enabled: state === 'on', ...(on === undefined ? {} : { on }) }
  house.settings = { ...house.settings, handoffs: { ...handoffs, [name]: changed } }
}

const SWITCHES: Record<string, keyof Settings> = {
  poke_on_warning: 'pokeOnWarning',
  interrupt_on_stuck: 'interruptOnStuck',
  kill_on_stuck: 'killOnStuck',
  restart_on_kill: 'restartOnKill',
  restart_on_crash: 'restartOnCrash',
  nudge_assigned: 'nudgeAssigned',
}

const LIFECYCLE: Record<string, (word: string) => Partial<Settings['lifecycle']>> = {
  auto_suspend: (word) => ({ autoSuspend: word === 'on' }),
  auto_resume: (word) => ({ autoResume: word === 'on' }),
  keep_awake: (word) => ({ keepAwake: [word] }),
  max_resume_usd: (word) => ({ maxResumeUsd: Number(word) }),
}

/** Each of those that are closed took ten minutes; none is under way. */
function tasksOf(closed: number, open: number) {
  const task = (state: 'open' | 'closed', n: number) => ({
    ...{ id: `t-${state}-${n}`, title: `Task ${n}`, state, tags: [], blockedBy: [] },
    changedWallAt: Date.UTC(2026, 0, 20, 20) + n * 10 * MINUTE,
  })
  const list = (state: 'open' | 'closed', count: number) => Array.from({ length: count }, (_, n) => task(state, n))
  const counts = { open, closed, in_progress: 0, blocked: 0 }
  const tasks = { source: 'beads' as const, counts, tasks: [...list('open', open), ...list('closed', closed)] }
  return { witness: 'tasks' as const, stamp: `${closed} of ${open + closed}`, tasks }
}

function contextOf([, , tokens, , window]: readonly string[]): Gauges {
  const known = window === undefined ? {} : { window: Number(window) }
  return { context: { tokens: Number(tokens), source: 'transcript', ...known } }
}

function testRunOf([, runner, how]: readonly string[]): TestRun {
  const isFailed = how === 'failing'
  const why = isFailed ? 'it says that 1 failed' : 'it says that 9 passed'
  return { runner: runner as TestRun['runner'], result: isFailed ? 'failed' : 'passed', why }
}

function reportOf([agent = '', about, how, , from = '', security]: readonly string[]): Command {
  const concern = security === undefined ? {} : { security: true as const }
  return { type: 'work.report', agent, about: about as 'tests', passed: how === 'passed', from, ...concern }
}

function repetition(words: readonly string[]) {
  const every = words.indexOf('every')
  const end = words.join(' ')
  const everyMs = parseDuration(words[every + 1]?.replace(',', ''))
  const given = { everyMs, changes: end.endsWith('with other results'), ok: !end.endsWith('failing') }
  return [words.slice(1, every).join(' '), given] as const
}

function toolOf(words: readonly string[]) {
  const { name, boundMs } = openTool(['waits', ...words])
  return { name, boundMs, takesMs: parseDuration(words[words.indexOf('for') + 1]) }
}

function callOf(words: readonly string[]): [string, { tool: string; boundMs?: number }] {
  const at = words.indexOf('bound')
  const bound = at < 0 ? {} : { boundMs: parseDuration(words[at + 1]) }
  return [words[words.indexOf('as') + 1] ?? '', { tool: words[1] ?? 'Bash', ...bound }]
}

function openTool(words: readonly string[]) {
  return { kind: 'tool' as const, name: words[2] ?? 'Bash', boundMs: parseDuration(words[words.indexOf('bound') + 1]) }
}

function tail(words: readonly string[], from: number): string {
  return words.slice(from).join(' ')
}

function did(..._: readonly unknown[]): true {
  return true
}

function fail(why: string): never {
  throw new Error(why)
}
