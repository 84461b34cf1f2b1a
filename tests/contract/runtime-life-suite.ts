/** What every runtime promises of a program that really runs: a session goes on, and can be asked when no hook speaks. */
import { afterEach, describe, expect, test, type TestContext } from 'vitest'
import type { AgentRecord } from '../../src/contract/records.ts'
import { fingerprint } from '../../src/core/fingerprint.ts'
import type { Handle, Launch, RawReport } from '../../src/core/ports.ts'
import type { Runtime, Said, Sessions } from '../../src/core/runtime-port.ts'
import { openPane, type TestPane } from '../e2e/runtimes/tmux.ts'
import type { TestHome } from '../e2e/runtimes/home.ts'

export interface RuntimeLife {
  runtime: Runtime
  agent: AgentRecord
  home: TestHome
  /** A prompt that leads to calls of tools, one after the other, for some seconds. */
  busy: string
  /** Leaves an order for the next hook of the run that takes one. */
  order: (run: string, text: string) => void
  remove(): void | Promise<void>
}

/** A text says why the client cannot be had here. */
export function runtimeLifeSuite(name: string, makeLife: () => Promise<RuntimeLife | string>): void {
  describe(`runtime, alive: ${name}`, () => {
    const cleanups: (() => void | Promise<void>)[] = []
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
    })

    async function begin(ctx: TestContext): Promise<Stage> {
      const life = await makeLife()
      if (typeof life === 'string') {
        ctx.skip(true, `the client cannot be had here: ${life}`)
        throw new Error(life)
      }
      cleanups.push(() => life.remove())
      return stageOf(life, (pane) => cleanups.push(() => pane.end()))
    }

    test('a session is known, rests, took what it was told, is cleared, and goes on after its end', async (ctx) => {
      const { runtime, sessions, start, resume, next } = await begin(ctx)
      const since = Date.now()
      const first = await start(1, 'Hello, and be brief.')
      const { sessionId: session = '' } = await next(1, ({ heard }) => heard === fingerprint('Hello, and be brief.'))
      await next(1, hasEnded)
      await until(async () => (await sessions.rests(session)) === true)
      expect(await sessions.holder(session)).toMatch(/^process \d+$/)
      // Its transcript is written a moment after it rests.
      await until(async () => (await sessions.unusable(session)) === undefined)
      const usage = await runtime.usage?.([session])
      expect(usage).toMatchObject({ sessions: [session] })
      expect(Object.values(usage?.models ?? {}).map(({ input, output }) => input > 0 && output > 0)).toEqual([true])
      const told = { fingerprint: fingerprint('Hello, and be brief.'), sinceWallAt: since }
      expect(await sessions.took(session, told)).toBe('transcript')
      expect(await sessions.took(session, { ...told, sinceWallAt: Date.now() + 60_000 })).toBe('no')
      expect(await sessions.took(session, { ...told, fingerprint: fingerprint('something else') })).toBe('no')
      expect((await sessions.lastWords(session))?.every((text) => text.trim() !== '')).toBe(true)
      expect((await sessions.lastWords(session))?.length).toBeGreaterThan(0)
      expect(await sessions.lastWords('no-such-session')).toBeUndefined()

      first.type(runtime.clearText ?? '')
      const { sessionId: second } = await next(1, (said) => said.sessionId !== undefined && said.sessionId !== session)
      await until(async () => (await sessions.holder(second ?? '')) !== undefined)

      first.end()
      await until(async () => (await sessions.holder(second ?? '')) === undefined)
      await resume(2, { session, prompt: '/exit' })
      const again = await next(2, ({ heard }) => heard === fingerprint('/exit'))
      expect(again.sessionId).toBe(session)
      await next(2, hasEnded)
      expect(await sessions.unusable('no-such-session')).toBe('missing')
    })

    test('the key for it interrupts; an order of a hook brings to rest; neither has a hook of its own', async (ctx) => {
      const { runtime, sessions, start, next, order, busy } = await begin(ctx)
      const pane = await start(1, busy)
      const { sessionId: session = '' } = await next(1, calls)
      expect(await sessions.rests(session)).toBe(false)
      pane.press(runtime.interruptKey)
      await until(async () => (await sessions.rests(session)) === true)

      order(1, runtime.softStop?.('a person asked for it') ?? '')
      pane.type(runtime.phrase(busy))
      await next(1, (said) => calls(said) && said.sessionId === session, 2)
      await until(async () => (await sessions.rests(session)) === true)
    })
  })
}

function calls({ facts = [] }: Said): boolean {
  return facts.some(({ fact }) => fact === 'call_opened')
}

function hasEnded({ facts = [] }: Said): boolean {
  return facts.some((each) => each.fact === 'turn_ended' && each.rest.kind === 'idle')
}

interface Stage {
  runtime: Runtime
  sessions: Sessions
  start: (generation: number, prompt: string) => Promise<TestPane>
  resume: (generation: number, given: { session: string; prompt: string }) => Promise<TestPane>
  /** The n-th report of a generation that says so. */
  next: (generation: number, fits: (said: Said) => boolean, n?: number) => Promise<Said>
  order: (generation: number, text: string) => void
  busy: string
}

function stageOf({ runtime, agent, home, busy, order }: RuntimeLife, opened: (pane: TestPane) => void): Stage {
  const { sessions } = runtime
  if (sessions === undefined || runtime.resume === undefined) throw new Error(`${runtime.name} keeps no sessions`)
  const resumeWith = runtime.resume.bind(runtime)
  const handle = (generation: number): Handle => ({ agent: agent.id, generation, run: `run-${generation}` })
  const open = (launch: Launch) => {
    const pane = openPane(home.path, launch)
    opened(pane)
    return pane
  }
  return {
    runtime,
    sessions,
    busy,
    start: async (generation, prompt) => open(await runtime.launch(agent, handle(generation), prompt)),
    resume: async (generation, given) => open(await resumeWith(agent, handle(generation), given)),
    order: (generation, text) => order(`run-${generation}`, text),
    next: async (generation, fits, n = 1) => {
      let seen = 0
      const known = new Set<string>()
      let found: Said | undefined
      await home.next((report: RawReport) => {
        if (report.generation !== generation || known.has(report.id)) return false
        known.add(report.id)
        const said = runtime.read(report)
        if (said === undefined || !fits(said)) return false
        seen += 1
        found = said
        return seen === n
      }, `what was waited for in generation ${generation}`)
      return found as Said
    },
  }
}

/** Asked again and again: no hook tells of it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('waited in vain')
    await new Promise((done) => setTimeout(done, 50))
  }
}
